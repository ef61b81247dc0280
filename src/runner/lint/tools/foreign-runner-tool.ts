import { reportTogether } from '../../../lint/agents/several.js';
import { hasNoToolLeft, uselessEntries } from '../../../lint/agents/tool-entries.js';
import type { AgentFile } from '../../../lint/files/files.js';
import type { LintProject } from '../../../lint/project/project.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const foreignRunnerTool: LintRule = {
  id: 'tools/foreign-runner-tool',
  severity: 'warning',
  docs: {
    what: 'A tool list has names that only other runners use.',
    why: 'The runner leaves such names out, so the agent has fewer tools than its list says. Often the file was written for another runner.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read, run_shell_command\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read, Bash\n---\n',
    fix: 'Write the names that this runner has for these tools.',
  },
  check: forAgents(check),
};

/** One finding per agent; if no entry of the list is left, tools/resolves-to-nothing reports it. */
function check(agent: AgentFile, project: LintProject): readonly Report[] {
  const { format, guessed } = agent;
  if (format === 'gemini-cli' || hasNoToolLeft(agent, project)) return [];
  const mistakes = uselessEntries(agent, project).flatMap(({ item, standing: { foreign, suggestion } }) =>
    foreign
      ? [{ text: item.text, span: item.span, suggestion, ...(suggestion === null ? {} : { note: `here ${suggestion}` }) }]
      : [],
  );
  const report = reportTogether(
    mistakes,
    ({ text }) => `${shown(text)} is the name that another runner has for a tool; it grants nothing here.`,
    (count, list) => `${count} are names that other runners use, and grant nothing here: ${list}.`,
  );
  if (report === null) return [];
  const suggestion = mistakes.length === 1 ? (mistakes[0]?.suggestion ?? null) : null;
  return [
    {
      ...report,
      ...(guessed || format === 'qwen-code' ? { severity: 'info' as const } : {}),
      ...(suggestion === null ? {} : { help: `Write ${suggestion}, or remove the entry.` }),
    },
  ];
}
