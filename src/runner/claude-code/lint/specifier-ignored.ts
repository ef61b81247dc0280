import { reportTogether } from '../../../lint/agents/several.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { listedTools } from '../../../lint/project/project.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const specifierIgnored: LintRule = {
  id: 'tools/specifier-ignored',
  severity: 'error',
  persona: 'reviewer',
  docs: {
    what: 'An entry of a Claude Code tool list has a pattern in parentheses.',
    why: 'Claude Code takes `Bash(git:*)` in `tools` for plain Bash: the agent can run every command.',
    bad: 'tools: Read, Bash(git:*)\n',
    good: 'tools: Read, Bash\npolicy:\n  allow: [Bash(git *)]\n',
    fix: 'List the bare tool and write the pattern as a rule of the policy or of the definition’s own `policy:` map.',
  },
  check: forAgents(check, 'claude-code'),
};

/** Tools of which it was seen that a pattern limits nothing here; `Agent(name)` does. */
const UNLIMITED = /^(?:Bash|PowerShell|Read|Edit|Write|NotebookEdit|Glob|Grep|WebFetch|WebSearch|mcp__[^(]+)\(.*\)$/s;

/** One finding per agent. */
function check(agent: AgentFile): readonly Report[] {
  const mistakes = listedTools(agent).filter(({ text }) => UNLIMITED.test(text));
  const tools = [...new Set(mistakes.map(({ text }) => text.slice(0, text.indexOf('('))))].slice(0, 5).join(', ');
  const report = reportTogether(
    mistakes,
    ({ text }) => `${shown(text)} restricts nothing here; the agent has ${tools} without limits.`,
    (count, list) => `${count} have patterns that restrict nothing here; the agent has ${tools} without limits: ${list}.`,
  );
  return report === null ? [] : [{ ...report, ...(agent.guessed ? { severity: 'warning' as const } : {}) }];
}
