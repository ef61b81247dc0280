import { toolOfEntry } from '../../../agent/tool-list.js';
import { canonicalTools, describeTool } from '../../../call/catalogue.js';
import { shown } from '../../../policy/sentences.js';
import { toolsCovered } from '../../../rule/pattern/tool-coverage.js';
import type { AgentFile } from '../../files/files.js';
import { listedTools, toolsPointer } from '../../project/project.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';
import { MOST_COMPARED } from '../../project/rule-coverage.js';

export const unlistedTool: LintRule = {
  id: 'rules/unlisted-tool',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'A definition has a rule for a tool that its own list leaves out.',
    why: 'List and rules disagree. An allow or ask rule counts as listing the tool, so the agent has more than the list says; a deny rule for it does nothing.',
    bad: 'include_tools: [Grep]\nask: ["Bash(git *)"]\n',
    good: 'include_tools: [Grep, Bash]\nask: ["Bash(git *)"]\n',
    fix: 'Add the tool to the list, or remove the rule.',
  },
  check: forAgents(check),
};

/** Design "Agents and their tools": the sample of seed 003. */
function check(agent: AgentFile): readonly Report[] {
  if (agent.rules.length === 0) return [];
  const listed = listedTools(agent).map(({ text }) => toolOfEntry(text));
  if (listed.length === 0 || listed.includes('*')) return [];
  const covers = listed.map((tool) => toolsCovered(tool, 'allow'));
  const key = toolsPointer(agent).slice(1).replace('/', '.');
  return agent.rules.slice(0, MOST_COMPARED).flatMap(({ rule, span }): Report[] => {
    const named = rule.tool.includes('*')
      ? canonicalTools()
          .map(({ name }) => name)
          .filter(toolsCovered(rule.tool, rule.effect))
      : [describeTool(rule.tool).canonical];
    if (named.some((name) => covers.some((cover) => cover(name)))) return [];
    if (rule.effect === 'deny')
      return [{ at: span, message: `${shown(rule.text)} denies a tool that \`${key}\` does not list anyway.`, severity: 'info' }];
    return [{ at: span, message: `${shown(rule.text)} gives the agent a tool that \`${key}\` does not list.` }];
  });
}
