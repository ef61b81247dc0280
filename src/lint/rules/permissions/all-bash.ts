/** permissions/all-bash: a rule allows every shell command. */
import { shown } from '../../../policy/sentences.js';
import { isTotalRule } from '../../../policy/total-rule.js';
import type { RuleInFile } from '../../project.js';
import { forRules, type LintRule, type Report } from '../../rule.js';

export const allBash: LintRule = {
  id: 'permissions/all-bash',
  severity: 'error',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'A rule allows every shell command.',
    why: 'A total rule runs commands unseen; only the built-in denials, protected files and secrets are left.',
    bad: 'allow:\n  - Bash\n',
    good: 'allow:\n  - Bash(npm test)\n',
    fix: 'Name the commands that may run, or choose preset: safe.',
  },
  check: forRules(check),
};

function check({ rule, span }: RuleInFile): readonly Report[] {
  if (rule.effect !== 'allow' || !isTotalRule(rule)) return [];
  return [{ at: span, message: `${shown(rule.text)} allows every shell command unseen.` }];
}
