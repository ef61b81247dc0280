import { wideGrants } from '../../commands/wide-commands.js';
import type { LintRule } from '../../project/rule.js';

export const privilegedWildcard: LintRule = {
  id: 'permissions/privileged-wildcard',
  severity: 'error',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'A rule allows a command that reaches beyond the user or the machine, with anything behind it.',
    why: 'sudo, docker, kubectl and cloud clients have more rights than the project needs.',
    bad: 'allow:\n  - Bash(docker *)\n',
    good: 'ask:\n  - Bash(docker *)\n',
    fix: 'Ask instead of allowing, or name the exact command.',
  },
  check: (project) => wideGrants(project, 'privileged', (command) => `lets ${command} reach beyond this project.`),
};
