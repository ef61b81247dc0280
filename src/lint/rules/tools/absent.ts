/** tools/absent: a definition lists no tools. */
import type { AgentFile } from '../../files.js';
import { toolsPointer } from '../../project.js';
import { claimsReadOnly } from '../../read-only-claim.js';
import { forAgents, type LintRule, type Report } from '../../rule.js';
import { misspeltTools } from '../../tool-keys.js';

export const absentTools: LintRule = {
  id: 'tools/absent',
  severity: 'info',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'A definition lists no tools.',
    why: 'What that means differs: a Claude Code agent gets every tool, one of the original formats gets none. Listing them says what was meant.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read, Grep\n---\nRead the diff first.\n',
    fix: 'List the tools that the agent needs.',
  },
  check: forAgents(check),
};

function check(agent: AgentFile): readonly Report[] {
  const { dialect, data, source, definition } = agent;
  if (data === null || data.at(toolsPointer(agent)) !== undefined || definition.tools.state === 'listed') return [];
  // Tools that the definition's own allow and ask rules name count as listed.
  if (agent.rules.some(({ rule }) => rule.effect !== 'deny')) return [];
  if (data.keys.some((key) => misspeltTools(dialect, key) !== null)) return [];
  const at = data.keys.includes('name') ? data.keySpan('/name') : source.lineSpan(1);
  if (dialect !== 'claude-code') {
    const key = toolsPointer(agent).slice(1).replace('/', '.');
    const granted = dialect === 'codex-yaml' && definition.capabilities !== null && hasOther(definition.capabilities);
    return granted ? [] : [{ at, message: `There is no \`${key}\`, so this agent has no tool.`, severity: 'warning' }];
  }
  if (!claimsReadOnly(definition)) return [{ at, message: 'There is no `tools`, so this agent has every tool of the session.' }];
  const message =
    'There is no `tools`, so this agent has every tool of the session, although its description says that it only reads.';
  return [{ at, message, severity: 'warning' }];
}

/** Files, addresses or programs are granted without naming a tool. */
function hasOther({ read, write, net, shell }: NonNullable<AgentFile['definition']['capabilities']>): boolean {
  const granted = (what: boolean | readonly string[]) => what === true || (Array.isArray(what) && what.length > 0);
  return granted(read) || granted(write) || net.length > 0 || shell.length > 0;
}
