import { shown } from '../../../policy/sentences.js';
import { MOST_RELATED } from '../../claude-rules/covered.js';
import { type ClaudeEntry, relatedTo } from '../../claude-rules/entries.js';
import { openProgram } from '../../claude-rules/open-command.js';
import { protectsSecrets } from '../../claude-rules/secret-files.js';
import type { LintRule, Report } from '../../project/rule.js';
import { forClaudeRules } from '../../settings/claude-rule-checks.js';

export const secretsDenyBypass: LintRule = {
  id: 'permissions/secrets-deny-bypass',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'Settings of Claude Code deny reading secrets, and allow a command that reads them all the same.',
    why: 'Read(.env) also stops cat and grep, but not a program that opens the file itself: with Claude Code 2.1.329, python, tar and xxd read it.',
    bad: '{ "permissions": { "allow": ["Bash(python:*)"], "deny": ["Read(.env)"] } }\n',
    good: '{ "permissions": { "allow": ["Bash(python scripts/report.py:*)"], "deny": ["Read(.env)"] } }\n',
    fix: 'Name the script that may run, or ask about the command.',
  },
  check: forClaudeRules(check),
};

/** Programs that read any file named by their arguments, and that Claude Code did not recognize as readers. */
const READERS: ReadonlySet<string> = new Set(
  'python python2 python3 node deno bun ruby perl php lua bash sh zsh dash ksh fish pwsh env xargs eval exec source . tar xxd ln'.split(
    ' ',
  ),
);
/** Returns at most one finding per file. */
function check(entries: readonly ClaudeEntry[]): readonly Report[] {
  const secret = entries.find(protectsSecrets);
  if (secret === undefined) return [];
  const [first, ...others] = entries.filter((entry) => {
    if (entry.effect !== 'allow' || entry.canonical !== 'Bash') return false;
    // Of a rule for every command permissions/all-bash tells.
    return entry.reach.kind !== 'everything' && READERS.has(openProgram(entry) ?? '');
  });
  if (first === undefined) return [];
  const more =
    others.length === 0 ? '' : `, and so ${others.length === 1 ? 'does one more rule' : `do ${others.length} more rules`}`;
  return [
    {
      at: first.span,
      message: `${shown(first.text)} lets a program read what ${shown(secret.text)} on line ${secret.span.line} is to protect${more}.`,
      related: [
        relatedTo(secret, 'this deny rule'),
        ...others.slice(0, MOST_RELATED).map((entry) => relatedTo(entry, 'another one')),
      ],
    },
  ];
}
