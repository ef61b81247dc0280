/** Rules that allow every command unchecked. */
import { toolEffects } from '../call/catalogue.js';
import type { PermissionRule } from '../rule/pattern/permission-rule.js';
import { toolsCovered } from '../rule/pattern/tool-coverage.js';

/** True for an allow rule that covers any command of a shell tool: `*`, `Bash`, `Bash(*)`, `Bash(**)`, `B*(* *)`. */
export function isTotalRule({ tool, pattern }: PermissionRule): boolean {
  const anything = pattern === null || /^[*?:\s]+$/.test(pattern);
  return anything && toolEffects().shells.some(toolsCovered(tool, 'allow'));
}
