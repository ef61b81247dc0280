import { wideGrants } from '../../commands/wide-commands.js';
import type { LintRule } from '../../project/rule.js';

export const destructiveWildcard: LintRule = {
  id: 'permissions/destructive-wildcard',
  severity: 'error',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'A rule allows a command that deletes or overwrites, with anything behind it.',
    why: 'What is lost is lost without a question.',
    bad: 'allow:\n  - Bash(rm *)\n',
    good: 'ask:\n  - Bash(rm *)\n',
    fix: 'Ask instead of allowing, or name what may be deleted.',
  },
  check: (project) => wideGrants(project, 'destructive', (command) => `allows ${command} on anything.`),
};
