import type { AgentFile, ConfigFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';
import { globMatch } from '../../../rule/pattern/wildcard.js';

/** Where an agent lists what one of the files has to list, too. */
const LISTS = [
  { config: 'codex-mcp-allowlist', pointer: '/tools/mcp' },
  { config: 'codex-net-allowlist', pointer: '/tools/net/allow' },
] as const;

export const beyondAllowlist: LintRule = {
  id: 'tools/beyond-allowlist',
  severity: 'error',
  persona: 'reviewer',
  docs: {
    what: 'A definition of the Codex YAML format lists a tool or an address that `.codex/policies/mcp.allowlist` or `net.allowlist` does not name.',
    why: 'The lists are what a project has agreed on for all of its agents; a definition must not grant more.',
    bad: '# .codex/policies/mcp.allowlist names only codex_grep\ntools:\n  mcp: [codex_grep, codex_shell]\n',
    good: '# .codex/policies/mcp.allowlist names only codex_grep\ntools:\n  mcp: [codex_grep]\n',
    fix: 'Remove it from the definition, or let the owner of the list add a line.',
    source: 'the runtime of the original document on MCP tools for subagents of Codex',
  },
  check: forAgents((agent, { configs }) =>
    agent.format === 'codex-yaml' ? LISTS.flatMap((list) => check(agent, configs, list)) : [],
  ),
};

function check(agent: AgentFile, configs: readonly ConfigFile[], { config, pointer }: (typeof LISTS)[number]): readonly Report[] {
  const file = configs.find((one) => one.config === config && folderOf(one.path) === folderOf(agent.path));
  if (file === undefined) return [];
  const lines = linesOf(file.source.text);
  return (agent.data?.items(pointer, ',') ?? []).flatMap(({ text, span }): Report[] => {
    // The links of a chain are listed by themselves.
    if (/\u2192|->/.test(text) || lines.some((line) => globMatch(line, text))) return [];
    return [{ at: span, message: `${file.path} does not name ${shown(text)}.` }];
  });
}

/** The folder that holds `.codex`. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.codex/'));
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');
}
