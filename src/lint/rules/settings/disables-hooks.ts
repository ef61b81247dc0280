/** settings/disables-hooks: settings of a project switch hooks off. */

import { pointerTo } from '../../../policy/pointer.js';
import { allRunners } from '../../../runner/registry.js';
import type { HookSwitch } from '../../../runner/runner.js';
import type { ConfigFile } from '../../files.js';
import { forConfigs, type LintRule, type Report } from '../../rule.js';

export const disablesHooks: LintRule = {
  id: 'settings/disables-hooks',
  severity: 'error',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'Settings of a project switch hooks off.',
    why: 'Also the hooks of the person who opens the project do not run then, nor the one of this program; the runner says nothing.',
    bad: '{ "disableAllHooks": true }\n',
    good: '{ "disableAllHooks": false }\n',
    fix: 'Take it out of the project.',
  },
  check: forConfigs(check),
};

/** In a project, and the machine's own file, which may lie in a repository that is rolled out. */
const SWITCHES: readonly (HookSwitch & { readonly runner: string })[] = [
  ...allRunners().flatMap(({ id, switches = [] }) =>
    switches.filter(({ scope }) => scope === 'project').map((one) => ({ ...one, runner: id })),
  ),
  // Of Claude Code the runner's file names none (measured with 2.1.329).
  ...['.claude/settings.json', '.claude/settings.local.json'].map((path) => ({
    ...{ scope: 'project' as const, path, format: 'json' as const, key: ['disableAllHooks'], off: true },
    runner: 'claude-code',
  })),
];

function check({ path, data, runner }: ConfigFile): readonly Report[] {
  if (data === null) return [];
  return SWITCHES.flatMap((one): Report[] => {
    if (one.runner !== runner || !`/${path}`.endsWith(`/${one.path}`)) return [];
    const pointer = one.key.reduce(pointerTo, '');
    const value = data.at(pointer);
    const isOff = typeof one.off === 'string' ? Array.isArray(value) && value.includes(one.off) : value === one.off;
    if (!isOff) return [];
    const what = typeof one.off === 'string' ? `the hook "${one.off}"` : 'all hooks';
    const message = `${one.key.join('.')} switches ${what} off for everybody who opens this project, so tool calls go unchecked.`;
    // Seen in the client; of the other runners their documentation says so.
    return [{ at: data.valueSpan(pointer), message, ...(runner !== 'claude-code' && { severity: 'warning' as const }) }];
  });
}
