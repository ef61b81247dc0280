import { isFields } from '../../../call/fields.js';
import { reportTogether } from '../../../lint/agents/several.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { type LintProject, listedTools } from '../../../lint/project/project.js';
import { forAgents, forAllRules, type LintRule, type Report } from '../../../lint/project/rule.js';
import type { Span } from '../../../lint/text/finding.js';
import { type Suggest, suggester } from '../../../lint/text/suggest.js';
import { shown } from '../../../policy/sentences.js';

export const mcpServerUnknown: LintRule = {
  id: 'tools/mcp-server-unknown',
  severity: 'info',
  confidence: 'medium',
  persona: 'reviewer',
  docs: {
    what: 'An agent or a rule names a tool of an MCP server that the project does not configure.',
    why: 'Without the server the entry grants nothing, and the rule matches nothing. The server may be one of each person’s own, which the project cannot show; a name that nearly is one of the project’s is a mistake.',
    bad: '# .mcp.json configures "github"\ntools: Read, mcp__githb__get_issue\n',
    good: '# .mcp.json configures "github"\ntools: Read, mcp__github__get_issue\n',
    fix: 'Write the name of the server as the MCP configuration has it, or add the server there.',
  },
  check: (project) => {
    const known = serversOf(project);
    const suggest = suggester();
    if (known.size === 0) return [];
    const ofRules = forAllRules(({ rule, span }) => misspeltIn(rule.text, span, known, suggest));
    return [...forAgents((agent) => check(agent, known, suggest))(project), ...ofRules(project)];
  },
};

/** Servers of plugins, the account and the editor, which no project file configures. */
const ELSEWHERE = /^(?:plugin_|claude_ai_|claude-in-chrome$|ide$)/;

const MOST_COMPARED = 200;

/** A rule may be about a server of the person's own: it is reported only if it nearly names one of the project's. */
function misspeltIn(rule: string, at: Span, known: ReadonlySet<string>, suggest: Suggest): readonly Report[] {
  const server = serverIn(rule.replace(/\(.*/s, ''));
  const near = server === null || known.has(server) ? null : nearTo(server, known, suggest);
  if (near === null) return [];
  const message = `The project does not configure the MCP server of ${shown(rule)}; did you mean ${near}?`;
  return [{ at, message, severity: 'warning' }];
}

/** The server of `mcp__server__tool`; null for a pattern, and for a server of a plugin, an account or an editor. */
function serverIn(entry: string): string | null {
  const server = /^mcp__(.+?)(?:__.*)?$/.exec(entry)?.[1];
  return server === undefined || server.includes('*') || ELSEWHERE.test(server) ? null : server;
}

function nearTo(server: string, known: ReadonlySet<string>, suggest: Suggest): string | null {
  return server.length > 3 ? suggest(server, [...known].slice(0, MOST_COMPARED)) : null;
}

/** Applies only to a project that configures servers: elsewhere all of them are the person's own. */
function check(agent: AgentFile, known: ReadonlySet<string>, suggest: Suggest): readonly Report[] {
  if (agent.format !== 'claude-code' && agent.format !== 'qwen-code') return [];
  const own = agent.data?.at('/mcpServers');
  if (own !== undefined && own !== null) return [];
  const mistakes = listedTools(agent).flatMap((item) => {
    const server = serverIn(item.text);
    if (server === null || known.has(server)) return [];
    const near = nearTo(server, known, suggest);
    return [{ text: item.text, span: item.span, near, ...(near === null ? {} : { note: `${near}?` }) }];
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
