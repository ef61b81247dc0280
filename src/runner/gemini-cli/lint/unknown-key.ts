import { reportTogether } from '../../../lint/agents/several.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const geminiUnknownKey: LintRule = {
  id: 'gemini/unknown-key',
  severity: 'error',
  docs: {
    what: 'A Gemini CLI agent has a field that Gemini CLI does not know.',
    why: 'Gemini CLI checks the fields strictly: one that it does not know, and the file is not loaded (verified with 0.61).',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\ncolor: blue\n---\nRead the diff first.\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\nmodel: gemini-2.5-pro\n---\nRead the diff first.\n',
    fix: 'Remove the field; Gemini CLI takes name, description, kind, display_name, tools, mcp_servers, model, temperature, max_turns and timeout_mins.',
  },
  check: forAgents(check, 'gemini-cli'),
};

/** Keys of agents that run locally and of those that run elsewhere (`kind: remote`). */
const KNOWN = new Set([
  ...['name', 'description', 'kind', 'display_name', 'tools', 'mcp_servers', 'mcpServers', 'model', 'temperature'],
  ...['max_turns', 'timeout_mins'],
]);

function check({ data }: AgentFile): readonly Report[] {
  if (data === null || data.at('/kind') === 'remote') return [];
  const unknown = data.keys
    .filter((key) => !KNOWN.has(key))
    .map((key) => ({ text: key, span: data.keySpan(`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`) }));
  const report = reportTogether(
    unknown,
    ({ text }) => `Gemini CLI knows no field ${shown(text)} and does not load this agent.`,
    (_, list) => `Gemini CLI does not know these fields and does not load this agent: ${list}.`,
  );
  return report === null ? [] : [report];
}
