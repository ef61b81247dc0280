/** permissions/whole-mcp-server: settings of Claude Code allow every tool of an MCP server. */
import { shown } from '../../../policy/sentences.js';
import { forEachClaudeRule } from '../../claude-rules/checks.js';
import type { ClaudeEntry } from '../../claude-rules/entries.js';
import type { LintRule, Report } from '../../rule.js';

export const wholeMcpServer: LintRule = {
  id: 'permissions/whole-mcp-server',
  severity: 'info',
  confidence: 'medium',
  persona: 'reviewer',
  docs: {
    what: 'Settings of Claude Code allow every tool of an MCP server.',
    why: 'Also those that write or delete, and those that the next version of the server adds.',
    bad: '{ "permissions": { "allow": ["mcp__github"] } }\n',
    good: '{ "permissions": { "allow": ["mcp__github__get_issue", "mcp__github__list_issues"] } }\n',
    fix: 'Name the tools that are needed.',
  },
  check: forEachClaudeRule(check),
};

function check({ effect, reach, tool, text, span }: ClaudeEntry): readonly Report[] {
  const server = /^mcp__((?:(?!__)[^*])+)(?:__\*)?$/.exec(tool)?.[1];
  if (effect !== 'allow' || reach.kind !== 'everything' || server === undefined) return [];
  return [{ at: span, message: `${shown(text)} allows every tool of the MCP server ${shown(server)}.` }];
}
