import { fromProblems, type LintRule } from '../../project/rule.js';

export const frontMatterNotFirst: LintRule = {
  id: 'schema/front-matter-not-first',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'The front matter does not stand at the very start of the file.',
    why: 'After a blank line, a comment or ---- runners see no front matter and do not load the agent. After a byte order mark some versions load it, and others do not.',
    bad: '\n---\nname: reviewer\ndescription: Reviews changes.\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\n---\n',
    fix: 'Make three hyphens, with nothing after them, the first line of the file.',
  },
  check: fromProblems('schema/front-matter-not-first'),
};
