/** Settings and variables that switch hooks off, which a runner obeys without a word. */
import { readSetting } from '../../../enforce/install/setting.js';
import { isFields } from '../../../runner/payload.js';
import type { HookSwitch } from '../../../runner/runner.js';
import { type DoctorCheck, problem } from '../check.js';
import { switchFile } from '../switch-file.js';
import { switchVariablesOf } from '../switch-variables.js';

const SET = ' is set in ';

export const switches: DoctorCheck = {
  id: 'switches',
  examine: ({ examined, places }) =>
    examined.flatMap(({ runner, hooks, switchedOff }) => {
      const scopes = [...new Set(hooks.map(({ scope }) => scope))];
      const claude = scopes.flatMap((scope) => switchedOff(scope) ?? []);
      const others = (runner.switches ?? []).flatMap((one) => {
        const file = switchFile(runner, one, places);
        return keysOf(one, file).flatMap((key) => (isOff({ ...one, key }, file) ? [key.join('.') + SET + file] : []));
      });
      const isSpared = runner.hookVariables?.sparesManaged === true && scopes.every((scope) => scope === 'managed');
      return [
        ...[...new Set([...claude, ...others])].map((why) =>
          problem(runner.id, `${runner.id} runs no hook: ${why}`, `take ${why.replace(SET, ' out of ')}`),
        ),
        ...(isSpared ? [] : switchVariablesOf(runner, places)),
      ];
    }),
};

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
