import { fromProblems, type LintRule } from '../../project/rule.js';

export const foreignFrontMatter: LintRule = {
  id: 'schema/foreign-front-matter',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'The front matter is in another language than YAML.',
    why: 'Runners read YAML between --- only; some front-matter libraries even execute other languages.',
    bad: '+++\nname = "reviewer"\n+++\n',
    good: '---\nname: reviewer\n---\n',
    fix: 'Write the front matter as YAML between two lines ---.',
  },
  check: fromProblems('schema/foreign-front-matter'),
};
