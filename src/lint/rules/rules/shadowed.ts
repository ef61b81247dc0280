import { shown } from '../../../policy/sentences.js';
import type { Effect } from '../../../rule/pattern/permission-rule.js';
import { ClaudeCoverage } from '../../claude-rules/coverage.js';
import { alsoCovered, fixWith, forExample, groupedByCover, MOST_RELATED, sameClaudeRule } from '../../claude-rules/covered.js';
import { type ClaudeEntry, relatedTo, removing } from '../../claude-rules/entries.js';
import type { RuleInFile } from '../../project/project.js';
import { forRuleFiles, type LintRule, type Report } from '../../project/rule.js';
import { RuleCoverage, sameRule } from '../../project/rule-coverage.js';
import { forClaudeRules } from '../../settings/claude-rule-checks.js';

export const shadowed: LintRule = {
  id: 'rules/shadowed',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'A rule never takes effect, since a stricter rule covers all that it does.',
    why: 'Deny beats ask beats allow, wherever they stand. Whoever wrote the rule expects something that does not happen.',
    bad: 'allow: [Bash(npx tsc --noEmit)]\nask: [Bash(npx *)]\n',
    good: 'ask: [Bash(npx *)]\n',
    fix: 'Remove the rule, or make the stricter one narrower.',
  },
  check: (project) => [...forRuleFiles(check)(project), ...forClaudeRules(checkClaude)(project)],
};

const STRICTER: Readonly<Record<Effect, readonly Effect[]>> = { allow: ['deny', 'ask'], ask: ['deny'], deny: [] };

function check(rules: readonly RuleInFile[]): readonly Report[] {
  const coverage = new Map(
    STRICTER.allow.map((effect) => [effect, new RuleCoverage(rules.filter(({ rule }) => rule.effect === effect))]),
  );
  return rules.flatMap((inner): Report[] => {
    for (const effect of STRICTER[inner.rule.effect]) {
      const covering = coverage.get(effect)?.covering(inner) ?? null;
      // The same rule in two lists is reported as a contradiction.
      if (covering === null || sameRule(covering.rule.rule, inner.rule)) continue;
      const { rule: outer, witness } = covering;
      const { file, line, column } = outer.span;
      const message = allowsNothing(inner.rule, outer.rule, line, witness);
      return [{ at: inner.span, message, related: [{ message: `this ${effect} rule`, file, line, column }] }];
    }
    return [];
  });
}

/** Reports rules that one stricter rule covers as one finding. */
function checkClaude(entries: readonly ClaudeEntry[]): readonly Report[] {
  const coverage = new Map(
    STRICTER.allow.map((effect) => [effect, new ClaudeCoverage(entries.filter((one) => one.effect === effect))]),
  );
  const covered = groupedByCover(entries, (inner) => {
    for (const effect of STRICTER[inner.effect]) {
      const covering = coverage.get(effect)?.covering(inner) ?? null;
      if (covering !== null && !sameClaudeRule(covering.entry, inner)) return covering;
    }
    return null;
  });
  return covered.map(({ outer, inner: [first, ...others], witness }) => ({
    at: first.span,
    message: allowsNothing(first, outer, outer.span.line, witness) + alsoCovered(others),
    related: [
      relatedTo(outer, `this ${outer.effect} rule`),
      ...others.slice(0, MOST_RELATED).map((one) => relatedTo(one, 'the same')),
    ],
    ...fixWith(removing(first.effect === 'allow' ? [first, ...others] : [], 'Remove the rules that have no effect.')),
  }));
}

function allowsNothing(
  inner: { readonly text: string; readonly effect: Effect },
  outer: { readonly text: string; readonly effect: Effect },
  line: number,
  witness: string | null,
): string {
  const verb = inner.effect === 'allow' ? 'allows' : 'asks about';
  const example = forExample(witness, inner.text);
  const result = outer.effect === 'deny' ? 'denied' : 'asked about';
  return `${shown(inner.text)} ${verb} nothing: the ${outer.effect} rule ${shown(outer.text)} on line ${line} covers all of it${example === null ? '' : `, ${example} is ${result}`}.`;
}
