/**
 * A tool of an MCP server whose definition is not the one that a person pinned: rules were written for the tool that it was, so that
 * none of them allows its calls. Pure.
 */
import type { ToolCall } from '../../call/tool-call.js';
import type { Ruling } from '../ruling/combine.js';

/** The question about a call of such a tool; null for all other calls. */
export function redefinedRuling({ redefined }: ToolCall): Ruling | null {
  return redefined === undefined ? null : { effect: 'ask', rule: null, reason: { code: 'mcp/redefined', message: redefined } };
}
