import { type McpServer, programName, serversOf } from '../../../lint/mcp/servers.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';

export const removedCommand: LintRule = {
  id: 'codex/removed-command',
  severity: 'warning',
  docs: {
    what: 'An MCP server is started with `codex mcp-server`, which Codex no longer has.',
    why: 'Since Codex 0.154 the words are read as a prompt for a session, so the server never answers.',
    bad: '# .mcp.json\n{ "mcpServers": { "codex": { "command": "codex", "args": ["mcp-server"] } } }\n',
    good: '# .mcp.json\n{ "mcpServers": { "codex": { "command": "npx", "args": ["-y", "@openai/codex@0.153.4", "mcp-server"] } } }\n',
    fix: 'Pin a version of Codex up to 0.153.4, or remove the server.',
  },
  check: (project) => serversOf(project).flatMap(check),
};

function check({ command, data }: McpServer): readonly Report[] {
  const [program, first] = command;
  if (program === undefined || first?.text !== 'mcp-server' || programName(program.text) !== 'codex') return [];
  return [
    {
      at: data.valueSpan(first.pointer),
      message: 'Codex has no `mcp-server` since version 0.154; it takes the words for a prompt.',
    },
  ];
}
