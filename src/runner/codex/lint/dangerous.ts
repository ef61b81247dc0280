import { canonicalTools, describeTool } from '../../../call/catalogue.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { listedTools } from '../../../lint/project/project.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';
import { toolsCovered } from '../../../rule/pattern/tool-coverage.js';

export const dangerousTool: LintRule = {
  id: 'tools/dangerous',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'A definition of a Codex format grants a tool of the dangerous tier.',
    why: 'Such a tool runs commands or changes what other tools may do; the original design wants it reviewed. A wildcard that reaches one was probably not meant.',
    bad: 'tools:\n  mcp: [codex_*]\n',
    good: 'tools:\n  mcp: [codex_read_file, codex_grep]\n',
    fix: 'List the tools that the agent needs one by one, and have the dangerous ones reviewed.',
  },
  check: forAgents(check),
};

/** A wildcard that covers a dangerous tool is an error, its name a warning. */
function check(agent: AgentFile): readonly Report[] {
  if (!agent.format.startsWith('codex')) return [];
  return listedTools(agent).flatMap(({ text, span }): Report[] => {
    if (text.includes('*')) {
      const reaches = toolsCovered(text, 'deny');
      const dangerous = canonicalTools().filter(({ name, tier }) => tier === 'dangerous' && reaches(name));
      if (dangerous.length === 0) return [];
      const names = dangerous.map(({ name }) => name).join(', ');
      return [{ at: span, message: `${shown(text)} reaches dangerous tools: ${names}.`, severity: 'error' }];
    }
    const { known, tier } = describeTool(text);
    return known && tier === 'dangerous' ? [{ at: span, message: `${shown(text)} is a dangerous tool.` }] : [];
  });
}
