/** Definitions without a list of tools, and what their runners make of that. */
import { type AgentFormat, formatTraits } from '../../agent/format.js';
import type { AgentFile } from '../files/files.js';
import { toolsPointer } from '../project/project.js';
import type { LocatedText } from '../text/located-text.js';
import { misspeltTools } from '../text/tool-keys.js';

/** True where a format has a list of tools and this file has none, nor one under a misspelt key. */
export function listsNoTools(agent: AgentFile, data: LocatedText): boolean {
  const pointer = toolsPointer(agent);
  if (pointer === '' || data.at(pointer) !== undefined || agent.definition.tools.state === 'listed') return false;
  // Tools that the definition's own allow and ask rules name count as listed.
  if (agent.rules.some(({ rule }) => rule.effect !== 'deny')) return false;
  return !data.keys.some((key) => misspeltTools(agent.format, key) !== null);
}

/** Runners give an agent without a list every tool; in the original formats it has none. */
export function hasToolsWithoutList(format: AgentFormat): boolean {
  return formatTraits(format).withoutList !== 'none';
}
