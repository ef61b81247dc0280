import type { ConfigFile } from '../../files/files.js';
import type { ConfigKind } from '../../places/place.js';
import { forConfigs, type LintRule, type Report } from '../../project/rule.js';

/** The setting in which each runner remembers that a person read the warning. */
const ANSWERS: Partial<Readonly<Record<ConfigKind, readonly string[]>>> = {
  'claude-settings': ['/skipDangerousModePermissionPrompt', '/bypassPermissionsModeAccepted'],
  'codex-config': ['/notice/hide_full_access_warning'],
};

export const skipDangerPrompt: LintRule = {
  id: 'settings/skip-danger-prompt',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'Settings of a project answer the warning before a mode without questions.',
    why: 'The runner writes this into the settings of a person who read the warning; in a project it says so for everybody.',
    bad: '{ "skipDangerousModePermissionPrompt": true }\n',
    good: '{ "permissions": { "defaultMode": "default" } }\n',
    fix: 'Take it out of the project.',
  },
  check: forConfigs(check),
};

function check({ config, data }: ConfigFile): readonly Report[] {
  if (data === null) return [];
  return (ANSWERS[config] ?? []).flatMap((pointer) => {
    if (data.at(pointer) !== true) return [];
    const key = pointer.slice(1).replace('/', '.');
    return [
      { at: data.valueSpan(pointer), message: `${key} answers the warning before a mode without questions for everybody.` },
    ];
  });
}
