import { forRisky, type LintRule } from '../../project/rule.js';

export const enableAllProjectMcp: LintRule = {
  id: 'settings/enable-all-project-mcp',
  severity: 'warning',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'Every MCP server that the project names starts without a question.',
    why: 'A server is a program of whoever writes .mcp.json; the next one that is added there starts on every machine unseen.',
    bad: '{ "enableAllProjectMcpServers": true }\n',
    good: '{ "enabledMcpjsonServers": ["github"] }\n',
    fix: 'Name the servers in enabledMcpjsonServers.',
  },
  check: forRisky('settings/enable-all-project-mcp', ({ data, pointer, key, says }) => [
    { at: data.valueSpan(pointer), message: `${key} ${says}.` },
  ]),
};
