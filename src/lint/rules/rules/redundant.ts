/** rules/redundant: a rule is covered by a wider rule of the same effect. */
import { shown } from '../../../policy/sentences.js';
import { EFFECTS } from '../../../rule/permission-rule.js';
import type { RuleInFile } from '../../project.js';
import { forRuleFiles, type LintRule, type Report } from '../../rule.js';
import { RuleCoverage } from '../../rule-coverage.js';

export const redundant: LintRule = {
  id: 'rules/redundant',
  severity: 'info',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A rule is covered by a wider rule of the same effect.',
    why: 'It changes nothing, and hides how much the wider rule allows or denies.',
    bad: 'allow: [Bash(git *), Bash(git log *)]\n',
    good: 'allow: [Bash(git *)]\n',
    fix: 'Remove the narrower rule, or the wider one if the narrower was meant.',
  },
  check: forRuleFiles(check),
};

function check(rules: readonly RuleInFile[]): readonly Report[] {
  return EFFECTS.flatMap((effect) => {
    const alike = rules.filter(({ rule }) => rule.effect === effect);
    const coverage = new RuleCoverage(alike);
    return alike.flatMap((inner) => {
      const outer = coverage.covering(inner);
      if (outer === null) return [];
      const { file, line, column } = outer.span;
      const message = `${shown(inner.rule.text)} adds nothing to ${shown(outer.rule.text)} on line ${line}.`;
      return [{ at: inner.span, message, related: [{ message: 'the wider rule', file, line, column }] }];
    });
  });
}
