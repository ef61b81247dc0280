import { shown } from '../../../policy/sentences.js';
import { type McpServer, serversOf } from '../../mcp/servers.js';
import type { LintRule, Report } from '../../project/rule.js';

export const nameBreaksRules: LintRule = {
  id: 'mcp/name-breaks-rules',
  severity: 'warning',
  docs: {
    what: 'Permission rules cannot name an MCP server, or name another one with it.',
    why: 'A tool is called mcp__SERVER__TOOL: with two underscores in the name of the server a rule for it can mean the tool of another one.',
    bad: '{ "mcpServers": { "db__prod": { "command": "db-server" } } }\n',
    good: '{ "mcpServers": { "db-prod": { "command": "db-server" } } }\n',
    fix: 'Use letters, digits and hyphens in the name of the server.',
  },
  check: (project) => serversOf(project).flatMap(check),
};

/** Runners that put a single underscore between a server and its tool (Gemini CLI 0.61, OpenCode 1.18). */
const JOINED: ReadonlyMap<string, string> = new Map([
  ['gemini-settings', 'Gemini CLI calls a tool mcp_SERVER_TOOL'],
  ['gemini-extension', 'Gemini CLI calls a tool mcp_SERVER_TOOL'],
  ['opencode-config', 'OpenCode calls a tool SERVER_TOOL'],
]);

function check({ file, name, data, pointer }: McpServer): readonly Report[] {
  const at = data.keySpan(pointer);
  if (name.includes('__'))
    return [{ at, message: `${shown(name)} has two underscores, which separate server and tool in permission rules.` }];
  const joined = file.kind === 'config' ? JOINED.get(file.config) : undefined;
  if (joined !== undefined && name.includes('_'))
    return [{ at, message: `${joined}, so with ${shown(name)} a rule can mean the tool of another server.`, severity: 'info' }];
  if (/^[\w.@/ -]+$/.test(name)) return [];
  return [{ at, message: `${shown(name)} has characters that a permission rule cannot have.`, severity: 'info' }];
}
