import { isFields } from '../../../call/fields.js';
import { reportTogether } from '../../../lint/agents/several.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { type LintProject, listedTools } from '../../../lint/project/project.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { type Suggest, suggester } from '../../../lint/text/suggest.js';
import { shown } from '../../../policy/sentences.js';

export const mcpServerUnknown: LintRule = {
  id: 'tools/mcp-server-unknown',
  severity: 'info',
  confidence: 'medium',
  persona: 'reviewer',
  docs: {
    what: 'An agent names a tool of an MCP server that the project does not configure.',
    why: 'Without the server the entry grants nothing. The server may be one of each person’s own, which the project cannot show; a name that nearly is one of the project’s is a mistake.',
    bad: '# .mcp.json configures "github"\ntools: Read, mcp__githb__get_issue\n',
    good: '# .mcp.json configures "github"\ntools: Read, mcp__github__get_issue\n',
    fix: 'Write the name of the server as the MCP configuration has it, or add the server there.',
  },
  check: (project) => {
    const known = serversOf(project);
    const suggest = suggester();
    return known.size === 0 ? [] : forAgents((agent) => check(agent, known, suggest))(project);
  },
};

/** Servers of plugins, the account and the editor, which no project file configures. */
const ELSEWHERE = /^(?:plugin_|claude_ai_|claude-in-chrome$|ide$)/;

const MOST_COMPARED = 200;

/** Applies only to a project that configures servers: elsewhere all of them are the person's own. */
function check(agent: AgentFile, known: ReadonlySet<string>, suggest: Suggest): readonly Report[] {
  if (agent.format !== 'claude-code' && agent.format !== 'qwen-code') return [];
  const own = agent.data?.at('/mcpServers');
  if (own !== undefined && own !== null) return [];
  const mistakes = listedTools(agent).flatMap((item) => {
    const server = /^mcp__(.+?)(?:__.*)?$/.exec(item.text)?.[1];
    if (server === undefined || server.includes('*') || ELSEWHERE.test(server) || known.has(server)) return [];
    const near = server.length > 3 ? suggest(server, [...known].slice(0, MOST_COMPARED)) : null;
    return [{ ...item, near, ...(near === null ? {} : { note: `${near}?` }) }];
  });
  const misspelt = mistakes.filter(({ near }) => near !== null);
  const report = reportTogether(
    misspelt.length > 0 ? misspelt : mistakes,
    ({ text, near }) =>
      `The project does not configure the MCP server of ${shown(text)}${near === null ? '.' : `; did you mean ${near}?`}`,
    (count, list) => `${count} belong to MCP servers that the project does not configure: ${list}.`,
  );
  return report === null ? [] : [{ ...report, ...(misspelt.length > 0 ? { severity: 'warning' as const } : {}) }];
}

/** Returns server names as they occur in tool names: every character except letters, digits, `-` and `_` becomes `_`. */
function serversOf({ configs }: LintProject): ReadonlySet<string> {
  const servers = configs
    .filter(({ config }) => config === 'mcp' || config === 'claude-plugin' || config === 'qwen-settings')
    .flatMap(({ data }) => ['/mcpServers', '/servers'].map((pointer) => data?.at(pointer)));
  return new Set(servers.filter(isFields).flatMap((map) => Object.keys(map).map((name) => name.replace(/[^\w-]/g, '_'))));
}
