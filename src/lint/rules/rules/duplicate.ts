import { shown } from '../../../policy/sentences.js';
import { fixWith } from '../../claude-rules/covered.js';
import { type ClaudeEntry, relatedTo, removing } from '../../claude-rules/entries.js';
import type { RuleInFile } from '../../project/project.js';
import { forRuleFiles, type LintRule, type Report } from '../../project/rule.js';
import { forClaudeRules } from '../../settings/claude-rule-checks.js';

export const duplicateRule: LintRule = {
  id: 'rules/duplicate',
  severity: 'info',
  docs: {
    what: 'The same rule stands twice in one list.',
    why: 'Whoever removes one of them has changed nothing.',
    bad: 'allow: [Bash(npm test), Bash(npm test)]\n',
    good: 'allow: [Bash(npm test)]\n',
    fix: 'Remove one of them.',
  },
  check: (project) => [...forRuleFiles(check)(project), ...forClaudeRules(checkClaude)(project)],
};

function check(rules: readonly RuleInFile[]): readonly Report[] {
  return repeated(rules, ({ rule }) => `${rule.effect} ${rule.text}`).map(([again, before]) => {
    const { file, line, column } = before.span;
    return {
      at: again.span,
      message: alreadyThere(again.rule.text, line),
      related: [{ message: 'the same', file, line, column }],
    };
  });
}

function checkClaude(entries: readonly ClaudeEntry[]): readonly Report[] {
  return repeated(entries, ({ effect, text }) => `${effect} ${text}`).map(([again, before]) => ({
    at: again.span,
    message: alreadyThere(again.text, before.span.line),
    related: [relatedTo(before, 'the same')],
    ...fixWith(removing([again], 'Remove the second one.')),
  }));
}

/** Pairs each repeated rule with the first of its kind. */
function repeated<One>(rules: readonly One[], keyOf: (rule: One) => string): [One, One][] {
  const first = new Map<string, One>();
  return rules.flatMap((rule): [One, One][] => {
    const before = first.get(keyOf(rule));
    if (before !== undefined) return [[rule, before]];
    first.set(keyOf(rule), rule);
    return [];
  });
}

function alreadyThere(text: string, line: number): string {
  return `${shown(text)} is already on line ${line}.`;
}
