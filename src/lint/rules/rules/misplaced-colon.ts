import { fromProblems, type LintRule } from '../../project/rule.js';

export const misplacedColon: LintRule = {
  id: 'rules/misplaced-colon',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A command pattern has a colon where it separates nothing.',
    why: 'Only `:*` at the end means "then anything"; `git:status*` matches no command that anybody runs.',
    bad: 'allow:\n  - Bash(git:status*)\n',
    good: 'allow:\n  - Bash(git status *)\n',
    fix: 'Separate the words of the command with spaces.',
  },
  check: fromProblems('rules/misplaced-colon'),
};
