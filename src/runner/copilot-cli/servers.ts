/** MCP servers of Copilot CLI (docs: adding MCP servers; the project's files were tried with 1.0.102). */
import type { ServerClient } from '../servers/client.js';

export const servers: ServerClient = {
  id: 'copilot-cli',
  title: 'Copilot CLI',
  files: [
    { scope: 'project', path: '.mcp.json', form: 'strict-json', keys: [['mcpServers']] },
    { scope: 'project', path: '.github/mcp.json', form: 'strict-json', keys: [['mcpServers']] },
    {
      ...{ scope: 'user', path: '.copilot/mcp-config.json', form: 'strict-json', folderVariable: 'COPILOT_HOME' },
      keys: [['mcpServers']],
    },
  ],
  types: ['local', 'stdio'],
  addresses: [{ key: 'url', types: ['http'] }],
  signsIn: ['oauth', 'oauthClientId', 'oidc'],
};
