/** The status of a finding in the comparison: whether it is in the baseline, and whether somebody accepted it. */

import type { AuditFinding, AuditReport } from '../../audit/model/report.js';
import type { Change, Exception } from '../../audit/model/results.js';

export interface Stand {
  /** `updated`: known, but with a new place in addition to known ones; null without a baseline. */
  readonly baseline: 'new' | 'updated' | 'unchanged' | null;
  /** Its places that are not in the baseline; all places without a baseline. */
  readonly added: readonly Change[];
  readonly accepted: Exception | null;
}

export function standOf(
  { changes, exceptions }: Pick<AuditReport, 'changes' | 'exceptions'>,
  finding: Pick<AuditFinding, 'control' | 'claim' | 'runner'>,
): Stand {
  const { control, claim, runner } = finding;
  const isIt = (one: Change) => one.control === control && one.claim === claim && one.runner === runner;
  const id = findingId(finding);
  const added = changes?.added.filter(isIt) ?? [];
  const isKnown = changes?.unchanged.some(isIt) ?? false;
  const accepted = exceptions?.entries.find(({ state, findings }) => state === 'accepted' && findings.includes(id)) ?? null;
  if (changes === null) return { baseline: null, added, accepted };
  if (added.length === 0) return { baseline: 'unchanged', added, accepted };
  return { baseline: isKnown ? 'updated' : 'new', added, accepted };
}

/** `RM-4/hook/claude-code`: its control, claim and coding agent, as far as it has them. */
export function findingId({ control, claim, runner }: Pick<AuditFinding, 'control' | 'claim' | 'runner'>): string {
  return [control, claim, runner].filter((part) => part !== null).join('/');
}
