import type { LintRule } from '../../project/rule.js';

export const foreignPolicy: LintRule = {
  id: 'policy/foreign-file',
  severity: 'info',
  confidence: 'high',
  persona: 'auditor',
  docs: {
    what: 'A file with the name of a policy belongs to another program.',
    why: 'It is ignored, since it has no `version` and no known key. If it was meant as a policy, nothing of it holds.',
    bad: '{"Statement": []}',
    good: '{"version": 1, "deny": ["Bash(rm *)"]}',
    fix: 'Add `version: 1` if it is a policy of ours; else nothing is to be done.',
  },
  check: ({ policies }) =>
    policies
      .filter(({ foreign, path }) => foreign && !path.includes('/'))
      .map(({ source }) => ({ at: source.lineSpan(1), message: 'This file is not a policy of ours and is ignored.' })),
};
