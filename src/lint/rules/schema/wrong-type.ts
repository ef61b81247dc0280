import { fromProblems, type LintRule } from '../../project/rule.js';

export const wrongType: LintRule = {
  id: 'schema/wrong-type',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A value of a definition has the wrong type.',
    why: 'What a runner makes of it differs: some leave the file out, some read it as nothing.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\ntools: true\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: [Read]\n---\n',
    fix: 'Write a value of the type that the message names.',
  },
  check: fromProblems('schema/wrong-type'),
};
