import { reportTogether } from '../../agents/several.js';
import type { AgentFile } from '../../files/files.js';
import { listedTools } from '../../project/project.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

export const badSeparator: LintRule = {
  id: 'tools/bad-separator',
  severity: 'error',
  docs: {
    what: 'The entries of a tool list are separated by something else than commas.',
    why: 'Claude Code reads `Read; Grep` as a tool called `Read;` and Grep: the first one is lost.',
    bad: 'tools: Read; Grep\n',
    good: 'tools: Read, Grep\n',
    fix: 'Separate the names with commas, or write a YAML list.',
  },
  check: forAgents(check),
};

function check(agent: AgentFile): readonly Report[] {
  const mistakes = listedTools(agent).filter(({ text }) => /[;|]/.test(text) && !text.includes('('));
  const separator = /[;|]/.exec(mistakes[0]?.text ?? '')?.[0] ?? '';
  const report = reportTogether(
    mistakes,
    () => `"${separator}" separates nothing here; the name before it is lost.`,
    (count, list) => `"${separator}" separates nothing here; ${count} are lost: ${list}.`,
  );
  return report === null ? [] : [{ ...report, ...(agent.guessed ? { severity: 'warning' as const } : {}) }];
}
