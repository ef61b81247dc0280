/** How a finding stands to what the audit was held against: is it in the baseline, and did somebody accept it? */

import type { AuditFinding, AuditReport } from '../../audit/model/report.js';
import type { Change, Exception } from '../../audit/model/results.js';

export interface Stand {
  /** `updated`: known, and with a new place beside known ones; null without a baseline. */
  readonly baseline: 'new' | 'updated' | 'unchanged' | null;
  /** Its places that the baseline does not have; all without a baseline. */
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

/** `RM-4/hook/claude-code`: its control, the claim and the coding agent, as far as it is about one. */
export function findingId({ control, claim, runner }: Pick<AuditFinding, 'control' | 'claim' | 'runner'>): string {
  return [control, claim, runner].filter((part) => part !== null).join('/');
}
