/** MCP servers of Gemini CLI (docs: MCP servers). `url` without a type is the older SSE transport. */
import type { ServerClient } from '../servers/client.js';

export const servers: ServerClient = {
  id: 'gemini-cli',
  title: 'Gemini CLI',
  files: [
    { scope: 'project', path: '.gemini/settings.json', form: 'json', keys: [['mcpServers']] },
    { scope: 'user', path: '.gemini/settings.json', form: 'json', keys: [['mcpServers']] },
  ],
  addresses: [
    { key: 'httpUrl', types: [null] },
    { key: 'url', types: ['http'] },
  ],
  signsIn: ['oauth', 'authProviderType', 'targetAudience', 'targetServiceAccount'],
};
