/** MCP tools that only read, as far as their names and inputs tell: `mcp__server__*(read-only)` allows those of a server. */
import type { McpName } from '../../call/mcp-name.js';
import { isReadName } from '../../call/mcp-subjects.js';
import type { CallAnalysis } from '../flow/analysis.js';
import { isReadOnlyInput } from './read-only-input.js';

/** The pattern of a rule for them. */
export const READ_ONLY = 'read-only';

/**
 * Whether a call of an MCP tool only reads: the name says so (`find_symbol`, not `find_and_replace`) and no field of the input holds a
 * command, a patch, a statement, an address, a secret or a file to write to.
 */
export function onlyReads({ tool, subjects, lines, inferredLines, input }: CallAnalysis): boolean {
  if (tool.mcp === null || subjects.missing || lines.length > 0 || inferredLines.length > 0 || !isReadName(tool.mcp.tool))
    return false;
  if (subjects.widening.length > 0 || !subjects.subjects.every(({ kind, access }) => kind === 'path' && access !== 'write'))
    return false;
  return isReadOnlyInput(input);
}

/** The rule for the server's tools that only read; null where the server's name is not certain. */
export function readOnlyPattern(
  { server }: Pick<McpName, 'server'>,
  canonical: string,
): { readonly tool: string; readonly pattern: string } | null {
  const isCertain = canonical.startsWith(`mcp__${server}__`) && /^[\w-]{1,64}$/.test(server);
  return isCertain ? { tool: `mcp__${server}__*`, pattern: READ_ONLY } : null;
}
