import { protectsSecrets } from '../../claude-rules/secret-files.js';
import type { LintProject } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';
import { grantingSettings } from '../../settings/claude-settings-files.js';

export const secretsReadable: LintRule = {
  id: 'permissions/secrets-readable',
  severity: 'info',
  confidence: 'medium',
  persona: 'auditor',
  docs: {
    what: "No rule of Claude Code's settings keeps an agent from reading secrets.",
    why: 'Reading inside the project needs no permission, .env included, and what was read goes to the model.',
    bad: '{ "permissions": { "allow": ["Bash(npm test)"] } }\n',
    good: '{ "permissions": { "allow": ["Bash(npm test)"], "deny": ["Read(.env*)", "Read(~/.ssh/**)"] } }\n',
    fix: 'Deny Read(.env*), Read(~/.ssh/**), Read(~/.aws/**) and what else holds credentials.',
  },
  check,
};

function check(project: LintProject): readonly Report[] {
  return grantingSettings(project).flatMap(({ granting: { data }, files, entries }) => {
    if (data === null || entries.some(protectsSecrets)) return [];
    if (files.some((file) => Array.isArray(file.data?.at('/sandbox/filesystem/denyRead')))) return [];
    return [
      { at: data.keySpan('/permissions'), message: 'No deny rule keeps an agent from reading .env files or private keys.' },
    ];
  });
}
