/** Names of MCP tools: every runner writes them in its own way, and some ways do not say where the server's name ends. */
import type { McpNaming } from './tool-data.js';

/** An MCP tool as its name tells it. */
export interface McpName {
  readonly server: string;
  readonly tool: string;
  /** The name that rules are compared with. */
  readonly canonical: string;
}

const PREFIX = 'mcp__';

/**
 * Reads the name of an MCP tool; null when it is none.
 * Where the end of the server's name cannot be told (`mcp_my_srv_tool`, more than one way to split), the canonical name keeps
 * the runner's single underscores: an allow for `mcp__my__srv_tool` does not reach it, an ask or deny does.
 * @param naming the runner's way; without one only `mcp__server__tool` is read
 */
export function parseMcpName(name: string, naming?: McpNaming): McpName | null {
  if (name.startsWith(PREFIX)) return split(name, name.slice(PREFIX.length), '__');
  switch (naming) {
    case 'single-underscore':
      return name.startsWith('mcp_') ? guess(name.slice(4), '_') : null;
    case 'plain-underscore':
      return guess(name, '_');
    case 'dash':
      return guess(name, '-');
    case 'colon':
      return name.startsWith('MCP:') ? named('?', name.slice(4)) : null;
    default:
      return null;
  }
}

/** `server__tool`, split at the first `__`; a server without a tool is no tool. */
function split(name: string, rest: string, separator: string): McpName | null {
  const at = rest.indexOf(separator);
  if (at <= 0 || at + separator.length >= rest.length) return null;
  return { server: rest.slice(0, at), tool: rest.slice(at + separator.length), canonical: name };
}

/** `server_tool`: certain only when there is one separator. */
function guess(rest: string, separator: string): McpName | null {
  const at = rest.indexOf(separator);
  if (at <= 0 || at === rest.length - 1) return null;
  const server = rest.slice(0, at);
  const tool = rest.slice(at + 1);
  return tool.includes(separator) ? { server, tool, canonical: `mcp_${server}_${tool}` } : named(server, tool);
}

function named(server: string, tool: string): McpName | null {
  return tool === '' ? null : { server, tool, canonical: `${PREFIX}${server}__${tool}` };
}

/** How a runner writes the tool of a server in a call; Gemini CLI's hook tells server and tool apart by itself. */
export function writtenMcpName({ server, tool }: Pick<McpName, 'server' | 'tool'>, naming?: McpNaming): string {
  switch (naming) {
    case 'plain-underscore':
      return `${server}_${tool}`;
    case 'dash':
      return `${server}-${tool}`;
    case 'colon':
      return `MCP:${tool}`;
    default:
      return `${PREFIX}${server}__${tool}`;
  }
}

/** True for the canonical name of an MCP tool. */
export function isMcpName(canonical: string): boolean {
  return canonical.startsWith('mcp_');
}

/** One spelling for all ways to write an MCP name: for ask and deny, where reaching too much is the safe side. */
export function flattenMcpName(name: string): string {
  const lower = name.toLowerCase();
  return lower.includes('_') || lower.includes('-') ? lower.replace(/[_-]+/g, '_') : lower;
}
