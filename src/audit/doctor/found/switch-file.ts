/** The files in which a runner may have been told not to run hooks. */
import { dirname, join } from 'node:path';
import { whyUnread } from '../../../disk/setting.js';
import { hookPath, type InstallPlaces } from '../../../install/target.js';
import type { HookSwitch, Runner } from '../../../runner/hook/runner.js';

/** The file is beside the hook's own file if the runner's folder was moved. */
export function switchFile(runner: Runner, { scope, path }: Pick<HookSwitch, 'scope' | 'path'>, places: InstallPlaces): string {
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

/** Returns the files that may contain such a switch and cannot be read, each once. */
export function unreadSwitches(
  runner: Runner,
  places: InstallPlaces,
): readonly { readonly file: string; readonly why: string }[] {
  const formats = new Map((runner.switches ?? []).map((one) => [switchFile(runner, one, places), one.format]));
  return [...formats].flatMap(([file, format]) => {
    const why = whyUnread(file, format);
    return why === null ? [] : [{ file, why }];
  });
}
