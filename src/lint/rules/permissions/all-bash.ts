import { shown } from '../../../policy/sentences.js';
import { isTotalRule } from '../../../policy/total-rule.js';
import type { RuleInFile } from '../../project/project.js';
import { forAllRules, type LintRule, type Report } from '../../project/rule.js';

export const allBash: LintRule = {
  id: 'permissions/all-bash',
  severity: 'error',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'A rule allows every shell command.',
    why: 'The rule allows commands without checking them; only the built-in denials and the protection of files and secrets still apply.',
    bad: 'allow:\n  - Bash\n',
    good: 'allow:\n  - Bash(npm test)\n',
    fix: 'Name the commands that may run, or choose preset: safe.',
  },
  check: forAllRules(check),
};

function check({ rule, span }: RuleInFile): readonly Report[] {
  if (rule.effect !== 'allow' || !isTotalRule(rule)) return [];
  const what = rule.tool.startsWith('mcp__') ? 'every tool of every MCP server, shells among them,' : 'every shell command';
  return [{ at: span, message: `${shown(rule.text)} allows ${what} without checking it.` }];
}
