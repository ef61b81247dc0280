import { fromProblems, type LintRule } from '../../project/rule.js';

export const policyInvalid: LintRule = {
  id: 'policy/invalid',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A policy file has a key or a value that the schema does not know.',
    why: 'A policy with a mistake denies every call of a hook: what was meant cannot be known.',
    bad: 'version: 1\npreset: save\n',
    good: 'version: 1\npreset: safe\n',
    fix: 'Write one of the keys or values that the message names.',
  },
  check: fromProblems('policy/invalid'),
};
