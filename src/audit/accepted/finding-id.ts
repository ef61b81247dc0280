/** What tells a finding from others, in every audit. */
import type { AuditFinding } from '../model/report.js';

/** `RM-4/hook/claude-code`: its control, the claim and the coding agent, as far as it is about one. */
export function findingId({ control, claim, runner }: Pick<AuditFinding, 'control' | 'claim' | 'runner'>): string {
  return [control, claim, runner].filter((part) => part !== null).join('/');
}
