import type { ConfigFile } from '../../../lint/files/files.js';
import { forConfigs, type LintRule, type Report } from '../../../lint/project/rule.js';
import { pointerTo } from '../../../policy/read/pointer.js';
import { type HookSwitch, meansOn, switchesOff } from '../../hook/runner.js';
import { allRunners } from '../../runners.js';

export const disablesHooks: LintRule = {
  id: 'settings/disables-hooks',
  severity: 'error',
  persona: 'reviewer',
  docs: {
    what: 'Settings of a project switch hooks off, by a key or by a variable in `env`.',
    why: 'Also the hooks of the person who opens the project do not run then, nor the one of this program; the runner says nothing.',
    bad: '{ "disableAllHooks": true }\n',
    good: '{ "disableAllHooks": false }\n',
    fix: 'Take it out of the project.',
  },
  check: forConfigs(check),
};

/** The switches in files of a project. */
const SWITCHES: readonly (HookSwitch & { readonly runner: string })[] = [
  ...allRunners().flatMap(({ id, switches = [] }) =>
    switches.filter(({ scope }) => scope === 'project').map((one) => ({ ...one, runner: id })),
  ),
  // Claude Code's runner file names no switches (these were measured with 2.1.329).
  ...['.claude/settings.json', '.claude/settings.local.json'].map((path) => ({
    ...{ scope: 'project' as const, path, format: 'json' as const, key: ['disableAllHooks'], off: true },
    runner: 'claude-code',
  })),
];

/** Variables in `env` of a project's settings that keep the runner from starting hooks. */
const VARIABLES = allRunners().flatMap(({ id, hookVariables }) =>
  (hookVariables?.files ?? [])
    .filter(({ scope, path }) => scope === 'project' && path.endsWith('.json'))
    .flatMap(({ path }) => (hookVariables?.off ?? []).map((name) => ({ runner: id, path, name }))),
);

function check(file: ConfigFile): readonly Report[] {
  return [...bySettings(file), ...byVariables(file)];
}

function byVariables({ path, data, runner }: ConfigFile): readonly Report[] {
  if (data === null) return [];
  return VARIABLES.flatMap((one): Report[] => {
    const pointer = ['env', one.name].reduce(pointerTo, '');
    if (one.runner !== runner || !`/${path}`.endsWith(`/${one.path}`) || !meansOn(data.at(pointer))) return [];
    const message = `With ${one.name} ${runner} starts no hook for anybody who opens this project, so tool calls go unchecked.`;
    // Newer versions of Claude Code read it only from a person's own settings.
    return [{ at: data.valueSpan(pointer), message, ...(runner === 'claude-code' && { severity: 'warning' as const }) }];
  });
}

function bySettings({ path, data, runner }: ConfigFile): readonly Report[] {
  if (data === null) return [];
  return SWITCHES.flatMap((one): Report[] => {
    if (one.runner !== runner || !`/${path}`.endsWith(`/${one.path}`)) return [];
    const pointer = one.key.reduce(pointerTo, '');
    const value = data.at(pointer);
    if (!switchesOff(one, value)) return [];
    const what = typeof one.off === 'string' ? `the hook "${one.off}"` : 'all hooks';
    const message = `${one.key.join('.')} switches ${what} off for everybody who opens this project, so tool calls go unchecked.`;
    // Observed in Claude Code; for the other runners, only documented.
    return [{ at: data.valueSpan(pointer), message, ...(runner !== 'claude-code' && { severity: 'warning' as const }) }];
  });
}
