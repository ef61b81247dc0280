import { shown } from '../../../policy/sentences.js';
import { type ClaudeEntry, specifierSpan } from '../../claude-rules/entries.js';
import { isOneOff } from '../../claude-rules/one-off.js';
import type { LintRule, Report } from '../../project/rule.js';
import { forEachClaudeRule } from '../../settings/claude-rule-checks.js';

export const operatorWithWildcard: LintRule = {
  id: 'rules/operator-with-wildcard',
  severity: 'warning',
  docs: {
    what: 'A wildcard is to match a line of several commands.',
    why: 'Claude Code takes a line apart at &&, ||, ; and | and compares each command by itself, so no command matches such a rule. Only a rule without a wildcard can be a whole line.',
    bad: '{ "permissions": { "allow": ["Bash(cd web && npm run *)"] } }\n',
    good: '{ "permissions": { "allow": ["Bash(cd web)", "Bash(npm run *)"] } }\n',
    fix: 'Write one rule for each of the commands.',
  },
  check: forEachClaudeRule(check),
};

function check(entry: ClaudeEntry): readonly Report[] {
  const { reach, canonical, text, effect } = entry;
  if (canonical !== 'Bash' || (reach.kind !== 'wildcard' && reach.kind !== 'prefix') || isOneOff(entry)) return [];
  const operator = /&&|\|\|?|;/.exec(withoutQuotedText(reach.text))?.[0];
  if (operator === undefined) return [];
  const at = specifierSpan(entry);
  const why = `the commands of a line are compared one by one, and none of them has ${shown(operator)} in it`;
  // Measured for allow rules only.
  return effect === 'allow'
    ? [{ at, message: `${shown(text)} allows nothing: ${why}.` }]
    : [
        {
          at,
          message: `${shown(text)} may have no effect: ${why}.`,
          help: 'Write a rule for the one command that matters.',
          severity: 'info',
          confidence: 'low',
        },
      ];
}

/** Removes quoted and escaped text; an unclosed quote ends the text. */
function withoutQuotedText(text: string): string {
  // In a rule, a backslash stands before a parenthesis and before another backslash.
  const command = text.replace(/\\([\\()])/g, '$1');
  return command.replace(/\\[\s\S]|'[^']*(?:'|$)|"(?:\\[\s\S]|[^"\\])*(?:"|$)/g, ' ');
}
