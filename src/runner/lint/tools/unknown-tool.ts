import { reportTogether } from '../../../lint/agents/several.js';
import { hasNoToolLeft, uselessEntries } from '../../../lint/agents/tool-entries.js';
import type { AgentFile } from '../../../lint/files/files.js';
import type { LintProject } from '../../../lint/project/project.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { meant } from '../../../lint/text/suggest.js';
import { shown } from '../../../policy/sentences.js';

export const unknownTool: LintRule = {
  id: 'tools/unknown-tool',
  severity: 'warning',
  docs: {
    what: 'Entries of a tool list name no tool of the runner.',
    why: 'Such an entry grants nothing. Often it is another spelling; the name of an MCP server alone is none either.',
    bad: 'tools: Read, Grpe\n',
    good: 'tools: Read, Grep\n',
    fix: 'Write the name as the runner has it, or remove the entry.',
  },
  check: forAgents(check),
};

/** One finding per agent, unless no agent can be started. An error in the Codex formats; Claude Code only ignores the entry. Gemini CLI has a rule of its own. */
function check(agent: AgentFile, project: LintProject): readonly Report[] {
  const { format } = agent;
  if (format === 'gemini-cli' || project.agentsAreOff || hasNoToolLeft(agent, project)) return [];
  const mistakes = uselessEntries(agent, project).flatMap(({ item, standing: { foreign, suggestion } }) =>
    foreign ? [] : [{ text: item.text, span: item.span, suggestion, ...(suggestion === null ? {} : { note: `${suggestion}?` }) }],
  );
  const report = reportTogether(
    mistakes,
    ({ text, suggestion }) => `${shown(text)} is no tool${meant(suggestion)}`,
    (count, list) => `${count} name no tool: ${list}.`,
  );
  if (report === null) return [];
  const suggestion = mistakes.length === 1 ? (mistakes[0]?.suggestion ?? null) : null;
  const help = suggestion === null ? {} : { help: `Write ${suggestion}, or remove the entry.` };
  return [{ ...report, ...severityOf(format), ...help }];
}

function severityOf(format: AgentFile['format']): Pick<Report, 'severity'> {
  if (format === 'codex-markdown' || format === 'codex-yaml') return { severity: 'error' };
  // What Qwen Code does with unknown names was not tested.
  return format === 'qwen-code' ? { severity: 'info' } : {};
}
