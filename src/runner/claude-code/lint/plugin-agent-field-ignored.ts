import { reportTogether } from '../../../lint/agents/several.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { isAgentOfPlugin, type PluginRoot } from '../../../lint/places/plugin-files.js';
import { pluginsOf } from '../../../lint/project/project.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const pluginAgentFieldIgnored: LintRule = {
  id: 'claude/plugin-agent-field-ignored',
  severity: 'warning',
  docs: {
    what: 'An agent of a plugin has fields that Claude Code ignores there.',
    why: 'An agent that comes with a plugin brings no hooks, no MCP servers and no permission mode of its own (code.claude.com/docs, plugins reference).',
    bad: '# agents/reviewer.md beside .claude-plugin/plugin.json\n---\nname: reviewer\ndescription: Reviews changes.\npermissionMode: plan\n---\n',
    good: '# agents/reviewer.md beside .claude-plugin/plugin.json\n---\nname: reviewer\ndescription: Reviews changes.\ntools: Read\n---\n',
    fix: 'Move hooks and MCP servers to the plugin itself (hooks/hooks.json, .mcp.json), and remove the field.',
  },
  check: (project) => {
    const roots = pluginsOf(project);
    return roots.length === 0 ? [] : project.agents.flatMap((agent) => check(agent, roots));
  },
};

const IGNORED = ['hooks', 'mcpServers', 'permissionMode'];

function check({ path, format, data }: AgentFile, roots: readonly PluginRoot[]): readonly Report[] {
  if (format !== 'claude-code' || data === null || /(?:^|\/)\.claude\/agents\//.test(path)) return [];
  const mistakes = IGNORED.filter((key) => data.keys.includes(key)).map((key) => ({ text: key, span: data.keySpan(`/${key}`) }));
  if (mistakes.length === 0 || !isAgentOfPlugin(path, roots)) return [];
  const report = reportTogether(
    mistakes,
    ({ text }) => `Claude Code ignores ${shown(text)} in an agent of a plugin.`,
    (_, list) => `Claude Code ignores these fields in an agent of a plugin: ${list}.`,
  );
  return report === null ? [] : [report];
}
