import { missingField } from '../../agents/missing-field.js';
import type { LintRule } from '../../project/rule.js';

export const missingName: LintRule = {
  id: 'schema/missing-name',
  severity: 'error',
  docs: {
    what: 'A definition has no usable name.',
    why: 'A runner cannot start an agent without a name; Claude Code leaves the file out without a message.',
    bad: '---\ndescription: Reviews changes.\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\n---\n',
    fix: 'Add a line name: in kebab-case, the same as the file name.',
  },
  check: missingField('name'),
};
