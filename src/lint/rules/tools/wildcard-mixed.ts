import type { AgentFile } from '../../files/files.js';
import { listedTools } from '../../project/project.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

export const wildcardMixed: LintRule = {
  id: 'tools/wildcard-mixed',
  severity: 'warning',
  docs: {
    what: 'A list names tools beside a * that stands for all of them.',
    why: 'The agent has every tool; the names beside the wildcard only look like a restriction.',
    bad: 'tools: ["*", Read]\n',
    good: 'tools: [Read]\n',
    fix: 'Remove the *, or everything but the *.',
  },
  check: forAgents(check),
};

/** `mcp_*` beside names covers only part of the tools, and is not this mistake. */
function check(agent: AgentFile): readonly Report[] {
  const entries = listedTools(agent);
  const star = entries.find(({ text }) => text === '*');
  if (star === undefined || entries.every(({ text }) => text === '*')) return [];
  return [{ at: star.span, message: 'This * stands for every tool, so the names beside it restrict nothing.' }];
}
