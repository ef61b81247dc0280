import { shown } from '../../../policy/sentences.js';
import { miscasedField, REQUIRED_FIELDS } from '../../agents/field-case.js';
import type { AgentFile } from '../../files/files.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

export const fieldCase: LintRule = {
  id: 'schema/field-case',
  severity: 'error',
  docs: {
    what: 'A required field is written with other letters in upper case than runners read.',
    why: 'Names of fields count with case: a definition with `Name:` has no name and is not loaded, without a message.',
    bad: '---\nName: reviewer\ndescription: Reviews changes.\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\n---\n',
    fix: 'Write the field in lower case.',
  },
  check: forAgents(check),
};

function check({ path, guessed, data, source }: AgentFile): readonly Report[] {
  if (data === null) return [];
  return REQUIRED_FIELDS.flatMap((field): Report[] => {
    const key = miscasedField(data, field);
    if (key === null) return [];
    const at = data.keySpan(`/${key}`);
    const start = source.offsetAt(at);
    const fix = { description: `Rename it to ${field}`, edits: [{ file: path, start, end: start + key.length, text: field }] };
    const message = `${shown(key)} is not read as ${shown(field)}, so the agent has none and is not loaded.`;
    return [{ at, message, help: `Write ${field}.`, fix, ...(guessed ? { severity: 'warning' as const } : {}) }];
  });
}
