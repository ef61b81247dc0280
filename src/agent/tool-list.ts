/** Tool lists: absent, empty and listed have three different meanings. */
import { describeTool } from '../call/catalogue.js';
import type { Policy } from '../policy/policy.js';
import { toolsCovered } from '../rule/pattern/tool-coverage.js';
import { type Dialect, type ToolList, traitsOfDialect } from './agent.js';

const ABSENT: ToolList = { state: 'absent' };
const EMPTY: ToolList = { state: 'empty' };

/** Returns the state of a list of entries, without duplicates; null means that the key is absent. */
export function toolListOf(entries: readonly string[] | null): ToolList {
  if (entries === null) return ABSENT;
  const tools = [...new Set(entries.map((entry) => entry.trim()))].filter((entry) => entry !== '');
  return tools.length === 0 ? EMPTY : { state: 'listed', tools };
}

/** What a definition without a list may use: everything that its parent may, or nothing. */
export function absentToolsMean(dialect: Dialect, missingTools: Policy['agents']['missingTools']): 'inherit' | 'empty' {
  if (missingTools !== 'dialect') return missingTools === 'inherit' ? 'inherit' : 'empty';
  return traitsOfDialect(dialect).inherits ? 'inherit' : 'empty';
}

/** Returns the tool of an entry: `Bash` for `Bash(git:*)`. */
export function toolOfEntry(entry: string): string {
  const open = entry.indexOf('(');
  return (open < 0 ? entry : entry.slice(0, open)).trim();
}

/** False for an entry with an unclosed parenthesis, which names no tool for Claude Code. */
export function isWholeEntry(entry: string): boolean {
  return entry.includes('(') === entry.endsWith(')');
}

/** Returns the tools in both lists; an absent list leaves the other one unchanged. */
export function meetToolLists(left: ToolList, right: ToolList): ToolList {
  if (left.state === 'absent') return right;
  if (right.state === 'absent') return left;
  if (left.state === 'empty' || right.state === 'empty') return EMPTY;
  return toolListOf(meetTools(left.tools, right.tools));
}

/** Returns the entries of either list that the other one covers; of two that cover each other, the narrower one. */
export function meetTools(left: readonly string[], right: readonly string[]): string[] {
  return [...left.filter((entry) => coveredBy(right, entry)), ...right.filter((entry) => coveredBy(left, entry))].filter(
    (entry, index, all) => all.indexOf(entry) === index,
  );
}

/** True if an entry of `list` covers at least what `entry` covers. */
function coveredBy(list: readonly string[], entry: string): boolean {
  if (list.includes(entry)) return true;
  const tool = toolOfEntry(entry);
  return list.some((other) => {
    // An entry with a pattern covers only itself; a glob is covered only by a total entry or by itself.
    if (other.includes('(')) return false;
    if (other === '*') return true;
    return !tool.includes('*') && toolsCovered(other, 'allow')(describeTool(tool).canonical);
  });
}
