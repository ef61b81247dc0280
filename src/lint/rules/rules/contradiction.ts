import { shown } from '../../../policy/sentences.js';
import { EFFECTS, type Effect } from '../../../rule/pattern/permission-rule.js';
import { claudeKey } from '../../claude-rules/covered.js';
import { type ClaudeEntry, relatedTo } from '../../claude-rules/entries.js';
import type { RuleInFile } from '../../project/project.js';
import { forRuleFiles, type LintRule, type Report } from '../../project/rule.js';
import { ruleKey } from '../../project/rule-coverage.js';
import { forClaudeRules } from '../../settings/claude-rule-checks.js';

export const contradiction: LintRule = {
  id: 'rules/contradiction',
  severity: 'error',
  docs: {
    what: 'The same rule has two effects.',
    why: 'The stricter one wins; one of them is a mistake.',
    bad: 'allow: [Bash(make *)]\ndeny: [Bash(make *)]\n',
    good: 'deny: [Bash(make *)]\n',
    fix: 'Keep the one that you mean.',
  },
  check: (project) => [...forRuleFiles(check)(project), ...forClaudeRules(checkClaude)(project)],
};

function check(rules: readonly RuleInFile[]): readonly Report[] {
  return contradictions(
    rules,
    ({ rule }) => rule.effect,
    ({ rule }) => ruleKey(rule),
  ).map(([inner, outer]) => {
    const { file, line, column } = outer.span;
    return {
      at: inner.span,
      message: listedUnderBoth(inner.rule.text, inner.rule.effect, outer.rule.effect, line),
      related: [{ message: 'the other one', file, line, column }],
    };
  });
}

function checkClaude(entries: readonly ClaudeEntry[]): readonly Report[] {
  const live = entries.filter(({ reach }) => reach.kind !== 'nothing');
  return contradictions(live, ({ effect }) => effect, claudeKey).map(([inner, outer]) => ({
    at: inner.span,
    message: listedUnderBoth(inner.text, inner.effect, outer.effect, outer.span.line),
    related: [relatedTo(outer, 'the other one')],
  }));
}

/** Pairs each rule with the same rule under a stricter effect. */
function contradictions<One>(rules: readonly One[], effectOf: (rule: One) => Effect, keyOf: (rule: One) => string): [One, One][] {
  const strictest = new Map<string, One>();
  for (const rule of rules) {
    const other = strictest.get(keyOf(rule));
    if (other === undefined || isStricter(effectOf(rule), effectOf(other))) strictest.set(keyOf(rule), rule);
  }
  return rules.flatMap((rule): [One, One][] => {
    const outer = strictest.get(keyOf(rule));
    return outer !== undefined && isStricter(effectOf(outer), effectOf(rule)) ? [[rule, outer]] : [];
  });
}

function isStricter(left: Effect, right: Effect): boolean {
  return EFFECTS.indexOf(left) > EFFECTS.indexOf(right);
}

function listedUnderBoth(text: string, inner: Effect, outer: Effect, line: number): string {
  return `${shown(text)} is listed under ${inner} and under ${outer} (line ${line}).`;
}
