import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const cursorToolsIgnored: LintRule = {
  id: 'cursor/tools-ignored',
  severity: 'warning',
  confidence: 'medium',
  persona: 'reviewer',
  docs: {
    what: 'A Cursor agent lists tools, and Cursor has no such list.',
    why: 'A subagent of Cursor has the tools of the agent that starts it (cursor.com/docs, subagents); only readonly bounds it.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\ntools: [Read]\n---\nRead the diff first.\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\nreadonly: true\n---\nRead the diff first.\n',
    fix: 'Write readonly: true for an agent that must change nothing, and remove the list.',
  },
  check: forAgents(check, 'cursor'),
};

function check({ data }: AgentFile): readonly Report[] {
  if (data === null) return [];
  const key = data.keys.find((one) => /^(?:tools|allowed-?tools|disallowed-?tools)$/i.test(one));
  if (key === undefined) return [];
  return [{ at: data.keySpan(`/${key}`), message: `Cursor does not read ${shown(key)}, so this agent is not held to it.` }];
}
