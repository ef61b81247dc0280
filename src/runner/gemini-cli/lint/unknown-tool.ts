import { reportTogether } from '../../../lint/agents/several.js';
import { uselessEntries } from '../../../lint/agents/tool-entries.js';
import type { AgentFile } from '../../../lint/files/files.js';
import type { LintProject } from '../../../lint/project/project.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const geminiUnknownTool: LintRule = {
  id: 'gemini/unknown-tool',
  severity: 'error',
  docs: {
    what: 'The tool list of a Gemini CLI agent has a name that Gemini CLI does not take.',
    why: 'One such name, and Gemini CLI does not load the file at all (verified with 0.61).',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\ntools: [Read]\n---\nRead the diff first.\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: [read_file]\n---\nRead the diff first.\n',
    fix: 'Write the names of Gemini CLI (read_file, grep_search, run_shell_command …), mcp_SERVER_TOOL, or *.',
  },
  check: forAgents(check, 'gemini-cli'),
};

/** Tools of older versions. */
const OTHER_VERSIONS = new Set(['save_memory', 'delegate_to_agent']);
/** A name of this form could be a tool of a version not known here, so that is less certain. */
const PLAUSIBLE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/;

function check(agent: AgentFile, project: LintProject): readonly Report[] {
  const mistakes = uselessEntries(agent, project)
    .filter(({ item: { text } }) => !text.startsWith('discovered_tool_') && !OTHER_VERSIONS.has(text))
    .map(({ item, standing: { foreign, suggestion } }) => ({
      text: item.text,
      span: item.span,
      suggestion,
      isCertain: foreign || !PLAUSIBLE.test(item.text),
      ...(suggestion === null ? {} : { note: foreign ? `here ${suggestion}` : `${suggestion}?` }),
    }));
  const certain = mistakes.filter(({ isCertain }) => isCertain);
  const report = reportTogether(
    certain.length > 0 ? certain : mistakes,
    ({ text }) => `Gemini CLI has no tool ${shown(text)}, and does not load an agent that lists it.`,
    (count, list) => `${count} are no tools of Gemini CLI, which does not load an agent that lists them: ${list}.`,
  );
  if (report === null) return [];
  const suggestion = mistakes.length === 1 ? (mistakes[0]?.suggestion ?? null) : null;
  const help = suggestion === null ? {} : { help: `Write ${suggestion}, or remove the entry.` };
  return [{ ...report, ...(certain.length > 0 ? {} : { confidence: 'medium' as const }), ...help }];
}
