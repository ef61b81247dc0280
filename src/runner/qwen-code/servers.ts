/** MCP servers of Qwen Code (docs: MCP servers). `url` is the older SSE transport. */
import type { ServerClient } from '../servers/client.js';

export const servers: ServerClient = {
  id: 'qwen-code',
  title: 'Qwen Code',
  files: [
    { scope: 'project', path: '.qwen/settings.json', form: 'json', keys: [['mcpServers']] },
    { scope: 'user', path: '.qwen/settings.json', form: 'json', keys: [['mcpServers']] },
  ],
  addresses: [{ key: 'httpUrl', types: [null] }],
  signsIn: ['oauth', 'authProviderType', 'targetAudience', 'targetServiceAccount'],
};
