import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const agentCodeReadOnly: LintRule = {
  id: 'dialect/agent-code-read-only',
  severity: 'error',
  docs: {
    what: 'read_only of an agent-code definition is not exactly `true`.',
    why: 'agent-code compares the text with true: True and TRUE leave the agent free to write.',
    bad: 'read_only: True\n',
    good: 'read_only: true\n',
    fix: 'Write read_only: true, in lower case and without quotes.',
  },
  check: forAgents(check, 'agent-code'),
};

/** Values that are no boolean are reported by schema/wrong-type. */
function check({ path, source, data }: AgentFile): readonly Report[] {
  if (data === null || data.at('/read_only') !== true) return [];
  const { line } = data.keySpan('/read_only');
  const text = source.lines[line - 1] ?? '';
  const value = /:\s*(True|TRUE)\b/.exec(text)?.[1];
  if (value === undefined) return [];
  const start = source.offsetAt({ line, column: text.lastIndexOf(value) + 1 });
  const end = start + value.length;
  const fix = { description: 'Write true', edits: [{ file: path, start, end, text: 'true' }] };
  return [{ at: source.span(start, end), message: `agent-code reads ${shown(value)} as false; only true is true.`, fix }];
}
