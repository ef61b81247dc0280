/** What a control is: a checklist entry with the code that gathers its evidence. */
import type { Checklist, ChecklistControl, Claim, ProbeCall } from './checklist.js';
import type { Evidence, Verdict } from './report.js';
import type { AuditSubject } from './subject.js';

/** Evidence before the report has numbered it. */
export type Finding<Kind extends Evidence = Evidence> = Kind extends Evidence ? Omit<Kind, 'id'> : never;

/** What an examination says about one claim. A verdict other than `unproven` needs evidence; the examiner throws without. */
export type Examined =
  | { readonly verdict: Exclude<Verdict, 'unproven'>; readonly evidence: readonly [Finding, ...Finding[]] }
  | { readonly verdict: 'unproven'; readonly why: string; readonly evidence: readonly Finding[] };

export interface Control {
  readonly id: string;
  /** Examines the claims of the checklist, by claim id. Claims that it does not mention stay unproven. */
  examine(subject: AuditSubject, entry: ChecklistControl): Promise<ReadonlyMap<string, Examined>>;
}

/** Evidence for or against a claim: unmet as soon as one piece contradicts it, unproven without any. */
export function judged(evidence: readonly Finding[], without: string): Examined {
  const [first, ...more] = evidence;
  if (first === undefined) return { verdict: 'unproven', why: without, evidence: [] };
  return { verdict: evidence.every(({ supports }) => supports) ? 'met' : 'unmet', evidence: [first, ...more] };
}

export type { Checklist, ChecklistControl, Claim, ProbeCall };
