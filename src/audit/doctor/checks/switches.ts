/** Settings that switch hooks off, which a runner obeys without a word. */
import { dirname, join } from 'node:path';
import { readSetting } from '../../../enforce/install/setting.js';
import { hookPath, type InstallPlaces } from '../../../enforce/install/target.js';
import { isFields } from '../../../runner/payload.js';
import type { HookSwitch, Runner } from '../../../runner/runner.js';
import { type DoctorCheck, problem } from '../check.js';

export const switches: DoctorCheck = {
  id: 'switches',
  examine: ({ examined, places }) =>
    examined.flatMap(({ runner, hooks, switchedOff }) => {
      const scopes = [...new Set(hooks.map(({ scope }) => scope))];
      const claude = scopes.flatMap((scope) => switchedOff(scope) ?? []);
      const others = (runner.switches ?? []).flatMap((one) => {
        const file = fileOf(runner, one, places);
        return keysOf(one, file).flatMap((key) => (isOff({ ...one, key }, file) ? [`${key.join('.')} is set in ${file}`] : []));
      });
      return [...new Set([...claude, ...others])].map((why) =>
        problem(runner.id, `${runner.id} runs no hook: ${why}`, `take ${why.split(' ')[0]} out of ${why.split(' ').at(-1)}`),
      );
    }),
};

/** Beside the hook's own file, where the runner's folder was moved. */
function fileOf(runner: Runner, { scope, path }: HookSwitch, places: InstallPlaces): string {
  if (scope === 'managed') return join(places.machine || '/', path);
  if (scope === 'project') return join(places.project, path);
  const hooks = runner.places.user?.path ?? '';
  const [folder = '', ...below] = path.split('/');
  const moved = hookPath(runner, 'user', places);
  if (moved === null || !hooks.startsWith(`${folder}/`)) return join(places.home, path);
  const levels = hooks.split('/').length - 1;
  return join(
    Array.from({ length: levels }).reduce<string>((at) => dirname(at), moved),
    ...below,
  );
}

/** The keys that are meant, each name of the file in the place of `*`. */
function keysOf({ key, format }: HookSwitch, file: string): readonly (readonly string[])[] {
  const any = key.indexOf('*');
  if (any < 0) return [key];
  const table = readSetting(file, format, key.slice(0, any));
  return isFields(table) ? Object.keys(table).map((name) => key.with(any, name)) : [];
}

function isOff({ key, off, format }: HookSwitch, file: string): boolean {
  const value = readSetting(file, format, key);
  return typeof off === 'string' ? Array.isArray(value) && value.includes(off) : value === off;
}
