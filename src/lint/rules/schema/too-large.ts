import { fromProblems, type LintRule } from '../../project/rule.js';

export const tooLarge: LintRule = {
  id: 'schema/too-large',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A file is larger, deeper or more repetitive than anything that is read.',
    why: 'Runners do not load such a definition, and a policy beyond the limits denies every call.',
    bad: 'a file of 3 MB',
    good: 'a file below 1 MiB',
    fix: 'Keep the file below 1 MiB, 50 levels of nesting and 20 aliases.',
  },
  check: fromProblems('schema/too-large'),
};
