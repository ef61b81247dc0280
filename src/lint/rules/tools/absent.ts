import { claimsReadOnly } from '../../agents/read-only-claim.js';
import { hasToolsWithoutList, listsNoTools } from '../../agents/unlisted.js';
import type { AgentFile } from '../../files/files.js';
import { toolsPointer } from '../../project/project.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

export const absentTools: LintRule = {
  id: 'tools/absent',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'An agent definition lists no tools, which is probably a mistake.',
    why: 'Without a list, an agent in Markdown or YAML under `.codex/agents`, or one under `.agent/agents`, has no tool at all. An agent of Claude Code and other runners has every tool, even when its description says that it only reads.',
    bad: '---\nname: reviewer\ndescription: Read-only reviewer.\n---\nRead the diff first.\n',
    good: '---\nname: reviewer\ndescription: Read-only reviewer.\ntools: Read, Grep\n---\nRead the diff first.\n',
    fix: 'List the tools that the agent needs.',
  },
  check: forAgents(check),
};

function check(agent: AgentFile): readonly Report[] {
  const { format, data, source, definition } = agent;
  if (data === null || !listsNoTools(agent, data)) return [];
  const at = data.keys.includes('name') ? data.keySpan('/name') : source.lineSpan(1);
  if (hasToolsWithoutList(format)) {
    if (!claimsReadOnly(definition)) return [];
    const key = toolsPointer(agent).slice(1);
    const message = `There is no \`${key}\`, so this agent has every tool of the session, although its description says that it only reads.`;
    // A prompt that is pasted somewhere grants nothing.
    return [{ at, message, ...(agent.guessed && { severity: 'info', persona: 'auditor' }) }];
  }
  const key = toolsPointer(agent).slice(1).replace('/', '.');
  const granted = format === 'codex-yaml' && definition.capabilities !== null && hasOther(definition.capabilities);
  return granted ? [] : [{ at, message: `There is no \`${key}\`, so this agent has no tool.` }];
}

/** Whether files, addresses or programs are granted without naming a tool. */
function hasOther({ read, write, net, shell }: NonNullable<AgentFile['definition']['capabilities']>): boolean {
  const granted = (what: boolean | readonly string[]) => what === true || (Array.isArray(what) && what.length > 0);
  return granted(read) || granted(write) || net.length > 0 || shell.length > 0;
}
