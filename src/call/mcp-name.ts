/** Names of MCP tools: every runner writes them differently, and some forms do not show where the server's name ends. */
import type { McpNaming } from './tool-data.js';

/** An MCP tool as identified by its name. */
export interface McpName {
  readonly server: string;
  readonly tool: string;
  /** The name that rules are compared with. */
  readonly canonical: string;
}

const PREFIX = 'mcp__';

/**
 * Parses the name of an MCP tool; null if it is not one. If the end of the server's name is ambiguous (`mcp_my_srv_tool`, with
 * several ways to split), the canonical name keeps the runner's single underscores: an allow for `mcp__my__srv_tool` does not
 * cover it, but an ask or deny does.
 * @param naming the runner's form; without it only `mcp__server__tool` is parsed
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

/** `server__tool`, split at the first `__`; a server without a tool is not a tool. */
function split(name: string, rest: string, separator: string): McpName | null {
  const at = rest.indexOf(separator);
  if (at <= 0 || at + separator.length >= rest.length) return null;
  return { server: rest.slice(0, at), tool: rest.slice(at + separator.length), canonical: name };
}

/** `server_tool`: unambiguous only if there is one separator. */
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

/** The form in which a runner writes a server's tool in a call; Gemini CLI's hook reports server and tool separately. */
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

/** One spelling for all forms of an MCP name: for ask and deny, where matching too much is the safe side. */
export function flattenMcpName(name: string): string {
  const lower = name.toLowerCase();
  return lower.includes('_') || lower.includes('-') ? lower.replace(/[_-]+/g, '_') : lower;
}
