/** The tools that rules of Claude Code can name. Compared case-sensitively (2.1.197 and 2.1.329). */
import { runnerTools } from '../../call/catalogue.js';

/** Tools of other versions, and names that exist only in rules. */
const OTHER_VERSIONS =
  'AgentOutputTool Cd Config MCPSearch NotebookRead REPL Sleep SlashCommand TaskOutput TeamCreate TeamDelete ListMcpResources ReadMcpResource ReadMcpResourceDir'.split(
    ' ',
  );

let names: ReadonlySet<string> | null = null;

/** Returns every name that a rule can use, including older ones. */
export function claudeToolNames(): ReadonlySet<string> {
  names ??= new Set([...runnerTools('claude-code').map(({ name }) => name), ...OTHER_VERSIONS]);
  return names;
}

/** The current name for each older one (LEGACY_TOOL_NAME_ALIASES of the SDK). */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['Task', 'Agent'],
  ['KillShell', 'TaskStop'],
  ['KillBash', 'TaskStop'],
  ['BashOutput', 'TaskOutput'],
  ['AgentOutputTool', 'TaskOutput'],
  ['ListPeers', 'ListAgents'],
  ['Brief', 'SendUserMessage'],
  ['ListMcpResources', 'ListMcpResourcesTool'],
  ['ReadMcpResource', 'ReadMcpResourceTool'],
  ['ReadMcpResourceDir', 'ReadMcpResourceDirTool'],
  ['ProposeGoal', 'SetGoal'],
]);

export function renamedTool(tool: string): string {
  return RENAMED.get(tool) ?? tool;
}

/** Tools whose specifiers are ignored, with the tool whose specifiers apply instead. */
export const CONSULTED_INSTEAD: ReadonlyMap<string, string> = new Map([
  ['Write', 'Edit'],
  ['MultiEdit', 'Edit'],
  ['NotebookEdit', 'Edit'],
  ['Glob', 'Read'],
  ['Monitor', 'Bash'],
]);

/** Inputs to which a rule can refer, under deny and ask. */
const PARAMETERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Bash', ['run_in_background', 'timeout', 'description', 'dangerouslyDisableSandbox']],
  ['Agent', ['model', 'run_in_background', 'isolation', 'name', 'mode', 'description']],
  ['Read', ['offset', 'limit', 'pages']],
  ['Edit', ['replace_all']],
  ['Skill', ['args']],
]);

/** Inputs to which only the tool's own specifier refers. */
const PRIMARY: ReadonlyMap<string, string> = new Map([
  ['Bash', 'command'],
  ['Agent', 'subagent_type'],
  ['Read', 'file_path'],
  ['Edit', 'file_path'],
  ['Write', 'file_path'],
  ['WebFetch', 'url'],
  ['Skill', 'skill'],
]);

/** Parses `run_in_background:true` as an input and its value; null if the tool has no such input. */
export function parameterOf(
  tool: string,
  specifier: string,
): { readonly name: string; readonly value: string; readonly primary: boolean } | null {
  const parts = /^([A-Za-z_]{1,40}):([\s\S]+)$/.exec(specifier);
  const [, name, value] = parts ?? [];
  if (name === undefined || value === undefined) return null;
  const primary = PRIMARY.get(tool) === name;
  return primary || PARAMETERS.get(tool)?.includes(name) === true ? { name, value, primary } : null;
}
