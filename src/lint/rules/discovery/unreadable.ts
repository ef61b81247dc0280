import { fromProblems, type LintRule } from '../../project/rule.js';

export const unreadable: LintRule = {
  id: 'discovery/unreadable',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A definition or policy cannot be read.',
    why: 'What cannot be read is not checked; a policy that cannot be read denies every call.',
    bad: 'policy.yaml without read permission',
    good: 'policy.yaml that its user may read',
    fix: 'Make it a regular file that its user may read.',
  },
  check: fromProblems('discovery/unreadable'),
};
