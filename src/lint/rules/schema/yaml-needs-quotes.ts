/** schema/yaml-needs-quotes: a value has to be quoted to be YAML. */
import { fromProblems, type LintRule } from '../../rule.js';

export const yamlNeedsQuotes: LintRule = {
  id: 'schema/yaml-needs-quotes',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A value has to be quoted to be YAML.',
    why: 'Claude Code 2.1 reads such a file by putting quotes around values; other versions and other programs skip it without a message.',
    bad: '---\nname: reviewer\ndescription: Use when: a change is ready\n---\n',
    good: '---\nname: reviewer\ndescription: "Use when: a change is ready"\n---\n',
    fix: 'Put quotes around the value.',
  },
  check: fromProblems('schema/yaml-needs-quotes'),
};
