import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, fromProblems, type LintRule, type Report } from '../../../lint/project/rule.js';
import { nearestWord } from '../../../policy/nearest.js';
import { shown } from '../../../policy/sentences.js';

/** Values that Claude Code 2.1 knows; it ignores any other value and still loads the file. */
const CLAUDE_VALUES: readonly (readonly [field: string, values: readonly string[]])[] = [
  ['permissionMode', ['acceptEdits', 'auto', 'bypassPermissions', 'default', 'dontAsk', 'manual', 'plan']],
  ['memory', ['user', 'project', 'local']],
  ['isolation', ['worktree', 'remote']],
];

export const invalidValue: LintRule = {
  id: 'schema/invalid-value',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A field has a value that its runner does not know.',
    why: 'The runner ignores it and takes its default, which may be looser than what was meant.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\npermissionMode: readonly\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\npermissionMode: plan\n---\n',
    fix: 'Write one of the values that the message names.',
  },
  check: (project) => [...fromProblems('schema/invalid-value')(project), ...forAgents(claudeValues)(project)],
};

function claudeValues({ format, data }: AgentFile): readonly Report[] {
  if (format !== 'claude-code' || data === null) return [];
  return CLAUDE_VALUES.flatMap(([field, values]) => {
    const value = data.at(`/${field}`);
    if (value === undefined || value === null || (typeof value === 'string' && values.includes(value))) return [];
    const near = typeof value === 'string' ? nearestWord(value, values) : null;
    const meant = near === null ? '.' : `; did you mean "${near}"?`;
    return [
      { at: data.valueSpan(`/${field}`), message: `${field} is ${shown(value)}; Claude Code knows ${values.join(', ')}${meant}` },
    ];
  });
}
