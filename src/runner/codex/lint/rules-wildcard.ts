import { argumentSpan, type PrefixRule, prefixRules } from '../../../lint/codex/rules-file.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const codexRulesWildcard: LintRule = {
  id: 'codex/rules-wildcard',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A rule of Codex has a * in its pattern, which is no wildcard there.',
    why: 'Words are compared letter by letter, so the rule is about commands with a star in them only. A pattern is a prefix: whatever follows it matches anyway.',
    bad: '# .codex/rules/default.rules\nprefix_rule(pattern = ["git", "push", "*"], decision = "forbidden")\n',
    good: '# .codex/rules/default.rules\nprefix_rule(pattern = ["git", "push"], decision = "forbidden")\n',
    fix: 'Leave the star out, or list the words that may stand there: ["git", ["push", "fetch"]].',
    source: 'developers.openai.com/codex: rules',
    verifiedOn: 'Codex 0.169.0',
    runners: ['codex'],
  },
  check: (project) => prefixRules(project).flatMap(check),
};

/** A denial that denies nothing is an error. */
function check({ call, decision, pattern }: PrefixRule): readonly Report[] {
  const word = pattern.flat().find((one) => /^\*+$|^[\w./:-]+\*$/.test(one));
  if (word === undefined) return [];
  const message = `${shown(word)} is compared letter by letter, so this rule matches no command that was meant.`;
  return [{ at: argumentSpan(call, 'pattern'), message, ...(decision !== 'allow' && { severity: 'error' as const }) }];
}
