import type { LintProject } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';
import { grantingSettings } from '../../settings/claude-settings-files.js';

export const noDeny: LintRule = {
  id: 'permissions/no-deny',
  severity: 'info',
  confidence: 'low',
  persona: 'auditor',
  docs: {
    what: 'Settings of Claude Code allow, and deny nothing.',
    why: 'What no rule denies is a question of how a person answers a prompt, or of a mode that asks nothing.',
    bad: '{ "permissions": { "allow": ["Bash(npm test)"] } }\n',
    good: '{ "permissions": { "allow": ["Bash(npm test)"], "deny": ["Read(.env*)", "Bash(git push --force *)"] } }\n',
    fix: 'Deny what must never happen here.',
  },
  check,
};

function check(project: LintProject): readonly Report[] {
  return grantingSettings(project).flatMap(({ granting: { data }, entries }) => {
    const denies = entries.some(({ effect, reach }) => effect === 'deny' && reach.kind !== 'nothing');
    if (data === null || denies) return [];
    return [{ at: data.keySpan('/permissions'), message: 'No deny rule that has an effect stands beside the allow rules.' }];
  });
}
