/** Whether the name of a tool is one that a dialect's runner has, and what else it may have been meant for. */
import type { Dialect } from '../agent/agent.js';
import { toolOfEntry } from '../agent/tool-list.js';
import { canonicalTools, describeTool, runnerTools } from '../call/catalogue.js';
import { RUNNERS, type RunnerId } from '../call/tool-call.js';
import { toolsCovered } from '../rule/tool-coverage.js';
import type { Suggest } from './suggest.js';

/** What is known of an entry of a tool list. */
export type ToolStanding =
  | { readonly known: true }
  /** `foreign`: a tool of that name exists elsewhere; `suggestion` is what to write here. */
  | { readonly known: false; readonly foreign: boolean; readonly suggestion: string | null };

const KNOWN: ToolStanding = { known: true };

/**
 * @param declared names of tools that policies and definitions declare
 * @param suggest finds the name that was meant
 */
export function toolStanding(entry: string, dialect: Dialect, declared: ReadonlySet<string>, suggest: Suggest): ToolStanding {
  const tool = toolOfEntry(entry);
  if (tool === '' || tool === '*' || tool.startsWith('mcp__') || declared.has(tool)) return KNOWN;
  if (dialect === 'claude-code') return claudeTool(tool, suggest);
  if (tool.includes('*'))
    return canonicalTools().some(({ name }) => toolsCovered(tool, 'deny')(name)) ? KNOWN : unknown(tool, everyName(), suggest);
  if (describeTool(tool, dialect === 'agent-code' ? 'agent-code' : undefined).known || describeTool(tool).known) return KNOWN;
  return unknown(tool, dialect === 'agent-code' ? namesOf('agent-code') : everyName(), suggest);
}

/** Claude Code compares names with case, and knows the names of older versions. */
function claudeTool(tool: string, suggest: Suggest): ToolStanding {
  const names = namesOf('claude-code');
  if (names.includes(tool)) return KNOWN;
  const described = describeTool(tool);
  if (!described.known) return unknown(tool, names, suggest);
  return { known: false, foreign: true, suggestion: names.includes(described.canonical) ? described.canonical : null };
}

function unknown(tool: string, names: readonly string[], suggest: Suggest): ToolStanding {
  return { known: false, foreign: false, suggestion: suggest(tool, names) };
}

/** Names that Claude Code once had and that give an agent nothing any more, with what to write instead. */
export function retiredTool(tool: string): { readonly instead: string | null } | null {
  if (!RETIRED.has(tool)) return null;
  return { instead: RETIRED.get(tool) ?? null };
}

const RETIRED: ReadonlyMap<string, string | null> = new Map([
  ['LS', 'Glob'],
  ['MultiEdit', 'Edit'],
  ['NotebookRead', 'Read'],
  ['TodoRead', null],
  ['Task', 'Agent'],
  ['KillBash', 'TaskStop'],
  ['KillShell', 'TaskStop'],
  ['BashOutput', 'TaskOutput'],
]);

function namesOf(runner: RunnerId): readonly string[] {
  return runnerTools(runner).map(({ name }) => name);
}

function everyName(): readonly string[] {
  names ??= [...canonicalTools().map(({ name }) => name), ...RUNNERS.flatMap(namesOf)];
  return names;
}

let names: readonly string[] | null = null;
