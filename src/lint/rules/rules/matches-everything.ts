import { shown } from '../../../policy/sentences.js';
import { fixWith } from '../../claude-rules/covered.js';
import { type ClaudeEntry, replacing } from '../../claude-rules/entries.js';
import type { LintRule, Report } from '../../project/rule.js';
import { forEachClaudeRule } from '../../settings/claude-rule-checks.js';

export const matchesEverything: LintRule = {
  id: 'rules/matches-everything',
  severity: 'warning',
  docs: {
    what: 'A restriction stands for every command without looking so.',
    why: 'Bash( *) reads like a rule about some commands. It stands for all of them, and no allow rule for Bash has an effect beside it. Under allow, permissions/all-bash reports the same.',
    bad: '{ "permissions": { "deny": ["Bash(* *)"] } }\n',
    good: '{ "permissions": { "deny": ["Bash"] } }\n',
    fix: 'Write the bare name of the tool, or name the commands.',
  },
  check: forEachClaudeRule(check),
};

function check(entry: ClaudeEntry): readonly Report[] {
  const { reach, effect, text, specifier, canonical } = entry;
  if (effect === 'allow' || reach.kind !== 'everything' || canonical !== 'Bash' || specifier === null) return [];
  const message = `${shown(text)} ${effect === 'deny' ? 'denies' : 'asks about'} every command.`;
  return [{ at: entry.span, message, ...fixWith(replacing(entry, 'Bash')) }];
}
