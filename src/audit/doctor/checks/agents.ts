/** Whether the hook reaches every agent: a definition with a configuration of its own may drop the hook. */
import { dirname, join } from 'node:path';
import { traitsOf } from '../../../call/traits.js';
import { namesIn } from '../../../disk/folder-entries.js';
import { readSetting } from '../../../disk/setting.js';
import { hookPath } from '../../../install/target.js';
import { type DoctorCheck, problem } from '../found/check.js';

const MOST_FILES = 1_000;

export const agents: DoctorCheck = {
  id: 'agents',
  examine: ({ examined, places }) =>
    examined.flatMap(({ runner, hooks }) => {
      if (!traitsOf(runner.id).agentsAreLayers || hooks.length === 0) return [];
      return (['user', 'project'] as const).flatMap((scope) => {
        const file = hookPath(runner, scope, places);
        const folder = file === null ? null : join(dirname(file), 'agents');
        return folder === null
          ? []
          : tomlFiles(folder)
              .filter(
                (path) =>
                  readSetting(path, 'toml', ['features', 'hooks']) === false ||
                  readSetting(path, 'toml', ['hooks']) !== undefined,
              )
              .map((path) =>
                problem(
                  runner.id,
                  `The agent in ${path} has its own hooks or none, so ours may not apply to it`,
                  `take hooks out of ${path}`,
                ),
              );
      });
    }),
};

function tomlFiles(folder: string): readonly string[] {
  const names = namesIn(folder).filter((name) => name.endsWith('.toml'));
  return names.slice(0, MOST_FILES).map((name) => join(folder, name));
}
