import { shown } from '../../../policy/sentences.js';
import type { TextFile } from '../../files/files.js';
import { forSkills, type LintRule, type Report } from '../../project/rule.js';

const LONGEST = 64;

export const skillInvalidName: LintRule = {
  id: 'skills/invalid-name',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'The name of a skill is not written as the format of skills wants it.',
    why: 'Lower-case letters, digits and single hyphens, at most 64 characters (agentskills.io): a skill with another name cannot be uploaded, and some runners leave it out.',
    bad: '---\nname: Release Notes\ndescription: Writes release notes.\n---\n',
    good: '---\nname: release-notes\ndescription: Writes release notes.\n---\n',
    fix: 'Write lower-case letters, digits and single hyphens.',
  },
  check: forSkills(check),
};

function check({ text, data }: TextFile): readonly Report[] {
  const name = data?.at('/name');
  if (text !== 'skill' || data === null || typeof name !== 'string' || name.trim() === '') return [];
  const at = data.valueSpan('/name');
  if (name.length > LONGEST)
    return [{ at, message: `The name has ${name.length} characters; a skill's has at most ${LONGEST}.` }];
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return [];
  return [{ at, message: `The name ${shown(name)} is not in kebab-case, as a skill's has to be.` }];
}
