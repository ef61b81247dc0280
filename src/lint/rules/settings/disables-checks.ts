import { forRisky, type LintRule } from '../../project/rule.js';

export const disablesChecks: LintRule = {
  id: 'settings/disables-checks',
  severity: 'warning',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'Settings of a project take away what Claude Code checks by itself.',
    why: 'Lists of denials of the auto mode replace the built-in ones, unless they name `$defaults`; some variables switch a single check off. Where no rule of the policy speaks, nothing stops such a call then.',
    bad: '{ "autoMode": { "hard_deny": [] } }\n',
    good: '{ "autoMode": { "hard_deny": ["$defaults", "Never deploy from a laptop"] } }\n',
    fix: 'Add `$defaults` to the list, and take the variable out.',
  },
  check: forRisky('settings/disables-checks', ({ data, pointer, key, says }) => [
    { at: data.valueSpan(pointer), message: `${key} in the settings of a project ${says}.` },
  ]),
};
