import { fromProblems, type LintRule } from '../../project/rule.js';

export const frontMatterUnclosed: LintRule = {
  id: 'schema/front-matter-unclosed',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'The front matter has no end.',
    why: 'Without a closing line --- runners see no front matter and do not load the agent.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\n\nRead the diff first.\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read, Grep\n---\nRead the diff first.\n',
    fix: 'Write --- on a line of its own after the last key.',
  },
  check: fromProblems('schema/front-matter-unclosed'),
};
