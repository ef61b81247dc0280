/** The result of examining one claim: evidence, and the verdict that follows from it. */
import type { RunnerId } from '../../call/tool-call.js';
import type { Evidence } from './report.js';

/** A piece of evidence that the report has not numbered yet. */
export type EvidenceDraft<Kind extends Evidence = Evidence> = Kind extends Evidence ? Omit<Kind, 'id'> : never;

/** `met` and `unmet` require at least one piece of evidence. */
export type Examined =
  | {
      readonly verdict: 'met' | 'unmet';
      readonly evidence: readonly [EvidenceDraft, ...EvidenceDraft[]];
      /** The correction as a patch, if it is known. */
      readonly patch?: string;
      /** Why the proven control protects nobody here, as a sentence: it works, but nothing asks it. */
      readonly notInForce?: string;
    }
  | { readonly verdict: 'unproven' | 'not-applicable'; readonly why: string; readonly evidence: readonly EvidenceDraft[] };

/** A claim with its result, for the project or for one runner. */
export interface ExaminedClaim {
  readonly claim: string;
  readonly runner: RunnerId | null;
  readonly found: Examined;
}

/** The result for a claim whose subject does not exist here. */
export function notApplicable(why: string, evidence: readonly EvidenceDraft[] = []): Examined {
  return { verdict: 'not-applicable', why, evidence };
}

/**
 * Judges the evidence for a claim: unmet as soon as one piece contradicts it; without evidence it is unproven, for the reason `without`.
 */
export function judged(evidence: readonly EvidenceDraft[], without: string): Examined {
  const [first, ...more] = evidence;
  if (first === undefined) return { verdict: 'unproven', why: without, evidence: [] };
  return { verdict: evidence.every(({ supports }) => supports) ? 'met' : 'unmet', evidence: [first, ...more] };
}
