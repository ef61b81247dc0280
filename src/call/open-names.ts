/** Keys by which the rules about a tool that is in no table (mostly one of an MCP server) are found among thousands. */
import { flattenMcpName, isMcpName } from './mcp-name.js';
import { identifyTool } from './tool-table.js';

/**
 * The keys of a rule's tool text; null for a glob that may reach any name. A tool that is in no table is reached by the text only
 * when one of them is among the keys of its own name (`keysOfTool`); see `toolsCovered`, which then says whether it is.
 */
export function keysOfRuleTool(text: string): readonly string[] | null {
  // `mcp__srv__*` is as good as `mcp__srv`.
  const named = text.replace(/(?<=[^_-])[_-]+\*$/, '');
  if (named.includes('*')) return null;
  const { canonical, mcp, known } = identifyTool(named);
  const keys = [flattenMcpName(named), flattenMcpName(canonical)];
  if (known && mcp !== null) keys.push(flattenMcpName(`mcp__${mcp.server}__${mcp.tool}`));
  return [...new Set(keys)];
}

/** The keys of a canonical name: itself and what it begins with, in one spelling. Null when a rule for any tool may reach it. */
export function keysOfTool(canonical: string): readonly string[] | null {
  const { known, mcp } = identifyTool(canonical);
  const full = known && mcp !== null ? `mcp__${mcp.server}__${mcp.tool}` : canonical;
  // The runner does not tell the server: the tool's name alone decides.
  if (isMcpName(full.toLowerCase()) && full.startsWith('mcp__?__')) return null;
  const flat = flattenMcpName(full);
  const keys = new Set([flat, flattenMcpName(canonical)]);
  for (let end = flat.indexOf('_'); end >= 0; end = flat.indexOf('_', end + 1)) keys.add(flat.slice(0, end));
  return [...keys];
}
