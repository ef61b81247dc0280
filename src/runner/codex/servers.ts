/** MCP servers of Codex (docs: config.toml). */
import type { ServerClient } from '../servers/client.js';

export const servers: ServerClient = {
  id: 'codex',
  title: 'Codex',
  files: [
    { scope: 'project', path: '.codex/config.toml', form: 'toml', keys: [['mcp_servers']] },
    { scope: 'user', path: '.codex/config.toml', form: 'toml', folderVariable: 'CODEX_HOME', keys: [['mcp_servers']] },
  ],
  passedOn: 'env_vars',
  addresses: [{ key: 'url', types: [null] }],
  headers: { values: 'http_headers', named: 'env_http_headers' },
  // The value of a header is one variable here: nothing could put `Bearer` before it.
  signsIn: ['bearer_token_env_var', 'oauth', 'oauth_resource', 'scopes'],
};
