/** tools/resolves-to-nothing: a Claude Code agent lists tools in a way that gives it none. */
import type { AgentFile } from '../../files.js';
import { toolStanding } from '../../known-tools.js';
import { type LintProject, listedTools } from '../../project.js';
import { forAgents, type LintRule, type Report } from '../../rule.js';

export const resolvesToNothing: LintRule = {
  id: 'tools/resolves-to-nothing',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A Claude Code agent lists tools in a way that gives it none.',
    why: 'A map, an empty list or only unknown names: Claude Code shows such an agent with "All tools" and gives it none.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\ntools: {read: true}\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read\n---\n',
    fix: 'List tools by their names (tools: Read, Grep), or remove the key if the agent may have every tool.',
  },
  check: forAgents(check),
};

function check(agent: AgentFile, project: LintProject): readonly Report[] {
  const { dialect, data } = agent;
  if (dialect !== 'claude-code' || data === null || !data.keys.includes('tools')) return [];
  const entries = listedTools(agent);
  const declared = project.declaredTools;
  const usable = entries.filter(
    ({ text }) => text === '*' || toolStanding(text.replace(/;$/, ''), dialect, declared, () => null).known,
  );
  if (usable.length > 0) return [];
  const why = entries.length === 0 ? 'names no tool' : 'names only tools that Claude Code does not have';
  return [{ at: data.keySpan('/tools'), message: `This list ${why}, so the agent has none.` }];
}
