import { shown } from '../../../policy/sentences.js';
import { type ClaudeEntry, specifierSpan } from '../../claude-rules/entries.js';
import { knownPrograms } from '../../claude-rules/programs.js';
import type { LintRule, Report } from '../../project/rule.js';
import { forEachClaudeRule } from '../../settings/claude-rule-checks.js';

export const gluedWildcard: LintRule = {
  id: 'rules/glued-wildcard',
  severity: 'warning',
  docs: {
    what: 'A rule allows other programs whose names begin with the same letters.',
    why: 'In Claude Code a star behind a letter has no word boundary: Bash(ls*) also allows lsof. Reported where a program with such a name is known.',
    bad: '{ "permissions": { "allow": ["Bash(ps*)"] } }\n',
    good: '{ "permissions": { "allow": ["Bash(ps *)"] } }\n',
    fix: 'Put a space before the star.',
  },
  check: forEachClaudeRule(check),
};

function check(entry: ClaudeEntry): readonly Report[] {
  const { reach, effect, canonical, text } = entry;
  if (effect !== 'allow' || canonical !== 'Bash' || reach.kind !== 'wildcard') return [];
  const name = /^([A-Za-z][\w.+-]*)\*$/.exec(reach.text)?.[1];
  const others = name === undefined ? [] : [...knownPrograms()].filter((program) => isAnother(program, name));
  if (name === undefined || others.length === 0) return [];
  return [
    {
      at: specifierSpan(entry),
      message: `${shown(text)} also allows ${listed(others)}: a star without a space before it has no word boundary.`,
      help: `Write Bash(${name} *).`,
    },
  ];
}

/** `python3` and `python3.12` are what a person means by `python*`. */
function isAnother(program: string, name: string): boolean {
  return program.startsWith(name) && !/^(?:[\d.]*|-.*)$/.test(program.slice(name.length));
}

/** Programs that people rarely mean to allow incidentally come first. */
function listed(others: readonly string[]): string {
  const [first, second] = others;
  return second === undefined ? `${first}` : others.length === 2 ? `${first} and ${second}` : `${first}, ${second} and more`;
}
