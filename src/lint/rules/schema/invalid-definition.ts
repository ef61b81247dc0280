import { fromProblems, type LintRule } from '../../project/rule.js';

export const invalidDefinition: LintRule = {
  id: 'schema/invalid-definition',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A definition has a mistake that keeps it from being used.',
    why: 'A definition with an error is not used: calls of its agent are denied until somebody looks.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\n<<: {tools: Bash}\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Bash\n---\n',
    fix: 'Correct what the message names.',
  },
  check: fromProblems('schema/invalid-definition'),
};
