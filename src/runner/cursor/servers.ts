/** MCP servers of Cursor (cursor.com/docs: MCP). */
import type { ServerClient } from '../servers/client.js';

export const servers: ServerClient = {
  id: 'cursor',
  title: 'Cursor',
  files: [
    { scope: 'project', path: '.cursor/mcp.json', form: 'json', keys: [['mcpServers']] },
    { scope: 'user', path: '.cursor/mcp.json', form: 'json', keys: [['mcpServers']] },
  ],
  addresses: [{ key: 'url', types: ['http', 'streamableHttp', null] }],
  signsIn: ['auth', 'oauth'],
};
