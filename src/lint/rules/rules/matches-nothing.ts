import { shown } from '../../../policy/sentences.js';
import { fixWith } from '../../claude-rules/covered.js';
import { type ClaudeEntry, replacing } from '../../claude-rules/entries.js';
import { foreignPattern } from '../../claude-rules/literal-syntax.js';
import type { DeadCode } from '../../claude-rules/rule.js';
import type { LintRule, Report } from '../../project/rule.js';
import { forEachClaudeRule } from '../../settings/claude-rule-checks.js';

export const matchesNothing: LintRule = {
  id: 'rules/matches-nothing',
  severity: 'warning',
  docs: {
    what: 'Claude Code accepts a rule that no call can match.',
    why: 'It says nothing about such a rule. A deny that matches nothing leaves open what it should close (an error); an allow keeps asking. Measured with Claude Code 2.1.197 and 2.1.329.',
    bad: '{ "permissions": { "deny": ["Edit({.env,secrets.json})"] } }\n',
    good: '{ "permissions": { "deny": ["Edit(.env)", "Edit(secrets.json)"] } }\n',
    fix: 'Write the rule in a form that matches.',
  },
  check: forEachClaudeRule(check),
};

/** Codes that other lint rules report. */
const ELSEWHERE: ReadonlySet<DeadCode> = new Set([
  'malformed',
  'space',
  'unknown-tool',
  'never-consulted',
  'literal-star',
  'domain',
]);

function check(entry: ClaudeEntry): readonly Report[] {
  const { reach, effect, text } = entry;
  const foreign = readAsIs(entry);
  if (foreign !== null) {
    const [because, instead] = foreign;
    const message = `${shown(text)} is about nothing that is ever done: ${because}.`;
    const fix = fixWith(replacing(entry, instead));
    return [
      {
        at: entry.span,
        message,
        ...(effect !== 'allow' && { severity: 'error' }),
        ...(instead && { help: `Write ${instead}.` }),
        ...fix,
      },
    ];
  }
  if (reach.kind !== 'nothing' || ELSEWHERE.has(reach.code)) return [];
  // Whether it works depends on the version.
  if (reach.code === 'every-tool')
    return [
      {
        at: entry.span,
        message: `${shown(text)} is no reliable ${effect} rule: ${reach.because}.`,
        help: 'Name the tools, for example Bash, Edit, Write and mcp__*.',
        severity: 'info',
      },
    ];
  return [
    {
      at: entry.span,
      message: `${shown(text)} matches nothing: ${reach.because}.`,
      ...(effect === 'allow' ? {} : { severity: 'error' as const }),
      ...(reach.instead === null ? {} : { help: `Write ${reach.instead}.` }),
      ...fixWith(replacing(entry, reach.instead)),
    },
  ];
}

/** Returns why a rule stands for its plain characters although it was meant as a pattern, with the rule that was meant if there is one. */
function readAsIs({
  canonical,
  specifier,
  reach,
  effect,
}: ClaudeEntry): readonly [because: string, instead: string | null] | null {
  if (specifier === null || reach.kind === 'nothing') return null;
  if (canonical === 'Bash') {
    const why = foreignPattern(specifier, effect === 'allow' ? 'never' : 'literal');
    return why === null ? null : [why, null];
  }
  const variable = reach.kind === 'path' ? /^\/*\$(?:\{(\w+)\}|(\w+))(?=\/|$)/.exec(specifier) : null;
  if (variable === null) return null;
  const isHome = (variable[1] ?? variable[2]) === 'HOME';
  const meant = isHome ? `${canonical}(~${specifier.slice(variable[0].length) || '/**'})` : null;
  return ['variables are not replaced in a path, the "$" is a plain character', meant];
}
