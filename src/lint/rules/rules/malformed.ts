/** rules/malformed: a permission rule is not written as Tool(pattern). */
import { fromProblems, type LintRule } from '../../rule.js';

export const malformedRule: LintRule = {
  id: 'rules/malformed',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A permission rule is not written as Tool(pattern).',
    why: 'A rule that cannot be read would be dead; policy refuses the file instead of guessing.',
    bad: 'deny:\n  - Bash(rm *\n',
    good: 'deny:\n  - Bash(rm *)\n',
    fix: 'Write Tool or Tool(pattern), with nothing behind the last parenthesis.',
  },
  check: fromProblems('rules/malformed'),
};
