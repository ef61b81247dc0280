import { fromProblems, type LintRule } from '../../project/rule.js';

export const encoding: LintRule = {
  id: 'schema/encoding',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A file is not UTF-8.',
    why: 'Runners read UTF-8: another encoding is not loaded, a single wrong byte becomes U+FFFD.',
    bad: 'description: caf\\xe9',
    good: 'description: caf\\xc3\\xa9',
    fix: 'Save the file as UTF-8 without a byte order mark.',
  },
  check: fromProblems('schema/encoding'),
};
