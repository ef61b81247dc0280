import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const cursorReadonlyValue: LintRule = {
  id: 'cursor/readonly-value',
  severity: 'warning',
  confidence: 'medium',
  docs: {
    what: '`readonly` of a Cursor agent is no true or false.',
    why: 'It is the only bound that Cursor has for an agent; a text such as "yes" may be read as not set.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\nreadonly: "yes"\n---\nRead the diff first.\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\nreadonly: true\n---\nRead the diff first.\n',
    fix: 'Write readonly: true or readonly: false.',
  },
  check: forAgents(check, 'cursor'),
};

function check({ data }: AgentFile): readonly Report[] {
  const value = data?.at('/readonly');
  if (data === null || value === undefined || typeof value === 'boolean') return [];
  return [{ at: data.valueSpan('/readonly'), message: `readonly has to be true or false, not ${shown(value)}.` }];
}
