import { wideGrants } from '../../commands/wide-commands.js';
import type { LintRule } from '../../project/rule.js';

export const networkWildcard: LintRule = {
  id: 'permissions/network-wildcard',
  severity: 'warning',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'A rule allows a network client with anything behind it.',
    why: 'Whatever the agent can read it can then send anywhere.',
    bad: 'allow:\n  - Bash(curl *)\n',
    good: 'allow:\n  - WebFetch(domain:nodejs.org)\n',
    fix: 'Allow single domains with WebFetch(domain:…), or ask.',
  },
  check: (project) => wideGrants(project, 'network', (command) => `lets ${command} reach every host.`),
};
