import { codexProfiles } from '../../../lint/codex/profiles.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import type { LocatedText } from '../../../lint/text/located-text.js';

export const roleTwoSandboxes: LintRule = {
  id: 'codex/role-two-sandboxes',
  severity: 'warning',
  docs: {
    what: 'A role or the configuration of Codex sets sandbox_mode and default_permissions.',
    why: 'They are two ways to say the same; beside sandbox_mode Codex leaves the profile of default_permissions out.',
    bad: 'name = "reviewer"\ndescription = "Reviews."\ndeveloper_instructions = "Read."\nsandbox_mode = "workspace-write"\ndefault_permissions = ":read-only"\n',
    good: 'name = "reviewer"\ndescription = "Reviews."\ndeveloper_instructions = "Read."\ndefault_permissions = ":read-only"\n',
    fix: 'Keep one of the two.',
  },
  check: ({ agents, configs }) => [
    ...agents.flatMap(({ format, data }) => (format !== 'codex' || data === null ? [] : check(data, ''))),
    ...configs.flatMap(({ config, data, path }) =>
      config !== 'codex-config' || data === null ? [] : codexProfiles(data, path).flatMap(({ pointer }) => check(data, pointer)),
    ),
  ],
};

function check(data: LocatedText, pointer: string): readonly Report[] {
  const [older, newer] = [`${pointer}/sandbox_mode`, `${pointer}/default_permissions`];
  if (data.at(older) === undefined || data.at(newer) === undefined) return [];
  const { file, line, column } = data.keySpan(older);
  const message = 'Beside sandbox_mode this has no effect.';
  return [{ at: data.keySpan(newer), message, related: [{ message: 'sandbox_mode', file, line, column }] }];
}
