/** MCP servers of OpenCode (opencode.ai/docs/mcp-servers). */
import type { ServerClient, ServerFile } from '../servers/client.js';

const keys = [['mcp']];

export const servers: ServerClient = {
  id: 'opencode',
  title: 'OpenCode',
  files: [
    ...['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'].map(
      (path): ServerFile => ({ scope: 'project', path, form: 'json', keys }),
    ),
    ...['config.json', 'opencode.json', 'opencode.jsonc'].map(
      (name): ServerFile => ({
        ...{ scope: 'user', path: `.config/opencode/${name}`, form: 'json', folderVariable: 'XDG_CONFIG_HOME' },
        keys,
      }),
    ),
  ],
  command: 'list',
  variables: 'environment',
  types: ['local'],
  needsType: true,
  addresses: [{ key: 'url', types: ['remote'] }],
  signsIn: ['oauth'],
  signsInUnless: 'oauth',
};
