import { shown } from '../../../policy/sentences.js';
import { type McpServer, serversOf } from '../../mcp/servers.js';
import type { LintRule, Report } from '../../project/rule.js';

export const plainHttp: LintRule = {
  id: 'mcp/plain-http',
  severity: 'error',
  persona: 'reviewer',
  docs: {
    what: 'An MCP server is reached over HTTP without encryption.',
    why: 'Whoever is on the way reads what the agent sends, and can put instructions for it into the answers.',
    bad: '{ "mcpServers": { "search": { "type": "http", "url": "http://mcp.example.org/search" } } }\n',
    good: '{ "mcpServers": { "search": { "type": "http", "url": "https://mcp.example.org/search" } } }\n',
    fix: 'Write https://.',
  },
  check: (project) => serversOf(project).flatMap(check),
};

/** Programs that connect to the address that they are given. */
const BRIDGE = /^(?:@[\w-]+\/)?(?:mcp-remote|mcp-proxy|supergateway)(?:@|$)/;

function check({ url, command, data, name }: McpServer): readonly Report[] {
  const at = command.findIndex(({ text }) => BRIDGE.test(text));
  const addresses = url === null ? command.slice(at < 0 ? command.length : at) : [url];
  return addresses
    .filter(({ text }) => isPublicHttp(text))
    .map(({ pointer }) => ({
      at: data.valueSpan(pointer),
      message: `The MCP server ${shown(name)} is reached without encryption.`,
    }));
}

/** Names without a dot, private addresses and local domains stay within one machine or network. */
function isPublicHttp(url: string): boolean {
  const host = /^http:\/\/(?:[^@/\s]{0,200}@)?([^:/?#\s]{1,300})/i.exec(url)?.[1]?.toLowerCase();
  if (host === undefined || !host.includes('.') || host.includes('$')) return false;
  if (
    /^(?:127|10|0)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(host)
  )
    return false;
  return !/\.(?:local|localhost|internal|intranet|lan|home|corp|test|docker|svc)$/.test(host);
}
