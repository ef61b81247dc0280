import { shown } from '../../../policy/sentences.js';
import type { AgentFile } from '../../files/files.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

export const reservedPrefix: LintRule = {
  id: 'naming/reserved-prefix',
  severity: 'info',
  docs: {
    what: 'The name of an agent begins like that of an MCP tool.',
    why: 'mcp__SERVER__TOOL names a tool in rules, matchers and logs; an agent of such a name is taken for one there.',
    bad: '---\nname: mcp__github__reviewer\ndescription: Reviews changes.\n---\n',
    good: '---\nname: github-reviewer\ndescription: Reviews changes.\n---\n',
    fix: 'Choose a name without mcp__.',
  },
  check: forAgents(check),
};

function check({ data }: AgentFile): readonly Report[] {
  const name = data?.at('/name');
  if (data === null || typeof name !== 'string' || !/^mcp__/i.test(name)) return [];
  return [{ at: data.valueSpan('/name'), message: `${shown(name)} begins with mcp__, as the names of MCP tools do.` }];
}
