import { describeTool } from '../../../call/catalogue.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { listedTools } from '../../../lint/project/project.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';

export const copilotUnknownTools: LintRule = {
  id: 'copilot/unknown-tools',
  severity: 'info',
  confidence: 'medium',
  docs: {
    what: 'No name in the tool list of a Copilot agent is one that Copilot CLI has.',
    why: 'Copilot leaves out names that it does not know. Those of VS Code (codebase, editFiles) work there, and give the agent nothing in the terminal.',
    bad: '---\ndescription: Reviews changes.\ntools: [codebase, usages]\n---\nRead the diff first.\n',
    good: '---\ndescription: Reviews changes.\ntools: [read, search, codebase]\n---\nRead the diff first.\n',
    fix: 'Add the words that every Copilot knows: read, edit, search, execute, agent, web, todo.',
  },
  check: forAgents(check, 'copilot-cli'),
};

const WORDS = new Set(['execute', 'shell', 'read', 'edit', 'search', 'agent', 'custom-agent', 'web', 'todo', '*']);

function check(agent: AgentFile): readonly Report[] {
  if (agent.data === null) return [];
  const entries = listedTools(agent);
  const isKnown = (text: string) =>
    WORDS.has(text.toLowerCase()) || text.includes('/') || describeTool(text, 'copilot-cli').known || describeTool(text).known;
  if (entries.length === 0 || entries.some(({ text }) => isKnown(text))) return [];
  return [{ at: agent.data.keySpan('/tools'), message: 'Copilot CLI has none of these tools; they are those of an editor.' }];
}
