import type { TextFile } from '../../files/files.js';
import { forSkills, type LintRule, type Report } from '../../project/rule.js';

const LONGEST = 1024;

export const skillDescriptionTooLong: LintRule = {
  id: 'skills/description-too-long',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'The description of a skill is longer than 1024 characters.',
    why: 'That is the limit of the format (agentskills.io): such a skill cannot be uploaded, and some runners leave it out or cut its description.',
    bad: '---\nname: release\ndescription: (two pages)\n---\n',
    good: '---\nname: release\ndescription: Writes release notes. Use it before a release.\n---\n',
    fix: 'Say in one or two sentences what the skill does and when to use it.',
  },
  check: forSkills(check),
};

function check({ text, data }: TextFile): readonly Report[] {
  const description = data?.at('/description');
  if (text !== 'skill' || data === null || typeof description !== 'string' || description.length <= LONGEST) return [];
  const message = `The description has ${description.length} characters; a skill's has at most ${LONGEST}.`;
  return [{ at: data.keySpan('/description'), message }];
}
