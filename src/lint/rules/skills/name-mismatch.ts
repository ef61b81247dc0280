import { shown } from '../../../policy/sentences.js';
import type { TextFile } from '../../files/files.js';
import { forSkills, type LintRule, type Report } from '../../project/rule.js';

export const skillNameMismatch: LintRule = {
  id: 'skills/name-mismatch',
  severity: 'info',
  persona: 'auditor',
  docs: {
    what: 'A skill has another name than its folder.',
    why: 'The format of skills wants them to be the same (agentskills.io). Every runner loads the skill all the same, so that only auditors are told.',
    bad: '# .claude/skills/release/SKILL.md\n---\nname: publish\ndescription: Writes release notes.\n---\n',
    good: '# .claude/skills/release/SKILL.md\n---\nname: release\ndescription: Writes release notes.\n---\n',
    fix: 'Give the folder the name of the skill, or the skill the name of the folder.',
  },
  check: forSkills(check),
};

function check({ text, path, data }: TextFile): readonly Report[] {
  const name = data?.at('/name');
  const folder = /([^/]+)\/SKILL\.md$/.exec(path)?.[1];
  if (text !== 'skill' || data === null || typeof name !== 'string' || folder === undefined || name === folder) return [];
  return [{ at: data.valueSpan('/name'), message: `The skill is called ${shown(name)}, its folder ${shown(folder)}.` }];
}
