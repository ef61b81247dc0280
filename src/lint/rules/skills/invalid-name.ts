import { shown } from '../../../policy/sentences.js';
import type { TextFile } from '../../files/files.js';
import { forSkills, type LintRule, type Report } from '../../project/rule.js';
import { notLoadedBy, skillReaders } from '../../skills/readers.js';

export const skillInvalidName: LintRule = {
  id: 'skills/invalid-name',
  severity: 'warning',
  docs: {
    what: 'The name of a skill keeps a runner from loading it, or is not what the format of skills asks for.',
    why: 'Codex and Copilot CLI leave out a skill whose name is longer than 64 characters, Qwen Code one with a space in its name. Other names that the format (agentskills.io) forbids are loaded by every runner, so that they are reported only to auditors.',
    bad: '# .qwen/skills/release/SKILL.md\n---\nname: Release Notes\ndescription: Writes release notes.\n---\n',
    good: '# .qwen/skills/release/SKILL.md\n---\nname: release-notes\ndescription: Writes release notes.\n---\n',
    fix: 'Write at most 64 lower-case letters, digits and single hyphens.',
    verifiedOn: 'Codex 0.171.0, Copilot CLI 1.0.102, Gemini CLI 0.61.0, OpenCode 1.18.33; the source of Qwen Code 0.24.4',
  },
  check: forSkills(check),
};

function check(file: TextFile): readonly Report[] {
  const { text, data } = file;
  const name = data?.at('/name');
  if (text !== 'skill' || data === null || typeof name !== 'string' || name.trim() === '') return [];
  const at = data.valueSpan('/name');
  const readers = skillReaders(file);
  const tooLong = readers.filter(({ longestName = Infinity }) => name.length > longestName);
  if (tooLong.length > 0)
    return [
      {
        at,
        message: `${notLoadedBy(tooLong)}: its name has ${name.length} characters, and may have ${tooLong[0]?.longestName}.`,
      },
    ];
  const strict = readers.filter(({ names }) => names !== undefined && !new RegExp(names, 'u').test(name));
  if (strict.length > 0)
    return [
      {
        at,
        message: `${notLoadedBy(strict)}: its name ${shown(name)} holds other characters than letters, digits, _ : . and -.`,
      },
    ];
  if (/^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return [];
  const message = `The name ${shown(name)} is not what the format of skills asks for; every runner loads it all the same.`;
  return [{ at, message, severity: 'info', persona: 'auditor' }];
}
