import { reportTogether } from '../../../lint/agents/several.js';
import { retiredTool } from '../../../lint/claude-rules/known-tools.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { listedTools } from '../../../lint/project/project.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const legacyName: LintRule = {
  id: 'tools/legacy-name',
  severity: 'info',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'An entry names a tool that Claude Code has renamed or removed.',
    why: 'Some old names still work and some grant nothing; new versions drop more of them.',
    bad: 'tools: Read, MultiEdit\n',
    good: 'tools: Read, Edit\n',
    fix: 'Write the name that the tool has today.',
  },
  check: forAgents(check),
};

function check(agent: AgentFile): readonly Report[] {
  if (agent.format !== 'claude-code') return [];
  const mistakes = listedTools(agent).flatMap((item) => {
    const retired = retiredTool(item.text);
    return retired === null ? [] : [{ ...item, note: retired.instead === null ? 'it is gone' : `today ${retired.instead}` }];
  });
  const report = reportTogether(
    mistakes,
    ({ text, note }) => `${shown(text)} is an old name; ${note?.replace(/^today/, 'today it is') ?? ''}.`,
    (count, list) => `${count} are old names: ${list}.`,
  );
  return report === null ? [] : [report];
}
