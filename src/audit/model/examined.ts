/** What an examination of one claim gives: evidence, and the verdict that follows from it. */
import type { RunnerId } from '../../call/tool-call.js';
import type { Evidence } from './report.js';

/** A piece of evidence before the report has numbered it. */
export type EvidenceDraft<Kind extends Evidence = Evidence> = Kind extends Evidence ? Omit<Kind, 'id'> : never;

/** That something holds, or does not, rests on at least one piece of evidence. */
export type Examined =
  | {
      readonly verdict: 'met' | 'unmet';
      readonly evidence: readonly [EvidenceDraft, ...EvidenceDraft[]];
      /** What corrects it, as a patch, where that is known. */
      readonly patch?: string;
      /** Why that which was shown protects nobody here, as a sentence: it works, and nothing asks it. */
      readonly notInForce?: string;
    }
  | { readonly verdict: 'unproven' | 'not-applicable'; readonly why: string; readonly evidence: readonly EvidenceDraft[] };

/** A claim with what came out, for the project or for one runner. */
export interface ExaminedClaim {
  readonly claim: string;
  readonly runner: RunnerId | null;
  readonly found: Examined;
}

/** There is nothing here that the claim is about. */
export function notApplicable(why: string, evidence: readonly EvidenceDraft[] = []): Examined {
  return { verdict: 'not-applicable', why, evidence };
}

/** Evidence for or against a claim: unmet as soon as one piece contradicts it; without any unproven, for the reason `without`. */
export function judged(evidence: readonly EvidenceDraft[], without: string): Examined {
  const [first, ...more] = evidence;
  if (first === undefined) return { verdict: 'unproven', why: without, evidence: [] };
  return { verdict: evidence.every(({ supports }) => supports) ? 'met' : 'unmet', evidence: [first, ...more] };
}
