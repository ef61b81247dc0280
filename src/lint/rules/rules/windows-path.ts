import { shown } from '../../../policy/sentences.js';
import { fixWith } from '../../claude-rules/covered.js';
import { type ClaudeEntry, replacing, specifierSpan } from '../../claude-rules/entries.js';
import { isWindowsPath } from '../../claude-rules/path.js';
import type { LintRule, Report } from '../../project/rule.js';
import { forEachClaudeRule } from '../../settings/claude-rule-checks.js';

export const windowsPath: LintRule = {
  id: 'rules/windows-path',
  severity: 'warning',
  docs: {
    what: 'A path pattern is written with backslashes or a drive letter.',
    why: 'Patterns of Claude Code are those of gitignore, on Windows, too: a backslash takes the meaning from what follows it, and C: is the name of a folder. The drive is written as //c/.',
    bad: '{ "permissions": { "deny": ["Read(C:\\\\Users\\\\ana\\\\.ssh\\\\**)"] } }\n',
    good: '{ "permissions": { "deny": ["Read(//c/Users/ana/.ssh/**)"] } }\n',
    fix: 'Write slashes, and //c/ for the drive.',
  },
  check: forEachClaudeRule(check),
};

function check(entry: ClaudeEntry): readonly Report[] {
  const { canonical, specifier, tool } = entry;
  if ((canonical !== 'Read' && canonical !== 'Edit') || specifier === null || !isWindowsPath(specifier)) return [];
  const slashes = specifier.replace(/\\+/g, '/');
  const instead = `${tool}(${slashes.replace(/^([A-Za-z]):\/*/, (_, drive: string) => `//${drive.toLowerCase()}/`)})`;
  const share = specifier.startsWith('\\');
  return [
    {
      at: specifierSpan(entry),
      message: `${shown(specifier)} is written as on Windows, where patterns have slashes as well.`,
      ...(share ? {} : { help: `Write ${instead}.`, ...fixWith(replacing(entry, instead)) }),
    },
  ];
}
