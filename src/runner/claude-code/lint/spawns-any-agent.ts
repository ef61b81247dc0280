import type { AgentFile } from '../../../lint/files/files.js';
import { listedTools } from '../../../lint/project/project.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const spawnsAnyAgent: LintRule = {
  id: 'tools/spawns-any-agent',
  severity: 'info',
  persona: 'auditor',
  docs: {
    what: 'An agent with a list of tools may start every other agent.',
    why: 'The other agents may have tools that this list leaves out, so the list bounds less than it says.',
    bad: 'tools: Read, Agent\n',
    good: 'tools: Read, Agent(test-runner)\n',
    fix: 'Name the agents that it needs: Agent(NAME). Claude Code heeds that for an agent that runs as the main one.',
  },
  check: forAgents(check, 'claude-code'),
};

function check(agent: AgentFile): readonly Report[] {
  const entry = listedTools(agent).find(({ text }) => text === 'Agent' || text === 'Task');
  if (entry === undefined) return [];
  return [
    { at: entry.span, message: `With ${shown(entry.text)} this agent may start every other agent, with the tools of that.` },
  ];
}
