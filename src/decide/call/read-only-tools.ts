/** MCP tools that only read, judged by their names and inputs: `mcp__server__*(read-only)` allows those of one server. */
import type { McpName } from '../../call/mcp-name.js';
import { isReadName } from '../../call/mcp-subjects.js';
import type { CallAnalysis } from '../flow/analysis.js';
import { isReadOnlyInput } from './read-only-input.js';

/** The rule pattern for such tools. */
export const READ_ONLY = 'read-only';

/**
 * Whether a call of an MCP tool only reads: its name says so (`find_symbol`, not `find_and_replace`), and no field of its input
 * contains a command, a patch, a statement, an address, a secret or a file to write.
 */
export function onlyReads({ tool, subjects, lines, inferredLines, input }: CallAnalysis): boolean {
  if (tool.mcp === null || subjects.missing || lines.length > 0 || inferredLines.length > 0 || !isReadName(tool.mcp.tool))
    return false;
  if (subjects.widening.length > 0 || !subjects.subjects.every(({ kind, access }) => kind === 'path' && access !== 'write'))
    return false;
  return isReadOnlyInput(input);
}

/** The rule for the server's read-only tools; null if the server's name is uncertain. */
export function readOnlyPattern(
  { server }: Pick<McpName, 'server'>,
  canonical: string,
): { readonly tool: string; readonly pattern: string } | null {
  const isCertain = canonical.startsWith(`mcp__${server}__`) && /^[\w-]{1,64}$/.test(server);
  return isCertain ? { tool: `mcp__${server}__*`, pattern: READ_ONLY } : null;
}
