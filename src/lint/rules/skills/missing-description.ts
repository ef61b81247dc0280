import type { TextFile } from '../../files/files.js';
import { forSkills, type LintRule, type Report } from '../../project/rule.js';

export const skillMissingDescription: LintRule = {
  id: 'skills/missing-description',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A skill has no description.',
    why: 'The description is all that the model sees of a skill before it loads it; the format of skills requires it (agentskills.io), and some runners leave out a skill that has none.',
    bad: '---\nname: release\n---\nWrite the notes.\n',
    good: '---\nname: release\ndescription: Writes release notes. Use it before a release.\n---\nWrite the notes.\n',
    fix: 'Say in the front matter what the skill does and when to use it.',
  },
  check: forSkills(check),
};

/** A command does not need one; an unreadable head has a rule of its own. */
function check({ text, data, source }: TextFile): readonly Report[] {
  if (text !== 'skill' || (data === null && /^---/.test(source.text))) return [];
  const description = data?.at('/description');
  if (typeof description === 'string' && description.trim() !== '') return [];
  const at = data === null || description === undefined ? source.lineSpan(1) : data.keySpan('/description');
  return [{ at, message: 'This skill has no description, so the model does not know when to use it.' }];
}
