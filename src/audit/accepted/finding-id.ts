/** The identity of a finding, the same in every audit. */
import type { AuditFinding } from '../model/report.js';

/** `RM-4/hook/claude-code`: its control, claim and coding agent, as far as it has them. */
export function findingId({ control, claim, runner }: Pick<AuditFinding, 'control' | 'claim' | 'runner'>): string {
  return [control, claim, runner].filter((part) => part !== null).join('/');
}
