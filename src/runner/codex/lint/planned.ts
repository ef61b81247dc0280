import { describeTool } from '../../../call/catalogue.js';
import { reportTogether } from '../../../lint/agents/several.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { listedTools } from '../../../lint/project/project.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const plannedTool: LintRule = {
  id: 'tools/planned',
  severity: 'warning',
  docs: {
    what: 'A tool is listed that a design document names and that Codex does not serve.',
    why: 'The agent cannot call it: Codex 0.47 exposes no such tool, only `policy mcp serve` does. Should Codex get it, it is granted at once, whatever it then does.',
    bad: 'tools:\n  mcp: [codex_read_file, codex_write_file]\n',
    good: 'tools:\n  mcp: [codex_read_file, codex_apply_patch]\n',
    fix: 'Leave it out, unless the agent has its tools from `policy mcp serve`; codex_apply_patch changes files.',
    source: 'the original document on MCP tools for subagents of Codex, phase 1',
    verifiedOn: 'Codex 0.47 (its list of tools)',
    runners: ['codex'],
  },
  check: forAgents(check),
};

/** One finding per agent. */
function check(agent: AgentFile): readonly Report[] {
  const planned = listedTools(agent).filter(({ text }) => describeTool(text).status === 'planned');
  const report = reportTogether(
    planned,
    ({ text }) => `${shown(text)} is planned and not exposed by Codex 0.47.`,
    (_, list) => `These tools are planned and not exposed by Codex 0.47: ${list}.`,
  );
  return report === null ? [] : [report];
}
