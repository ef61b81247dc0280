import { wideGrants } from '../../commands/wide-commands.js';
import type { LintRule } from '../../project/rule.js';

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
  check: (project) =>
    wideGrants(project, 'package-manager', whatItAllows, (command) => (command === 'npm run' ? { severity: 'info' } : {})),
};

/** Scripts of the project are its own; nobody is surprised that people who edit it can change them. */
function whatItAllows(command: string): string {
  const [program, ...subcommand] = command.split(' ');
  if (command === 'npm run') return 'lets every script of package.json run, also one that was written just now.';
  return subcommand.length === 0
    ? `lets ${program} install and run what others publish.`
    : `lets ${program} install anything that others publish, and run its scripts.`;
}
