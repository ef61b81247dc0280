import { codexProfiles } from '../../../lint/codex/profiles.js';
import type { ConfigFile, PolicyFile } from '../../../lint/files/files.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import { isPresetName } from '../../../policy/presets.js';
import { shown } from '../../../policy/sentences.js';
import { mapPreset } from '../profile.js';

export const codexOtherThanPreset: LintRule = {
  id: 'codex/other-than-preset',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'The configuration of Codex says something else than the preset of the policy stands for.',
    why: 'readOnly and inspect stand for a read-only sandbox, safe, develop and all for one in which files can be written. A sandbox that is wider leaves only the hook between the agent and the files; one that is narrower makes what the policy allows fail.',
    bad: '# .codex/config.toml, beside a policy.yaml with preset: readOnly\nsandbox_mode = "workspace-write"\n',
    good: '# .codex/config.toml, beside a policy.yaml with preset: readOnly\nsandbox_mode = "read-only"\n',
    fix: 'Write the sandbox that the message names, or choose another preset.',
    source: 'the original document on Codex runner permissions; developers.openai.com/codex: configuration',
    verifiedOn: 'Codex 0.169.0',
    runners: ['codex'],
  },
  check: ({ configs, policies }) =>
    configs.filter(({ config }) => config === 'codex-config').flatMap((file) => check(file, policyFor(file.path, policies))),
};

/** Values of the two keys, narrow and wide; codex/danger-full-access reports the widest ones. */
const KEYS = [
  { key: 'sandbox_mode', readOnly: 'read-only', writing: 'workspace-write' },
  { key: 'default_permissions', readOnly: ':read-only', writing: ':workspace' },
] as const;

function check({ data, path }: ConfigFile, policy: PolicyFile | null): readonly Report[] {
  const preset = policy?.data?.at('/preset');
  if (data === null || policy === null || typeof preset !== 'string' || !isPresetName(preset)) return [];
  const onlyReads = mapPreset(preset).sandbox === 'read-only';
  const related = policy.data === null ? [] : [{ ...policy.data.valueSpan('/preset'), message: 'the preset' }];
  return codexProfiles(data, path).flatMap(({ pointer }) =>
    KEYS.flatMap(({ key, readOnly, writing }): Report[] => {
      const value = data.at(`${pointer}/${key}`);
      if (value !== (onlyReads ? writing : readOnly)) return [];
      const at = data.valueSpan(`${pointer}/${key}`);
      const means = onlyReads ? 'only reads' : 'lets files be changed';
      const message = `The preset ${preset} ${means}, and this sandbox ${onlyReads ? 'lets files be changed' : 'does not'}.`;
      const help = `Write ${shown(onlyReads ? readOnly : writing)}, or choose another preset.`;
      return [{ at, message, help, related, ...(!onlyReads && { severity: 'info' as const }) }];
    }),
  );
}

/** Returns the policy of the nearest folder above; the shared policy takes precedence over a person's own. */
function policyFor(path: string, policies: readonly PolicyFile[]): PolicyFile | null {
  const above = policies.filter(({ foreign, path: policy }) => !foreign && path.startsWith(folderOf(policy)));
  const nearest = [...above].sort(
    (left, right) => folderOf(right.path).length - folderOf(left.path).length || (left.layer === 'project' ? -1 : 1),
  );
  return nearest[0] ?? null;
}

/** Returns the folder that a policy is about: for a user's own, the home folder. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1).replace(/(^|\/)\.config\/policy\/$/, '$1');
}
