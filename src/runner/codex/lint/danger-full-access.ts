import { codexProfiles } from '../../../lint/codex/profiles.js';
import type { ConfigFile } from '../../../lint/files/files.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';

export const dangerFullAccess: LintRule = {
  id: 'codex/danger-full-access',
  severity: 'error',
  persona: 'reviewer',
  docs: {
    what: 'The configuration of Codex switches its sandbox off.',
    why: 'Commands then run with all rights of the person. With approval_policy "never" nobody sees them before they run.',
    bad: '# .codex/config.toml\nsandbox_mode = "danger-full-access"\n',
    good: '# .codex/config.toml\nsandbox_mode = "workspace-write"\n',
    fix: 'Write workspace-write or read-only.',
  },
  check: ({ configs }) => configs.filter(({ config }) => config === 'codex-config').flatMap(check),
};

function check({ data, path }: ConfigFile): readonly Report[] {
  if (data === null) return [];
  return codexProfiles(data, path).flatMap(({ pointer, name }): Report[] => {
    if (data.at(`${pointer}/sandbox_mode`) !== 'danger-full-access') return [];
    const who = name === null ? 'Codex' : `The profile ${name}`;
    const asks = data.at(`${pointer}/approval_policy`) !== 'never';
    return [
      {
        at: data.valueSpan(`${pointer}/sandbox_mode`),
        message: `${who} runs commands without a sandbox${asks ? '.' : ', and asks nobody.'}`,
      },
    ];
  });
}
