import { missingField } from '../../agents/missing-field.js';
import type { LintRule } from '../../project/rule.js';

export const missingDescription: LintRule = {
  id: 'schema/missing-description',
  severity: 'error',
  docs: {
    what: 'A definition has no usable description.',
    why: 'The description tells the main agent when to use this one; without it the file is not loaded.',
    bad: '---\nname: reviewer\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes before a merge.\n---\n',
    fix: 'Add a description that says when to use the agent (goal: in codex YAML).',
  },
  check: missingField('description'),
};
