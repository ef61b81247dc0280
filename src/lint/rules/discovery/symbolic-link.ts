import { fromProblems, type LintRule } from '../../project/rule.js';

export const symbolicLink: LintRule = {
  id: 'discovery/symbolic-link',
  severity: 'warning',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'A definition or policy is a symbolic link.',
    why: 'Runners follow it, so the text that counts may lie outside the repository, where no review sees it change.',
    bad: '.claude/agents/reviewer.md -> /tmp/reviewer.md',
    good: '.claude/agents/reviewer.md (a file)',
    fix: 'Put the file itself in the place of the link, or lint the folder that it leads to.',
  },
  check: fromProblems('discovery/symbolic-link'),
};
