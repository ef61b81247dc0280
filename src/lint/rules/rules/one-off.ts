import { fixWith, MOST_RELATED } from '../../claude-rules/covered.js';
import { type ClaudeEntry, relatedTo, removing } from '../../claude-rules/entries.js';
import { isOneOff } from '../../claude-rules/one-off.js';
import type { LintRule, Report } from '../../project/rule.js';
import { forClaudeRules } from '../../settings/claude-rule-checks.js';

export const oneOff: LintRule = {
  id: 'rules/one-off',
  severity: 'info',
  confidence: 'medium',
  docs: {
    what: 'Settings keep approvals of commands that will not be run again.',
    why: 'Long command lines, programs on the line (python -c) and pieces of loops match only what was run once. They hide the rules that matter, and often hold paths and credentials.',
    bad: '{ "permissions": { "allow": ["Bash(python -c \'print(1)\')", "Bash(npm test)"] } }\n',
    good: '{ "permissions": { "allow": ["Bash(npm test)"] } }\n',
    fix: 'Delete these rules; `policy lint --fix` does it.',
  },
  check: forClaudeRules(check),
};

/** One finding per file, however many such rules it contains. */
function check(entries: readonly ClaudeEntry[]): readonly Report[] {
  const [first, ...others] = entries.filter(isOneOff);
  if (first === undefined) return [];
  return [
    {
      at: first.span,
      message: `${others.length === 0 ? 'This rule matches' : `${others.length + 1} rules, of which this is the first, match`} only a command line that was run once, word for word.`,
      related: others.slice(0, MOST_RELATED).map((entry) => relatedTo(entry, 'another one')),
      ...fixWith(removing([first, ...others], 'Remove the rules for single commands.')),
    },
  ];
}
