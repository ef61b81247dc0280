/** Definitions without a tool list, and how their runners treat them. */
import { type AgentFormat, formatTraits } from '../../agent/format.js';
import type { AgentFile } from '../files/files.js';
import { toolsPointer } from '../project/project.js';
import type { LocatedText } from '../text/located-text.js';
import { misspeltTools } from '../text/tool-keys.js';

/** True if a format has a tool list and this file has none, not even under a misspelled key. */
export function listsNoTools(agent: AgentFile, data: LocatedText): boolean {
  const pointer = toolsPointer(agent);
  if (pointer === '' || data.at(pointer) !== undefined || agent.definition.tools.state === 'listed') return false;
  // Tools named by the definition's own allow and ask rules are treated as listed.
  if (agent.rules.some(({ rule }) => rule.effect !== 'deny')) return false;
  return !data.keys.some((key) => misspeltTools(agent.format, key) !== null);
}

/** Runners give every tool to an agent without a list; in the original formats it has none. */
export function hasToolsWithoutList(format: AgentFormat): boolean {
  return formatTraits(format).withoutList !== 'none';
}
