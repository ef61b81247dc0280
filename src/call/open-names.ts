/** Keys for finding, among thousands, the rules about a tool that is in no table (usually a tool of an MCP server). */
import { flattenMcpName, isMcpName } from './mcp-name.js';
import { identifyTool } from './tool-table.js';

/**
 * The keys of a rule's tool text; null for a glob that may match any name. The text covers a tool that is in no table only if one
 * of them is among the keys of the tool's own name (`keysOfTool`); `toolsCovered` then decides whether it does.
 */
export function keysOfRuleTool(text: string): readonly string[] | null {
  // `mcp__srv__*` is equivalent to `mcp__srv`.
  const named = text.replace(/(?<=[^_-])[_-]+\*$/, '');
  if (named.includes('*')) return null;
  const { canonical, mcp, known } = identifyTool(named);
  const keys = [flattenMcpName(named), flattenMcpName(canonical)];
  if (known && mcp !== null) keys.push(flattenMcpName(`mcp__${mcp.server}__${mcp.tool}`));
  return [...new Set(keys)];
}

/** The keys of a canonical name: the name itself and its prefixes, in one spelling. Null if a rule for any tool may cover it. */
export function keysOfTool(canonical: string): readonly string[] | null {
  const { known, mcp } = identifyTool(canonical);
  const full = known && mcp !== null ? `mcp__${mcp.server}__${mcp.tool}` : canonical;
  // The runner does not report the server: the tool's name alone decides.
  if (isMcpName(full.toLowerCase()) && full.startsWith('mcp__?__')) return null;
  const flat = flattenMcpName(full);
  const keys = new Set([flat, flattenMcpName(canonical)]);
  for (let end = flat.indexOf('_'); end >= 0; end = flat.indexOf('_', end + 1)) keys.add(flat.slice(0, end));
  return [...keys];
}
