/** The allowlists of the original documents: tools by name (seed 000), MCP tools, files and programs (seed 004). */
import { posix } from 'node:path';
import { describeTool } from '../call/catalogue.js';
import { subjectsOf } from '../call/subject.js';
import { readCommandLine } from '../shell/read.js';
import type { Invocation } from '../shell/syntax/types.js';
import type { AgentCapabilities } from './agent.js';
import { printable } from './name.js';

/** A tool that an agent's list does not allow. */
export interface ToolViolation {
  readonly code: 'TOOL_NOT_ALLOWED' | 'NO_TOOLS_ALLOWED';
  readonly agentName: string;
  readonly requestedTool: string;
  readonly allowedTools: readonly string[];
  /** For a person; untrusted names in it are escaped. */
  readonly message: string;
}

/**
 * Whether an agent's tool list names the tool: exactly, case-sensitive, never as a part of a name. Absent and empty lists name nothing.
 * @param options.emoji false omits the sign at the start of the message
 * @returns null if it does
 */
export function validateToolPolicy(
  agent: { readonly name: string; readonly tools?: readonly string[] | null },
  tool: string,
  options: { readonly emoji?: boolean } = {},
): ToolViolation | null {
  const allowedTools = agent.tools ?? [];
  if (allowedTools.includes(tool)) return null;
  const sign = options.emoji === false ? '' : '🚫 ';
  const name = printable(agent.name);
  const shared = { agentName: agent.name, requestedTool: tool, allowedTools };
  if (allowedTools.length === 0)
    return {
      ...shared,
      code: 'NO_TOOLS_ALLOWED',
      message: `${sign}Agent '${name}' has no tools allowlisted. Add a 'tools' field to the agent definition to grant tool access.`,
    };
  const list = allowedTools.map(printable).join(', ');
  return {
    ...shared,
    code: 'TOOL_NOT_ALLOWED',
    message: `${sign}Agent '${name}' is not allowed to use tool '${printable(tool)}'. Allowed tools: [${list}]. Update the agent's 'tools' field to grant access.`,
  };
}

/** Thrown in place of a call that an agent's tool list does not allow. */
export class ToolDenied extends Error {
  override readonly name = 'ToolDenied';

  constructor(readonly violation: ToolViolation) {
    super(violation.message);
  }
}

/**
 * Returns `run`, limited to the tools of an agent: for any other tool it throws ToolDenied, and `run` is not called.
 * @param run carries out a call of a tool
 */
export function guard<Input extends readonly unknown[], Result>(
  agent: Parameters<typeof validateToolPolicy>[0],
  run: (tool: string, ...input: Input) => Result,
): (tool: string, ...input: Input) => Result {
  return (tool, ...input) => {
    const violation = validateToolPolicy(agent, tool);
    if (violation !== null) throw new ToolDenied(violation);
    return run(tool, ...input);
  };
}

/** The grants of an agent with capabilities; an absent grant grants nothing. */
export type Grants = Pick<AgentCapabilities, 'mcp'> & Partial<AgentCapabilities>;

/**
 * Whether an agent with an allowlist may call an MCP tool with these arguments: listed exactly or by an explicit glob, and, for a
 * tool that writes or runs a shell, within `tools.fs.write` and `tools.shell`.
 * @param root the project, to which relative paths refer
 * @returns null if it may, else a sentence with the reason
 */
export function checkMcpTool(grants: Grants, tool: string, args: Readonly<Record<string, unknown>>, root = '/'): string | null {
  const codex = tool.startsWith('codex_');
  const shown = printable(tool);
  const refusal = codex
    ? `Codex MCP tool '${shown}' is not permitted for this agent`
    : `MCP tool '${shown}' is not permitted. Allowed tools: [${grants.mcp.map((one) => JSON.stringify(printable(one))).join(', ')}]`;
  if (!isListed(grants, tool)) return refusal;
  const { requires } = describeTool(tool);
  if (requires !== 'shell' && requires !== 'fs.write') return null;
  const { subjects, missing } = subjectsOf({ tool, input: args, cwd: root, headless: true, shell: 'union' });
  if (missing || subjects.length === 0) return refusal;
  const within = subjects.every(({ kind, value, access }) => {
    if (kind === 'command') return checkShellCommand(grants.shell ?? [], value);
    return kind !== 'path' || access !== 'write' || checkFileWrite(grants.write ?? false, root, value);
  });
  return within ? null : refusal;
}

/** Whether there are arguments with which an agent may call an MCP tool. */
export function mayCallMcpTool(grants: Grants, tool: string): boolean {
  const { requires } = describeTool(tool);
  const { shell = [], write = false } = grants;
  const isGranted =
    requires === 'shell' ? shell.length > 0 : requires !== 'fs.write' || write === true || (write || []).length > 0;
  return isGranted && isListed(grants, tool);
}

function isListed({ mcp }: Grants, tool: string): boolean {
  return mcp.some((entry) => entry === tool || (entry.endsWith('*') && tool.startsWith(entry.slice(0, -1))));
}

/**
 * Whether a path is in one of the folders that may be written to: by whole components, with `..` resolved (upstream compared
 * string prefixes, so `./artifacts` allowed `./artifacts-evil`). Lexical: the caller resolves links.
 * @param root absolute path, to which relative paths on both sides refer
 */
export function checkFileWrite(allowed: boolean | readonly string[], root: string, path: string): boolean {
  if (path === '' || path.startsWith('~') || path.includes('\0') || !root.startsWith('/')) return false;
  const folders = typeof allowed === 'boolean' ? (allowed ? [root] : []) : allowed;
  const target = absolute(root, path);
  return folders.some((folder) => {
    const base = absolute(root, folder);
    return target === base || target.startsWith(base === '/' ? '/' : `${base}/`);
  });
}

function absolute(root: string, path: string): string {
  const whole = posix.normalize(path.startsWith('/') ? path : `${root}/${path}`);
  return whole.length > 1 && whole.endsWith('/') ? whole.slice(0, -1) : whole;
}

/**
 * Whether a command line runs nothing but the listed programs (`npm`, or with words: `npm audit`). Checks every command of the
 * line, and rejects everything that cannot be parsed with certainty (substitutions, assignments, redirections to files).
 */
export function checkShellCommand(exec: readonly string[], command: string): boolean {
  const line = readCommandLine(command, 'union');
  if (line.opaque.length > 0 || line.invocations.length === 0) return false;
  const programs = exec.map((entry) => entry.trim().split(/\s+/)).filter((words) => words[0] !== '');
  return line.invocations.every(
    (invocation) => hasOnlyWords(invocation) && programs.some((words) => startsWith(invocation, words)),
  );
}

function hasOnlyWords({ assignments, redirections, background }: Invocation): boolean {
  const harmless = redirections.every(
    ({ direction, target }) => direction === 'duplicate' || target?.value === '/dev/null' || direction === 'here',
  );
  return assignments.length === 0 && !background && harmless;
}

function startsWith({ argv }: Invocation, words: readonly string[]): boolean {
  return words.every((word, index) => argv[index]?.value === word && !argv[index].glob);
}
