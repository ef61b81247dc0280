import { reportTogether } from '../../../lint/agents/several.js';
import { readClaudeRule } from '../../../lint/claude-rules/read.js';
import type { TextFile } from '../../../lint/files/files.js';
import { forSkills, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const skillUnknownTool: LintRule = {
  id: 'skills/unknown-tool',
  severity: 'warning',
  docs: {
    what: '`allowed-tools` of a skill or command names a tool that Claude Code does not have, such as one of another coding agent.',
    why: 'Such an entry allows nothing, without a message: what it was meant for is asked about every time.',
    bad: '---\nname: tidy\ndescription: Tidies the code.\nallowed-tools: shell\n---\nRun the formatter.\n',
    good: '---\nname: tidy\ndescription: Tidies the code.\nallowed-tools: Bash(npm run format:*)\n---\nRun the formatter.\n',
    fix: 'Write the name of Claude Code, in its case: Bash, Read, Edit, Write, Grep, Glob, WebFetch.',
    source: 'skills that were loaded before a call',
    verifiedOn: 'Claude Code 2.1.332',
    runners: ['claude-code'],
  },
  check: forSkills(check),
};

/** A name that no other program has either may be one of a newer version: a note. */
function check({ runner, data }: TextFile): readonly Report[] {
  if (runner !== 'claude-code' || data === null) return [];
  const unknown = data.items('/allowed-tools', ', ').flatMap((item) => {
    const { reach } = readClaudeRule(item.text, 'allow');
    if (item.text === '*' || reach.kind !== 'nothing' || reach.code !== 'unknown-tool') return [];
    const { instead } = reach;
    return [{ text: item.text, span: item.span, instead, ...(instead !== null && { note: `${instead}?` }) }];
  });
  const report = reportTogether(
    unknown,
    ({ text, note }) =>
      `Claude Code has no tool ${shown(text)}, so this allows nothing${note === undefined ? '.' : `; did you mean ${note}`}`,
    (count, list) => `Claude Code has none of these tools, so these ${count} allow nothing: ${list}.`,
  );
  const isSure = unknown.some(({ instead }) => instead !== null);
  return report === null ? [] : [{ ...report, ...(!isSure && { severity: 'info' as const, confidence: 'medium' as const }) }];
}
