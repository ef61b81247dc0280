/** The formats that a definition of an agent may be written in: the dialects that several runners share, and each runner's own. */
import type { RunnerId } from '../call/tool-call.js';
import { DIALECTS, type Dialect } from './agent.js';

/** `codex` is the TOML role of Codex; the other names of runners are their Markdown. */
export const AGENT_FORMATS = [
  ...DIALECTS,
  'codex',
  'gemini-cli',
  'copilot-cli',
  'opencode',
  'qwen-code',
  'cursor',
] as const satisfies readonly (Dialect | RunnerId)[];

export type AgentFormat = (typeof AGENT_FORMATS)[number];

/** How `parseAgent` is told of a format. */
export function originOfFormat(format: AgentFormat): { readonly dialect: Dialect; readonly runner?: RunnerId } {
  return isDialect(format) ? { dialect: format } : { dialect: 'claude-code', runner: format };
}

/** The format of the files in a folder of definitions. */
export function formatOfFolder(dialect: Dialect | null, runner: RunnerId): AgentFormat | null {
  if (dialect !== null) return dialect;
  return AGENT_FORMATS.find((format) => format === runner) ?? null;
}

/** The ends of file names that a format may have. */
export function endingsOfFormat(format: AgentFormat): RegExp {
  if (format === 'codex-yaml') return /\.ya?ml$/;
  return format === 'codex' ? /\.toml$/ : /\.(?:md|markdown)$/;
}

function isDialect(format: AgentFormat): format is Dialect {
  return DIALECTS.some((dialect) => dialect === format);
}
