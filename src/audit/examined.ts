/** What an examination of one claim gives: evidence, and the verdict that follows from it. */
import type { Evidence, Verdict } from './report.js';

/** A piece of evidence before the report has numbered it. */
export type Piece<Kind extends Evidence = Evidence> = Kind extends Evidence ? Omit<Kind, 'id'> : never;

/** A verdict other than `unproven` rests on at least one piece of evidence. */
export type Examined =
  | {
      readonly verdict: Exclude<Verdict, 'unproven'>;
      readonly evidence: readonly [Piece, ...Piece[]];
      /** Why that which was shown protects nobody here, as a sentence: it works, and nothing asks it. */
      readonly notInForce?: string;
    }
  | { readonly verdict: 'unproven'; readonly why: string; readonly evidence: readonly Piece[] };

/** Evidence for or against a claim: unmet as soon as one piece contradicts it; without any unproven, for the reason `without`. */
export function judged(evidence: readonly Piece[], without: string): Examined {
  const [first, ...more] = evidence;
  if (first === undefined) return { verdict: 'unproven', why: without, evidence: [] };
  return { verdict: evidence.every(({ supports }) => supports) ? 'met' : 'unmet', evidence: [first, ...more] };
}
