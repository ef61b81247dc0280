import { runnerAgents } from '../../../call/catalogue.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const shadowsBuiltin: LintRule = {
  id: 'naming/shadows-builtin',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'A definition has the name of an agent that the runner ships.',
    why: 'It takes the place of the built-in agent without a message: everything that calls Explore or general-purpose now runs this text.',
    bad: '---\nname: Explore\ndescription: Finds code.\n---\n',
    good: '---\nname: code-finder\ndescription: Finds code.\n---\n',
    fix: 'Choose another name, or say in the description that the built-in agent is replaced.',
  },
  check: forAgents(check),
};

function check({ format, data }: AgentFile): readonly Report[] {
  const name = data?.at('/name');
  if (data === null || format !== 'claude-code' || !runnerAgents('claude-code').some((agent) => agent.name === name)) return [];
  return [
    { at: data.valueSpan('/name'), message: `${shown(name)} is an agent of Claude Code itself; this definition replaces it.` },
  ];
}
