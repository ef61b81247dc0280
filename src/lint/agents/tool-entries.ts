/** Entries of an agent's tool lists that grant it nothing, and whether any other entry is left. */
import { formatTraits } from '../../agent/format.js';
import { isWholeEntry } from '../../agent/tool-list.js';
import { DROPPED_TOOLS, type ToolStanding, toolStanding } from '../claude-rules/known-tools.js';
import type { AgentFile } from '../files/files.js';
import { excludedTools, type LintProject, listedTools } from '../project/project.js';
import type { LocatedItem } from '../text/located-text.js';
import { type Suggest, suggester } from '../text/suggest.js';

export interface UselessEntry {
  readonly item: LocatedItem;
  readonly standing: Extract<ToolStanding, { readonly known: false }>;
}

/** Chains, custom tools and wrong separators have rules of their own. A template's placeholder is filled in later. */
const ELSEWHERE = /\u2192|->|_custom:|;|\{\{.*\}\}|\$\{\w+\}|<%.*%>/;

/** Returns entries that do not name a tool of the agent's runner. */
export function uselessEntries(agent: AgentFile, { declaredTools }: LintProject, suggest: Suggest = suggester()): UselessEntry[] {
  return [...listedTools(agent), ...excludedTools(agent)].flatMap((item) => {
    if (ELSEWHERE.test(item.text)) return [];
    const standing = toolStanding(item.text, agent.format, declaredTools, suggest);
    return standing.known ? [] : [{ item, standing }];
  });
}

/** True for an agent whose list of tools is there and gives it none at all, where its runner compares names with case. */
export function hasNoToolLeft(agent: AgentFile, { declaredTools }: LintProject): boolean {
  const { format, data } = agent;
  if (formatTraits(format).toolNames !== 'cased' || data === null || !data.keys.includes('tools')) return false;
  return !listedTools(agent).some(({ text }) => {
    const tool = text.replace(/;$/, '');
    if (!isWholeEntry(tool)) return false;
    return tool === '*' || (!DROPPED_TOOLS.has(tool) && toolStanding(tool, format, declaredTools, () => null).known);
  });
}
