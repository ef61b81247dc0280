import { shown } from '../../../policy/sentences.js';
import { forAllRules, type LintRule, type Report } from '../../project/rule.js';
import { forEachClaudeRule } from '../../settings/claude-rule-checks.js';
import type { Span } from '../../text/finding.js';

export const wholeMcpServer: LintRule = {
  id: 'permissions/whole-mcp-server',
  severity: 'info',
  confidence: 'medium',
  persona: 'auditor',
  docs: {
    what: 'Settings of Claude Code or Cursor allow every tool of an MCP server.',
    why: 'Also those that write or delete, and those that the next version of the server adds.',
    bad: '{ "permissions": { "allow": ["mcp__github"] } }\n',
    good: '{ "permissions": { "allow": ["mcp__github__get_issue", "mcp__github__list_issues"] } }\n',
    fix: 'Name the tools that are needed.',
  },
  check: (project) => [...ofClaude(project), ...ofCursor(project)],
};

const ofClaude = forEachClaudeRule(({ effect, reach, tool, text, span }) =>
  effect === 'allow' && reach.kind === 'everything' ? reported(tool, text, span) : [],
);

const ofCursor = forAllRules(({ rule, span, file }) =>
  rule.effect === 'allow' && file.kind === 'config' && /^cursor-/.test(file.config) ? reported(rule.tool, rule.text, span) : [],
);

function reported(tool: string, text: string, at: Span): readonly Report[] {
  const server = /^mcp__((?:(?!__)[^*])+)(?:__\*)?$/.exec(tool)?.[1];
  return server === undefined ? [] : [{ at, message: `${shown(text)} allows every tool of the MCP server ${shown(server)}.` }];
}
