/** Rules that say "run it unseen". */
import { toolEffects } from '../call/catalogue.js';
import type { PermissionRule } from '../rule/pattern/permission-rule.js';
import { toolsCovered } from '../rule/pattern/tool-coverage.js';

/** True for an allow of a shell tool with any command at all: `*`, `Bash`, `Bash(*)`, `Bash(**)`, `B*(* *)`. */
export function isTotalRule({ tool, pattern }: PermissionRule): boolean {
  const anything = pattern === null || /^[*?:\s]+$/.test(pattern);
  return anything && toolEffects().shells.some(toolsCovered(tool, 'allow'));
}
