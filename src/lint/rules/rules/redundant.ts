import { shown } from '../../../policy/sentences.js';
import { EFFECTS } from '../../../rule/pattern/permission-rule.js';
import { ClaudeCoverage } from '../../claude-rules/coverage.js';
import { alsoCovered, fixWith, forExample, groupedByCover, MOST_RELATED } from '../../claude-rules/covered.js';
import { type ClaudeEntry, relatedTo, removing } from '../../claude-rules/entries.js';
import type { RuleInFile } from '../../project/project.js';
import { forRuleFiles, type LintRule, type Report } from '../../project/rule.js';
import { RuleCoverage } from '../../project/rule-coverage.js';
import { forClaudeRules } from '../../settings/claude-rule-checks.js';

export const redundant: LintRule = {
  id: 'rules/redundant',
  severity: 'info',
  persona: 'auditor',
  docs: {
    what: 'A rule is covered by a wider rule of the same effect.',
    why: 'It hides how much the wider rule allows or denies. It changes nothing, so that only auditors are told.',
    bad: 'allow: [Bash(git *), Bash(git log *)]\n',
    good: 'allow: [Bash(git *)]\n',
    fix: 'Remove the narrower rule, or the wider one if the narrower was meant.',
  },
  check: (project) => [...forRuleFiles(check)(project), ...forClaudeRules(checkClaude)(project)],
};

function check(rules: readonly RuleInFile[]): readonly Report[] {
  return EFFECTS.flatMap((effect) => {
    const alike = rules.filter(({ rule }) => rule.effect === effect);
    const coverage = new RuleCoverage(alike);
    return alike.flatMap((inner) => {
      const covering = coverage.covering(inner);
      // The same text twice is reported as a duplicate.
      if (covering === null || covering.rule.rule.text === inner.rule.text) return [];
      const { file, line, column } = covering.rule.span;
      const message = addsNothing(inner.rule.text, covering.rule.rule.text, line, covering.witness);
      return [{ at: inner.span, message, related: [{ message: 'the wider rule', file, line, column }] }];
    });
  });
}

/** Reports rules that one wider rule covers as one finding. */
function checkClaude(entries: readonly ClaudeEntry[]): readonly Report[] {
  return EFFECTS.flatMap((effect) => {
    const alike = entries.filter((entry) => entry.effect === effect);
    const coverage = new ClaudeCoverage(alike);
    const covered = groupedByCover(alike, (inner) => {
      const covering = coverage.covering(inner);
      return covering?.entry.text === inner.text ? null : covering;
    });
    return covered.map(({ outer, inner: [first, ...others], witness }) => ({
      at: first.span,
      message: addsNothing(first.text, outer.text, outer.span.line, witness) + alsoCovered(others),
      related: [relatedTo(outer, 'the wider rule'), ...others.slice(0, MOST_RELATED).map((one) => relatedTo(one, 'the same'))],
      ...fixWith(removing(effect === 'allow' ? [first, ...others] : [], 'Remove the rules that add nothing.')),
    }));
  });
}

function addsNothing(inner: string, outer: string, line: number, witness: string | null): string {
  const example = forExample(witness, inner);
  return `${shown(inner)} adds nothing to ${shown(outer)} on line ${line}${example === null ? '' : `, which ${example} falls under as well`}.`;
}
