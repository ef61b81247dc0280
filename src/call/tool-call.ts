/** Types of a tool call: what an agent wants to do, with which input, which agent asks, and where. */

/** The known coding agents. */
export const RUNNERS = [
  'claude-code',
  'codex',
  'gemini-cli',
  'copilot-cli',
  'opencode',
  'qwen-code',
  'cursor',
  'agent-code',
] as const;

export type RunnerId = (typeof RUNNERS)[number];

/** Taken where nobody told the runner: its names of tools are the canonical ones. */
export const ASSUMED_RUNNER = 'claude-code' as const satisfies RunnerId;

/**
 * The shell that will read a command line. `bash-or-zsh`: one of the two; `union`: unknown, so anything that any of the three would run.
 */
export const SHELLS = ['bash', 'sh', 'zsh', 'bash-or-zsh', 'union'] as const;

export type Shell = (typeof SHELLS)[number];

/** One tool call as received; nothing in it is trusted. */
export interface ToolCall {
  /** The tool's name as the runner (or a person) wrote it: `Bash`, `run_shell_command`, `mcp__srv__tool`. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly runner?: RunnerId;
  /** Name of the calling agent; absent for the main agent. */
  readonly agent?: string;
  /** Names of running agents that the calling one may be a child of: it may do nothing that one of them may not do. */
  readonly within?: readonly string[];
  /** Absolute directory in which the call is made. */
  readonly cwd: string;
  /** True if nobody can be asked: `ask` becomes `deny`. */
  readonly headless: boolean;
  /** True if the runner is in a mode in which it may drop a question and run the call: `ask` becomes `deny`. */
  readonly bypass?: true;
  /** How the definition of an MCP tool differs from the one that a person pinned, as a clause; absent: it does not, or nobody knows. */
  readonly redefined?: string;
  readonly shell: Shell;
}

/** The kind of a subject's text, which determines the patterns that can match it. */
export type SubjectKind = 'command' | 'path' | 'url' | 'query' | 'name' | 'text';

/** How a tool accesses the file of a path subject; `search` reads everything below it, `list` only the names. */
export type PathAccess = 'read' | 'write' | 'search' | 'list';

/** The part of a tool's input that a rule's pattern is matched against. */
export interface Subject {
  readonly kind: SubjectKind;
  /** The input field that it came from, e.g. `file_path`; `patch` for paths in a patch's headers. */
  readonly field: string;
  readonly value: string;
  /** For `kind: 'path'` only. */
  readonly access?: PathAccess;
  /** If the file does not exist, the runner uses a file of the same name that it finds elsewhere. */
  readonly searched?: true;
}
