import { reportTogether } from '../../../lint/agents/several.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { listedTools } from '../../../lint/project/project.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

/** Tools that no subagent gets, whatever its definition lists (docs: subagents, 2.1.240). */
const WITHHELD = new Set(
  'AskUserQuestion EnterPlanMode ExitPlanMode ScheduleWakeup Workflow EndConversation WaitForMcpServers'.split(' '),
);

export const unavailableToSubagents: LintRule = {
  id: 'tools/unavailable-to-subagents',
  severity: 'info',
  confidence: 'medium',
  docs: {
    what: 'A Claude Code agent lists tools that no subagent is given.',
    why: 'They talk to the person or steer the session, so only an agent that runs as the main one (claude --agent NAME) has them.',
    bad: 'tools: Read, AskUserQuestion\n',
    good: 'tools: Read\n',
    fix: 'Remove the entry, unless the agent is meant to run as the main one.',
  },
  check: forAgents(check, 'claude-code'),
};

function check(agent: AgentFile): readonly Report[] {
  const report = reportTogether(
    listedTools(agent).filter(({ text }) => WITHHELD.has(text)),
    ({ text }) => `Subagents are never given ${shown(text)}.`,
    (_, list) => `Subagents are never given these tools: ${list}.`,
  );
  return report === null ? [] : [report];
}
