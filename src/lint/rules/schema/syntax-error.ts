import { fromProblems, type LintRule } from '../../project/rule.js';

export const syntaxError: LintRule = {
  id: 'schema/syntax-error',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A file is not valid YAML, JSON or TOML.',
    why: 'A definition that cannot be read is not loaded, without a message; a policy that cannot be read denies every call.',
    bad: '---\nname: reviewer\ndescription: "Reviews changes.\n---\n',
    good: '---\nname: reviewer\ndescription: "Reviews changes."\n---\n',
    fix: 'Correct the text at the marked place; quote a value that holds a colon, a quote or a special first character.',
  },
  check: fromProblems('schema/syntax-error'),
};
