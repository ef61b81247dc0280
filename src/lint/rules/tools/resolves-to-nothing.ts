import { isWholeEntry } from '../../../agent/tool-list.js';
import { hasNoToolLeft } from '../../agents/tool-entries.js';
import type { AgentFile } from '../../files/files.js';
import { type LintProject, listedTools } from '../../project/project.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

export const resolvesToNothing: LintRule = {
  id: 'tools/resolves-to-nothing',
  severity: 'error',
  docs: {
    what: 'A Claude Code agent lists tools in a way that gives it none.',
    why: 'A map, an empty list or only unknown names: Claude Code shows such an agent with "All tools" and gives it none.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\ntools: {read: true}\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read\n---\n',
    fix: 'List tools by their names (tools: Read, Grep), or remove the key if the agent may have every tool.',
  },
  check: forAgents(check),
};

/** If it is only guessed that Claude Code reads the file, the names may belong to the runner that really does. */
function check(agent: AgentFile, project: LintProject): readonly Report[] {
  const { data, guessed } = agent;
  if (data === null || !hasNoToolLeft(agent, project)) return [];
  const entries = listedTools(agent);
  const broken = entries.some(({ text }) => !isWholeEntry(text));
  const others = broken ? 'has a parenthesis that is not closed' : 'names only tools that Claude Code does not have';
  const why = entries.length === 0 ? 'names no tool' : others;
  const message = `This list ${why}, so the agent has none.`;
  return [{ at: data.keySpan('/tools'), message, ...(guessed ? { severity: 'info' as const } : {}) }];
}
