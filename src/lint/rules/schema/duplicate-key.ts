import { fromProblems, type LintRule } from '../../project/rule.js';

export const duplicateKey: LintRule = {
  id: 'schema/duplicate-key',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A key is written twice in one map.',
    why: 'Most parsers keep the last one without a word, so a restriction that stands above is lost.',
    bad: 'version: 1\ndeny: [Bash(rm *)]\ndeny: [Bash(curl *)]\n',
    good: 'version: 1\ndeny: [Bash(rm *), Bash(curl *)]\n',
    fix: 'Keep one of them, with the values of both.',
  },
  check: fromProblems('schema/duplicate-key'),
};
