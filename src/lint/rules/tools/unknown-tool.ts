/** tools/unknown-tool: an entry of a tool list names no tool of the runner. */
import { shown } from '../../../policy/sentences.js';
import type { AgentFile } from '../../files.js';
import { toolStanding } from '../../known-tools.js';
import { excludedTools, type LintProject, listedTools } from '../../project.js';
import { forAgents, type LintRule, type Report } from '../../rule.js';
import { meant, suggester } from '../../suggest.js';

export const unknownTool: LintRule = {
  id: 'tools/unknown-tool',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'An entry of a tool list names no tool of the runner.',
    why: 'The entry grants nothing. Often it is another spelling, or the name that another runner has for it.',
    bad: 'tools: Read, Grpe\n',
    good: 'tools: Read, Grep\n',
    fix: 'Write the name as the runner has it, or remove the entry.',
  },
  check: forAgents(check),
};

/** An error in the Codex formats; Claude Code only leaves the entry out. */
function check(agent: AgentFile, project: LintProject): readonly Report[] {
  const declared = project.declaredTools;
  const suggest = suggester();
  const strict = agent.dialect === 'codex-markdown' || agent.dialect === 'codex-yaml';
  return [...listedTools(agent), ...excludedTools(agent)].flatMap(({ text, span }) => {
    // Chains and custom tools have rules of their own; so has a wrong separator.
    if (/→|->|_custom:|;/.test(text)) return [];
    const standing = toolStanding(text, agent.dialect, declared, suggest);
    if (standing.known) return [];
    const what = standing.foreign ? 'is the name that another runner has for a tool' : 'is no tool';
    return [
      {
        at: span,
        message: `${shown(text)} ${what}${meant(standing.suggestion)}`,
        ...(strict ? { severity: 'error' as const } : {}),
        ...(standing.suggestion === null ? {} : { help: `Write ${standing.suggestion}, or remove the entry.` }),
      },
    ];
  });
}
