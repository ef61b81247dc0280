import { shown } from '../../../policy/sentences.js';
import { fixWith } from '../../claude-rules/covered.js';
import { type ClaudeEntry, replacing, specifierSpan } from '../../claude-rules/entries.js';
import type { LintRule, Report } from '../../project/rule.js';
import { forEachClaudeRule } from '../../settings/claude-rule-checks.js';

export const midColonStar: LintRule = {
  id: 'rules/mid-colon-star',
  severity: 'warning',
  docs: {
    what: '`:*` stands where Claude Code takes it, or another wildcard, for plain characters.',
    why: '`:*` means "then anything" only at the end, behind whole words, and beside it no other `*` is a wildcard. Such a deny denies nothing that anybody runs (an error).',
    bad: '{ "permissions": { "allow": ["Bash(git:* --stat)"] } }\n',
    good: '{ "permissions": { "allow": ["Bash(git * --stat)"] } }\n',
    fix: 'Write the wildcards as ` *`.',
  },
  check: forEachClaudeRule(check),
};

function check(entry: ClaudeEntry): readonly Report[] {
  const { reach, effect, canonical, text } = entry;
  if (canonical !== 'Bash') return [];
  const severity = effect === 'allow' ? {} : { severity: 'error' as const };
  if (reach.kind === 'nothing' && reach.code === 'literal-star')
    return [
      {
        at: specifierSpan(entry),
        message: `${shown(text)} matches no command that anybody runs: ${reach.because}.`,
        ...(reach.instead === null ? {} : { help: `Write ${reach.instead}.` }),
        ...severity,
        ...fixWith(replacing(entry, reach.instead)),
      },
    ];
  if (reach.kind === 'wildcard' && /^[A-Za-z][\w.+-]*:\*\s+\S/.test(reach.text)) {
    const instead = `Bash(${reach.text.replace(':*', ' *')})`;
    return [
      {
        at: specifierSpan(entry),
        message: `${shown(text)} matches no command that anybody runs: ":*" means "then anything" only at the end.`,
        help: `Write ${instead}.`,
        ...severity,
        ...fixWith(replacing(entry, instead)),
      },
    ];
  }
  if (reach.kind !== 'prefix' || !/:\/\/[^\s/:]+$/.test(reach.text)) return [];
  return [
    {
      at: specifierSpan(entry),
      message: `${shown(text)} matches no port: ":*" at the end is a space and anything, or nothing.`,
      help: `Write the port, for example Bash(${reach.text}:8080 *).`,
    },
  ];
}
