/** permissions/package-manager-wildcard: a rule allows a package manager with anything behind it. */
import type { LintRule } from '../../rule.js';
import { wideGrants } from '../../wide-commands.js';

export const packageManagerWildcard: LintRule = {
  id: 'permissions/package-manager-wildcard',
  severity: 'warning',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'A rule allows a package manager with anything behind it.',
    why: 'Installing runs scripts that others wrote, and `run` starts every script of the project.',
    bad: 'allow:\n  - Bash(npm *)\n',
    good: 'allow:\n  - Bash(npm test)\n  - Bash(npm run lint)\n',
    fix: 'Name the subcommands and scripts that may run.',
  },
  check: (project) => wideGrants(project, 'package-manager', (command) => `lets ${command} install and run what others publish.`),
};
