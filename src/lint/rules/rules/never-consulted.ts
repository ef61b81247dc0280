import { shown } from '../../../policy/sentences.js';
import { fixWith } from '../../claude-rules/covered.js';
import { type ClaudeEntry, replacing } from '../../claude-rules/entries.js';
import type { LintRule, Report } from '../../project/rule.js';
import { forClaudeRules } from '../../settings/claude-rule-checks.js';

export const neverConsulted: LintRule = {
  id: 'rules/never-consulted',
  severity: 'warning',
  docs: {
    what: "Claude Code never looks at the specifiers of a rule's tool.",
    why: 'Rules about files are those of Edit and Read: Edit(path) is also about Write and NotebookEdit, Read(path) about Glob and Grep; what Monitor runs is judged by rules for Bash. Write(path) is accepted and has no effect: a deny with it protects nothing (an error). Where a rule that does protect stands beside it, this is only a remark.',
    bad: '{ "permissions": { "deny": ["Write(./.env*)"] } }\n',
    good: '{ "permissions": { "deny": ["Edit(./.env*)"] } }\n',
    fix: 'Write the rule for Edit, Read or Bash.',
  },
  check: forClaudeRules(check),
};

function check(entries: readonly ClaudeEntry[]): readonly Report[] {
  const effective = new Set(
    entries.flatMap(({ effect, text, reach }) => (reach.kind === 'nothing' ? [] : [`${effect} ${text}`])),
  );
  return entries.flatMap((entry): Report[] => {
    const { reach, effect, text, tool } = entry;
    if (reach.kind !== 'nothing' || reach.code !== 'never-consulted' || reach.instead === null) return [];
    const reading = reach.instead.replace(/^Edit/, 'Read');
    const beside = [reach.instead, ...(effect === 'deny' ? [reading] : [])].find((one) => effective.has(`${effect} ${one}`));
    const what = effect === 'allow' ? 'allows nothing' : effect === 'ask' ? 'asks about nothing' : 'protects nothing';
    if (beside !== undefined)
      return [
        {
          at: entry.span,
          message: `${shown(text)} has no effect of its own: Claude Code never looks at specifiers of ${tool}, and ${shown(beside)} stands beside it.`,
          help: 'Remove this rule.',
          severity: 'info',
        },
      ];
    return [
      {
        at: entry.span,
        message: `${shown(text)} ${what}: ${reach.because}.`,
        help: `Write ${reach.instead}.`,
        ...(effect === 'allow' ? {} : { severity: 'error' as const }),
        ...fixWith(replacing(entry, reach.instead)),
      },
    ];
  });
}
