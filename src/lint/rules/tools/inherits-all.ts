import { claimsReadOnly } from '../../agents/read-only-claim.js';
import { hasToolsWithoutList, listsNoTools } from '../../agents/unlisted.js';
import type { AgentFile } from '../../files/files.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

export const inheritsAll: LintRule = {
  id: 'tools/inherits-all',
  severity: 'info',
  persona: 'auditor',
  docs: {
    what: 'An agent lists no tools and so has every tool of the session.',
    why: 'That is how runners read a missing list, and often what is meant; an audit wants to know which agents can do everything.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\n---\nRead the diff first.\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read, Grep\n---\nRead the diff first.\n',
    fix: 'List the tools that the agent needs.',
  },
  check: forAgents(check),
};

/** An agent that claims only to read is reported by tools/absent. */
function check(agent: AgentFile): readonly Report[] {
  const { format, data, definition, source } = agent;
  if (data === null || !hasToolsWithoutList(format) || !listsNoTools(agent, data) || claimsReadOnly(definition)) return [];
  const at = data.keys.includes('name') ? data.keySpan('/name') : source.lineSpan(1);
  return [{ at, message: 'There is no `tools`, so this agent has every tool of the session.' }];
}
