import { forRisky, type LintRule } from '../../project/rule.js';

export const switchedOff: LintRule = {
  id: 'sandbox/switched-off',
  severity: 'warning',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'Settings of a project switch the sandbox of a coding agent off, or take part of it away.',
    why: 'They count for everybody who works on the project, and go before what a person chose for all projects: commands then run with all rights of the person.',
    bad: '{ "sandbox": { "enabled": false } }\n',
    good: '{ "sandbox": { "enabled": true } }\n',
    fix: 'Take it out of the project; who needs it says so in a file of their own.',
  },
  check: forRisky('sandbox/switched-off', ({ data, pointer, key, says }) => [
    { at: data.valueSpan(pointer), message: `${key} in the settings of a project ${says}.` },
  ]),
};
