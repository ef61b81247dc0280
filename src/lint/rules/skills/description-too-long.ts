import type { TextFile } from '../../files/files.js';
import { forSkills, type LintRule, type Report } from '../../project/rule.js';
import { notLoadedBy, skillReaders } from '../../skills/readers.js';

export const skillDescriptionTooLong: LintRule = {
  id: 'skills/description-too-long',
  severity: 'warning',
  docs: {
    what: 'The description of a skill is longer than its runner takes.',
    why: 'Copilot CLI leaves out a skill with more than 1024 characters. Codex shows the model the first 1024, Claude Code the first 1536: when to use the skill often stands at the end.',
    bad: '# .github/skills/release/SKILL.md\n---\nname: release\ndescription: (two pages)\n---\n',
    good: '# .github/skills/release/SKILL.md\n---\nname: release\ndescription: Writes release notes. Use it before a release.\n---\n',
    fix: 'Say in one or two sentences what the skill does and when to use it.',
    verifiedOn: 'Codex 0.171.0, Copilot CLI 1.0.102; the source of Claude Code 2.1.332 (skillListingMaxDescChars)',
  },
  check: forSkills(check),
};

function check(file: TextFile): readonly Report[] {
  const { text, data } = file;
  const description = data?.at('/description');
  if (text !== 'skill' || data === null || typeof description !== 'string') return [];
  const { length } = description;
  const readers = skillReaders(file).filter(({ longestDescription = Infinity }) => length > longestDescription);
  const dropping = readers.filter(({ cutsDescription }) => cutsDescription !== true);
  const says = [
    ...(dropping.length === 0 ? [] : [`${notLoadedBy(dropping)}, which may have ${dropping[0]?.longestDescription}`]),
    ...readers
      .filter(({ cutsDescription }) => cutsDescription === true)
      .map(({ title, longestDescription }) => `${title} shows the model the first ${longestDescription} of them`),
  ];
  if (says.length === 0) return [];
  return [{ at: data.keySpan('/description'), message: `The description has ${length} characters: ${says.join('; ')}.` }];
}
