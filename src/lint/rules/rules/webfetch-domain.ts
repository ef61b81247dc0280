import { shown } from '../../../policy/sentences.js';
import { fixWith } from '../../claude-rules/covered.js';
import { type ClaudeEntry, replacing, specifierSpan } from '../../claude-rules/entries.js';
import type { LintRule, Report } from '../../project/rule.js';
import { forEachClaudeRule } from '../../settings/claude-rule-checks.js';

export const webfetchDomain: LintRule = {
  id: 'rules/webfetch-domain',
  severity: 'warning',
  docs: {
    what: 'A rule for WebFetch names something else than domain:HOST.',
    why: 'Claude Code compares hosts only: a rule with an address, a bare host or a space behind the colon matches no call. A deny with it closes nothing (an error).',
    bad: '{ "permissions": { "deny": ["WebFetch(https://paste.example/*)"] } }\n',
    good: '{ "permissions": { "deny": ["WebFetch(domain:paste.example)"] } }\n',
    fix: 'Write WebFetch(domain:HOST); *.HOST is what lies below the host.',
  },
  check: forEachClaudeRule(check),
};

function check(entry: ClaudeEntry): readonly Report[] {
  const { reach, effect, text } = entry;
  if (reach.kind !== 'nothing' || reach.code !== 'domain') return [];
  return [
    {
      at: specifierSpan(entry),
      message: `${shown(text)} matches nothing: ${reach.because}.`,
      ...(effect === 'allow' ? {} : { severity: 'error' as const }),
      ...(reach.instead === null ? {} : { help: `Write ${reach.instead}.` }),
      ...fixWith(replacing(entry, reach.instead)),
    },
  ];
}
