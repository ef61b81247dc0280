import { reportTogether } from '../../../lint/agents/several.js';
import { DROPPED_TOOLS, retiredTool } from '../../../lint/claude-rules/known-tools.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { listedTools } from '../../../lint/project/project.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const legacyName: LintRule = {
  id: 'tools/legacy-name',
  severity: 'info',
  docs: {
    what: 'An entry names a tool that Claude Code has renamed or removed.',
    why: 'LS, MultiEdit and NotebookRead grant nothing any more. Other old names still work or stand beside their successor, and only auditors are told.',
    bad: 'tools: Read, MultiEdit\n',
    good: 'tools: Read, Edit\n',
    fix: 'Write the name that the tool has today.',
  },
  check: forAgents(check, 'claude-code'),
};

function check(agent: AgentFile): readonly Report[] {
  const mistakes = listedTools(agent).flatMap((item) => {
    const retired = retiredTool(item.text);
    return retired === null
      ? []
      : [
          {
            text: item.text,
            span: item.span,
            ...retired,
            note: retired.instead === null ? 'it is gone' : `today ${retired.instead}`,
          },
        ];
  });
  // Beside its successor such a name loses nothing.
  const listed = new Set(listedTools(agent).map(({ text }) => text));
  const gone = mistakes.filter(({ text, instead }) => DROPPED_TOOLS.has(text) && instead !== null && !listed.has(instead));
  const report = reportTogether(
    gone.length > 0 ? gone : mistakes,
    ({ text, note }) =>
      `${shown(text)} is an old name${gone.length > 0 ? ' that grants nothing' : ''}; ${note.replace(/^today/, 'today it is')}.`,
    (count, list) => `${count} are old names${gone.length > 0 ? ' that grant nothing' : ''}: ${list}.`,
  );
  return report === null ? [] : [{ ...report, ...(gone.length === 0 && { persona: 'auditor' }) }];
}
