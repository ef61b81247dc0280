/** Whether a tool name exists in the runner of a format, and what else it may have been meant for. */
import { type AgentFormat, formatTraits, runnerOfFormat } from '../../agent/format.js';
import { toolOfEntry } from '../../agent/tool-list.js';
import { canonicalTools, describeTool, runnerTools } from '../../call/catalogue.js';
import { RUNNERS, type RunnerId } from '../../call/tool-call.js';
import { toolsCovered } from '../../rule/pattern/tool-coverage.js';
import type { Suggest } from '../text/suggest.js';
import { knownPrograms } from './programs.js';

/** The known facts about an entry of a tool list. */
export type ToolStanding =
  | { readonly known: true }
  /** `foreign`: a tool of that name exists elsewhere; `suggestion`: the name to write here. */
  | { readonly known: false; readonly foreign: boolean; readonly suggestion: string | null };

const KNOWN: ToolStanding = { known: true };

/**
 * @param declared names of tools that policies and definitions declare
 * @param suggest finds the intended name
 */
export function toolStanding(entry: string, format: AgentFormat, declared: ReadonlySet<string>, suggest: Suggest): ToolStanding {
  const tool = toolOfEntry(entry);
  if (tool === '' || tool === '*' || tool.startsWith('mcp__') || declared.has(tool)) return KNOWN;
  const { toolNames } = formatTraits(format);
  const runner = runnerOfFormat(format);
  if (toolNames === 'cased') return casedTool(tool, runner, suggest);
  if (toolNames === 'own') return ownTool(tool, runner, suggest);
  if (toolNames === 'any') return KNOWN;
  // The original documents list programs, and each of these lets the agent ask for that program (src/decide/stages/agent.ts).
  if (toolNames === 'programs' && knownPrograms().has(tool)) return KNOWN;
  if (tool.includes('*'))
    return canonicalTools().some(({ name }) => toolsCovered(tool, 'deny')(name)) ? KNOWN : unknown(tool, everyName(), suggest);
  if ((toolNames === 'known' && describeTool(tool, runner).known) || describeTool(tool).known) return KNOWN;
  return unknown(tool, toolNames === 'known' ? namesOf(runner) : everyName(), suggest);
}

/** Runners that take their own names only, and `mcp_SERVER_*`. */
function ownTool(tool: string, runner: RunnerId, suggest: Suggest): ToolStanding {
  const names = namesOf(runner);
  if (names.includes(tool) || tool.startsWith('mcp_')) return KNOWN;
  const described = describeTool(tool);
  if (!described.known) return unknown(tool, names, suggest);
  const own = names.find((name) => describeTool(name, runner).canonical === described.canonical);
  return { known: false, foreign: true, suggestion: own ?? null };
}

/** Names are compared with case, and those of older versions are known. */
function casedTool(tool: string, runner: RunnerId, suggest: Suggest): ToolStanding {
  const names = namesOf(runner);
  if (names.includes(tool)) return KNOWN;
  const sameName = names.find((name) => name.toLowerCase() === tool.toLowerCase());
  if (sameName !== undefined) return { known: false, foreign: false, suggestion: sameName };
  if (isEditorTool(tool)) return { known: false, foreign: true, suggestion: null };
  const described = describeTool(tool);
  if (!described.known) return unknown(tool, names, suggest);
  const today = retiredTool(described.canonical)?.instead ?? described.canonical;
  return { known: false, foreign: true, suggestion: names.includes(today) ? today : null };
}

/** Tools of VS Code that Copilot agents name: `codebase`, and everything of the form `set/tool` or `server/*`. */
function isEditorTool(tool: string): boolean {
  return EDITOR_TOOLS.has(tool) || /^[\w.-]+\/[\w.*-]+$/.test(tool);
}

const EDITOR_TOOLS: ReadonlySet<string> = new Set([
  ...['codebase', 'search', 'searchResults', 'usages', 'problems', 'changes', 'fetch', 'githubRepo', 'editFiles', 'edit'],
  ...['runCommands', 'runInTerminal', 'terminalLastCommand', 'terminalSelection', 'runTasks', 'runTests', 'testFailure'],
  ...['findTestFiles', 'extensions', 'vscodeAPI', 'openSimpleBrowser', 'new', 'todos', 'todo', 'think', 'execute', 'vscode'],
  ...['web', 'custom-agent', 'runSubagent', 'runNotebooks', 'createFile', 'createDirectory', 'readFile', 'listDirectory'],
  ...['textSearch', 'fileSearch', 'getTerminalOutput', 'microsoft.docs.mcp', 'github', 'playwright'],
]);

function unknown(tool: string, names: readonly string[], suggest: Suggest): ToolStanding {
  return { known: false, foreign: false, suggestion: suggest(tool, names) };
}

/** Returns, for a former name in Claude Code that no longer grants anything, the name to write instead. */
export function retiredTool(tool: string): { readonly instead: string | null } | null {
  if (!RETIRED.has(tool)) return null;
  return { instead: RETIRED.get(tool) ?? null };
}

/** Former names that grant an agent nothing: Claude Code ignores them (2.1.197, 2.1.329). */
export const DROPPED_TOOLS: ReadonlySet<string> = new Set(['LS', 'MultiEdit', 'NotebookRead', 'TodoRead']);

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
  const known = namesByRunner.get(runner) ?? runnerTools(runner).map(({ name }) => name);
  namesByRunner.set(runner, known);
  return known;
}

const namesByRunner = new Map<RunnerId, readonly string[]>();

function everyName(): readonly string[] {
  names ??= [...canonicalTools().map(({ name }) => name), ...RUNNERS.flatMap(namesOf)];
  return names;
}

let names: readonly string[] | null = null;
