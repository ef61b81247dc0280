/** The clients whose MCP servers can be put behind the gateway: one row of servers.ts for each runner, and those that are none. */
import type { RunnerId } from '../../call/tool-call.js';
import { servers } from '../../runner/registry/servers.js';
import type { ServerClient } from '../../runner/servers/client.js';

/** A client, and the runner by whose names its calls are judged; null: it is none. */
export interface KnownClient extends ServerClient {
  readonly runner: RunnerId | null;
}

const VSCODE: ServerClient = {
  id: 'vscode',
  title: 'VS Code',
  files: [{ scope: 'project', path: '.vscode/mcp.json', form: 'json', keys: [['servers']] }],
  addresses: [{ key: 'url', types: ['http', null] }],
  signsIn: ['oauth'],
  says: 'VS Code asks again whether you trust a server after its configuration changes',
};

export const CLIENTS: readonly KnownClient[] = [
  ...Object.entries(servers).map(([runner, offer]) => ({ ...offer(), runner: runner as RunnerId })),
  { ...VSCODE, runner: null },
];
