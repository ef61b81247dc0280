import { type McpServer, serversOf } from '../../../lint/mcp/servers.js';
import type { LintProject } from '../../../lint/project/project.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const missingType: LintRule = {
  id: 'mcp/missing-type',
  severity: 'warning',
  docs: {
    what: 'A server has an address and no type, and Claude Code takes it for a program.',
    why: 'Without "type" a server is one that is started (stdio). An entry with an address alone is refused, and its tools are missing; other clients tell the type by the address.',
    bad: '# .mcp.json\n{ "mcpServers": { "search": { "url": "https://mcp.example.org/search" } } }\n',
    good: '# .mcp.json\n{ "mcpServers": { "search": { "type": "http", "url": "https://mcp.example.org/search" } } }\n',
    fix: 'Write "type": "http", or "sse" for an older server.',
    source: 'code.claude.com/docs: MCP; reports 21st-dev/magic-mcp#82 and cloudflare/mcp#32',
    verifiedOn: 'Claude Code 2.1.84 to 2.1.273, by those reports',
    runners: ['claude-code'],
  },
  check: (project) => serversOf(project).flatMap((server) => (isOfClaude(server, project) ? check(server) : [])),
};

const MARKETPLACE = /(?:^|\/)\.claude-plugin\/marketplace\.json$/;

/** True for servers from files that Claude Code reads: a project's, a plugin's, or the front matter of an agent. */
function isOfClaude({ file }: McpServer, { files }: LintProject): boolean {
  if (file.kind === 'agent') return file.format === 'claude-code';
  const folder = /^(|.*\/)\.mcp\.json$/.exec(file.path)?.[1];
  if (folder === undefined || folder === '') return file.config === 'claude-plugin' || folder === '';
  // Plugins of Copilot have such a file, too.
  const isClaudes = (path: string) =>
    path.startsWith(`${folder}.claude`) || path === `${folder}CLAUDE.md` || MARKETPLACE.test(path);
  return files.some(({ path }) => isClaudes(path));
}

function check(server: McpServer): readonly Report[] {
  const { data, name, pointer, url, command } = server;
  if (url === null || command.length > 0 || data.at(`${pointer}/type`) !== undefined) return [];
  const message = `The MCP server ${shown(name)} has no "type", so Claude Code takes it for a program and refuses it.`;
  const type = /\/sse\/?$/.test(url.text) ? 'sse' : 'http';
  return [{ at: data.keySpan(pointer), message, help: `Write "type": "${type}".` }];
}
