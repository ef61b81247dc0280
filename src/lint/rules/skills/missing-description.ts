import type { TextFile } from '../../files/files.js';
import { isOfPlugin } from '../../places/plugin-files.js';
import { type LintProject, pluginsOf } from '../../project/project.js';
import { forSkills, type LintRule, type Report } from '../../project/rule.js';
import { notLoadedBy, skillReaders } from '../../skills/readers.js';

export const skillMissingDescription: LintRule = {
  id: 'skills/missing-description',
  severity: 'info',
  byFolder: true,
  docs: {
    what: 'A skill has no description.',
    why: 'The description is all that the model sees of a skill before it loads it. Codex, Gemini CLI and Qwen Code leave out a skill that has none; Claude Code and Copilot CLI show the beginning of its text instead; Claude Code does not show a skill of a plugin at all.',
    bad: '# .codex/skills/release/SKILL.md\n---\nname: release\n---\nWrite the notes.\n',
    good: '# .codex/skills/release/SKILL.md\n---\nname: release\ndescription: Writes release notes. Use it before a release.\n---\nWrite the notes.\n',
    fix: 'Add description: to the front matter: what the skill does, and when to use it.',
    verifiedOn: 'Codex 0.171.0, Gemini CLI 0.61.0, Copilot CLI 1.0.102; the source of Qwen Code 0.24.4',
  },
  check: forSkills(check),
};

/** Another front matter with a description, directly below the first. */
const SECOND_HEAD = /^---[ \t\r]*\n[\s\S]{0,4000}?\n---[ \t\r]*\n\s{0,20}---[ \t\r]*\n(?:[^\n]{0,1000}\n){0,20}?description:/;

/** A command does not need one; an unreadable head has a rule of its own. */
function check(file: TextFile, project: LintProject): readonly Report[] {
  const { text, data, source } = file;
  if (text !== 'skill' || (data === null && /^---/.test(source.text))) return [];
  const description = data?.at('/description');
  if (typeof description === 'string' && description.trim() !== '') return [];
  const at = data === null || description === undefined ? source.lineSpan(1) : data.keySpan('/description');
  if (SECOND_HEAD.test(source.text))
    return [
      {
        at,
        message: 'The description stands in a second front matter, which no client reads.',
        help: 'Merge the two into one.',
      },
    ];
  const readers = skillReaders(file);
  const [hidden] = readers.filter(({ needsDescriptionInPlugin }) => needsDescriptionInPlugin === true);
  if (hidden !== undefined && pluginsOf(project).some((root) => isOfPlugin(file.path, root)))
    return [
      {
        at,
        message: `${hidden.title} does not show this skill of a plugin to the model, since it has no description.`,
        severity: 'warning',
      },
    ];
  const strict = readers.filter(({ needsDescription }) => needsDescription === true);
  if (strict.length > 0) return [{ at, message: `${notLoadedBy(strict)}, since it has no description.`, severity: 'warning' }];
  return [
    { at, message: 'This skill has no description, so the model has to tell from the beginning of its text when to use it.' },
  ];
}
