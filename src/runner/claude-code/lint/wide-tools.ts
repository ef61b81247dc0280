import { reportTogether } from '../../../lint/agents/several.js';
import { openedBy } from '../../../lint/commands/wide-commands.js';
import type { TextFile } from '../../../lint/files/files.js';
import { MOST_TOOLS } from '../../../lint/project/project.js';
import { forSkills, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const skillWideTools: LintRule = {
  id: 'skills/wide-tools',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: '`allowed-tools` of a skill or command lets every command run without a prompt.',
    why: 'As long as the skill is active, what it lists needs no approval: Bash alone, or an interpreter with a wildcard, is any command.',
    bad: '---\ndescription: Runs the tests.\nallowed-tools: Bash, Read\n---\nRun the tests.\n',
    good: '---\ndescription: Runs the tests.\nallowed-tools: Bash(npm test:*), Read\n---\nRun the tests.\n',
    fix: 'List the commands that it needs: Bash(npm test:*).',
  },
  check: forSkills(check),
};

/** One finding per file. Other runners ignore the key or read it differently. */
function check({ runner, data, path }: TextFile): readonly Report[] {
  if (data === null || (runner !== 'claude-code' && runner !== null)) return [];
  const wide = data
    .items('/allowed-tools', ', ')
    .slice(0, MOST_TOOLS)
    .flatMap((item) => {
      const opens = openedBy(item.text);
      return opens === null ? [] : [{ text: item.text, span: item.span, note: opens }];
    });
  const report = reportTogether(
    wide,
    ({ text, note }) => `${shown(text)} lets ${note} run without a prompt while this is active.`,
    (_, list) => `These let commands run without a prompt while this is active: ${list}.`,
  );
  const star = data.items('/allowed-tools', ', ').find(({ text }) => text === '*');
  // Measured with 2.1.197 and 2.1.332.
  if (report === null && star !== undefined && runner !== null)
    return [
      {
        at: star.span,
        message: '"*" allows nothing: Claude Code compares it with names of tools.',
        help: 'Name the tools.',
        severity: 'info',
      },
    ];
  if (report === null) return [];
  // Elsewhere it is in force only where somebody installs it.
  return [{ ...report, ...(!/(?:^|\/)\.claude\//.test(path) && { severity: 'info', persona: 'auditor' }) }];
}
