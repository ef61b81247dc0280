/** rules/contradiction: the same rule has two effects. */
import { shown } from '../../../policy/sentences.js';
import type { RuleInFile } from '../../project.js';
import { forRuleFiles, type LintRule, type Report } from '../../rule.js';
import { RuleCoverage, sameRule } from '../../rule-coverage.js';

export const contradiction: LintRule = {
  id: 'rules/contradiction',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'The same rule has two effects.',
    why: 'The stricter one wins; one of them is a mistake.',
    bad: 'allow: [Bash(make *)]\ndeny: [Bash(make *)]\n',
    good: 'deny: [Bash(make *)]\n',
    fix: 'Keep the one that you mean.',
  },
  check: forRuleFiles(check),
};

function check(rules: readonly RuleInFile[]): readonly Report[] {
  const closing = new RuleCoverage(rules.filter(({ rule }) => rule.effect !== 'allow'));
  return rules.flatMap((inner) => {
    const outer = inner.rule.effect === 'deny' ? null : closing.covering(inner);
    if (outer === null || outer.rule.effect === inner.rule.effect || !sameRule(outer.rule, inner.rule)) return [];
    const { file, line, column } = outer.span;
    const message = `${shown(inner.rule.text)} stands under ${inner.rule.effect} and under ${outer.rule.effect} (line ${line}).`;
    return [{ at: inner.span, message, related: [{ message: 'the other one', file, line, column }] }];
  });
}
