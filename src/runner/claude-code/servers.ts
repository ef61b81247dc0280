/** MCP servers of Claude Code (docs: MCP; what it does with `type` and with approvals was read in 2.1.332). */
import { PROJECT, type ServerClient } from '../servers/client.js';

export const servers: ServerClient = {
  id: 'claude-code',
  title: 'Claude Code',
  files: [
    { scope: 'project', path: '.mcp.json', form: 'strict-json', keys: [['mcpServers']] },
    // With the variable the file lies directly in that folder.
    {
      ...{ scope: 'user', path: './.claude.json', form: 'strict-json', folderVariable: 'CLAUDE_CONFIG_DIR' },
      keys: [['mcpServers'], ['projects', PROJECT, 'mcpServers']],
    },
  ],
  addresses: [{ key: 'url', types: ['http', 'streamable-http'] }],
  signsIn: ['oauth', 'headersHelper'],
};
