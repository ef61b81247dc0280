import { argumentSpan, type PrefixRule, prefixRules } from '../../../lint/codex/rules-file.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const codexRulesWildcard: LintRule = {
  id: 'codex/rules-wildcard',
  severity: 'warning',
  docs: {
    what: 'A rule of Codex has a * in its pattern, which is no wildcard there, or several words in one.',
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
  const several = pattern.flatMap((list, at) => list.filter((one) => (at === 0 ? /^[\w.-]+ / : /^-\S* \S/).test(one)))[0];
  if (word === undefined && several === undefined) return [];
  const message =
    word === undefined
      ? `${shown(several)} is compared with one word of a command, so this rule matches none that was meant.`
      : `${shown(word)} is compared letter by letter, so this rule matches no command that was meant.`;
  const help = word === undefined ? 'Write each word as an entry of its own: ["git", "push"].' : undefined;
  return [
    {
      at: argumentSpan(call, 'pattern'),
      message,
      ...(help !== undefined && { help }),
      ...(decision !== 'allow' && { severity: 'error' as const }),
    },
  ];
}
