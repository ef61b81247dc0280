import type { AgentFile, TextFile } from '../../../lint/files/files.js';
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
  docs: {
    what: 'A field has a value that its runner does not know.',
    why: 'The runner ignores it and takes its default, which may be looser than what was meant.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\npermissionMode: readonly\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\npermissionMode: plan\n---\n',
    fix: 'Write one of the values that the message names.',
  },
  check: (project) => [
    ...fromProblems('schema/invalid-value')(project),
    ...forAgents(claudeValues, 'claude-code')(project),
    ...project.texts.flatMap(pathsOf),
  ],
};

function claudeValues({ data }: AgentFile): readonly Report[] {
  if (data === null) return [];
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

/** The patterns of a rule begin at the project; one with ./ matches nothing, so that the rule is never loaded (2.1.197 and 2.1.332). */
function pathsOf({ path, data }: TextFile): readonly Report[] {
  if (!isClaudeRule(path) || data === null) return [];
  const wrong = data.items('/paths', ',').find(({ text }) => text.startsWith('./'));
  if (wrong === undefined) return [];
  return [
    {
      at: wrong.span,
      message: `Claude Code finds no file for ${shown(wrong.text)}.`,
      help: `Write ${shown(wrong.text.slice(2))}.`,
    },
  ];
}

/** Whether a file is one that Claude Code loads together with the files that its head names. */
export function isClaudeRule(path: string): boolean {
  return /(?:^|\/)\.claude\/rules\//.test(path);
}
