/** Settings and variables that disable hooks, which a runner obeys silently. */
import { isFields } from '../../../call/fields.js';
import { isMap } from '../../../disk/json-text.js';
import { readSetting } from '../../../disk/setting.js';
import type { InstallPlaces } from '../../../install/target.js';
import { type HookSwitch, type Runner, switchesOff } from '../../../runner/hook/runner.js';
import { readSettingsFile } from '../../surroundings/risky-settings.js';
import { type CheckResult, type DoctorCheck, problem } from '../found/check.js';
import { switchFile } from '../found/switch-file.js';
import { switchVariablesOf } from '../found/switch-variables.js';

const SET = ' is set in ';

export const switches: DoctorCheck = {
  id: 'switches',
  examine: ({ examined, places }) =>
    examined.flatMap(({ runner, hooks, switchedOff }) => {
      const scopes = [...new Set(hooks.map(({ scope }) => scope))];
      const claude = scopes.flatMap((scope) => switchedOff(scope) ?? []);
      const others = offIn(runner.switches ?? [], runner, places);
      const isSpared = runner.hookVariables?.sparesManaged === true && scopes.every((scope) => scope === 'managed');
      return [
        ...[...new Set([...claude, ...others])].map((why) => runsNone(runner, why)),
        ...(isSpared ? [] : switchVariablesOf(runner, places)),
      ];
    }),
};

/** The same for the settings of a project alone. */
export function projectSwitches(runner: Runner, places: InstallPlaces): readonly CheckResult[] {
  const switched = (runner.switches ?? []).filter(({ scope }) => scope === 'project');
  return offIn(switched, runner, places).map((why) => runsNone(runner, why));
}

function runsNone({ id }: Runner, why: string): CheckResult {
  return problem(id, `${id} runs no hook: ${why}`, `take ${why.replace(SET, ' out of ')}`);
}

function offIn(switched: readonly HookSwitch[], runner: Runner, places: InstallPlaces): readonly string[] {
  const off = switched.flatMap((one) => {
    const file = switchFile(runner, one, places);
    return keysOf(one, file).flatMap((key) => (isOff({ ...one, key }, file) ? [key.join('.') + SET + file] : []));
  });
  return [...off, ...oddMaps(switched, runner, places)];
}

/** Returns the matching keys, with each name in the file substituted for `*`. */
function keysOf({ key, format }: HookSwitch, file: string): readonly (readonly string[])[] {
  const any = key.indexOf('*');
  if (any < 0) return [key];
  const table = readSetting(file, format, key.slice(0, any));
  return isFields(table) ? Object.keys(table).map((name) => key.with(any, name)) : [];
}

function isOff(one: HookSwitch, file: string): boolean {
  return switchesOff(one, readSetting(file, one.format, one.key));
}

/** Returns the hook settings that are not maps, with their places. */
function oddMaps(switched: readonly HookSwitch[], runner: Runner, places: InstallPlaces): readonly string[] {
  const keys = runner.hookMaps ?? [];
  const files = keys.length === 0 ? [] : new Set(switched.map((one) => switchFile(runner, one, places)));
  return [...files].flatMap((file) => {
    const read = readSettingsFile(file, 'json');
    if (read === null || typeof read === 'string' || !isMap(read.value)) return [];
    const { value } = read;
    return keys.flatMap((key) => (value.has(key) && !isMap(value.get(key)) ? [`${key} (no map)${SET}${file}`] : []));
  });
}
