/** Rules that say "run it unseen". */
import { canonicalTools, toolsCovered } from '../call/catalogue.js';
import type { PermissionRule } from '../rule/permission-rule.js';

/** True for an allow of a shell tool with any command at all: `*`, `Bash`, `Bash(*)`, `Bash(**)`, `B*(* *)`. */
export function isTotalRule({ tool, pattern }: PermissionRule): boolean {
  const anything = pattern === null || /^[*?:\s]+$/.test(pattern);
  return anything && shellTools().some(toolsCovered(tool, 'allow'));
}

function shellTools(): string[] {
  return canonicalTools()
    .filter((tool) => tool.subjects?.some((subject) => subject.kind === 'command'))
    .map((tool) => tool.name);
}
