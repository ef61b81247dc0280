/** rules/shadowed: a rule never takes effect, since a stricter rule covers all that it does. */
import { shown } from '../../../policy/sentences.js';
import type { Effect } from '../../../rule/permission-rule.js';
import type { RuleInFile } from '../../project.js';
import { forRuleFiles, type LintRule, type Report } from '../../rule.js';
import { RuleCoverage, sameRule } from '../../rule-coverage.js';

export const shadowed: LintRule = {
  id: 'rules/shadowed',
  severity: 'warning',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'A rule never takes effect, since a stricter rule covers all that it does.',
    why: 'Deny beats ask beats allow, wherever they stand. Whoever wrote the rule expects something that does not happen.',
    bad: 'allow: [Bash(npx tsc --noEmit)]\nask: [Bash(npx *)]\n',
    good: 'ask: [Bash(npx *)]\n',
    fix: 'Remove the rule, or make the stricter one narrower.',
  },
  check: forRuleFiles(check),
};

const STRICTER: Readonly<Record<Effect, readonly Effect[]>> = { allow: ['deny', 'ask'], ask: ['deny'], deny: [] };

function check(rules: readonly RuleInFile[]): readonly Report[] {
  const coverage = new Map(
    STRICTER.allow.map((effect) => [effect, new RuleCoverage(rules.filter(({ rule }) => rule.effect === effect))]),
  );
  return rules.flatMap((inner): Report[] => {
    for (const effect of STRICTER[inner.rule.effect]) {
      const outer = coverage.get(effect)?.covering(inner) ?? null;
      // The same rule in two lists is a contradiction and reported as one.
      if (outer === null || sameRule(outer.rule, inner.rule)) continue;
      const { file, line, column } = outer.span;
      const verb = inner.rule.effect === 'allow' ? 'allows' : 'asks about';
      return [
        {
          at: inner.span,
          message: `${shown(inner.rule.text)} ${verb} nothing: the ${effect} rule ${shown(outer.rule.text)} on line ${line} covers all of it.`,
          related: [{ message: `this ${effect} rule`, file, line, column }],
        },
      ];
    }
    return [];
  });
}
