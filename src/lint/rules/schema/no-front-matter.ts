import { fromProblems, type LintRule } from '../../project/rule.js';

export const noFrontMatter: LintRule = {
  id: 'schema/no-front-matter',
  severity: 'warning',
  byFolder: true,
  docs: {
    what: 'A Markdown file in a folder of agents has no front matter.',
    why: 'Runners load no agent from it. A README is no agent and is not reported.',
    bad: 'Read the diff first.\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read, Grep\n---\nRead the diff first.\n',
    fix: 'Start the file with --- and name and description, or move it out of the folder of agents.',
  },
  check: fromProblems('schema/no-front-matter', () => ({ severity: 'warning' })),
};
