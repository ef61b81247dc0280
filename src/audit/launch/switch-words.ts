/** Whether any settings of a runner may switch hooks off: told by their words alone, without reading what they say. */
import { readText } from '../../disk/read.js';
import { hookPath, type InstallPlaces } from '../../install/target.js';
import type { Runner } from '../../runner/runner.js';
import { settingsPaths } from '../claude-code/settings.js';

/** The names of the settings that do, or an escape, with which JSON may spell any name. */
const WORDS = /disableAllHooks|allowManagedHooksOnly|\\u/;

/** True also for a file that cannot be read, and for what a closer look finds harmless. */
export function mayBeSwitchedOff(runner: Runner, places: InstallPlaces): boolean {
  if (runner.id !== 'claude-code') return false;
  const userFile = hookPath(runner, 'user', places);
  const paths = settingsPaths({
    ...{ project: places.project, home: places.home, managedDirectory: `${places.machine}/etc/claude-code`, extra: [] },
    ...(userFile !== null && { userFile }),
  });
  return paths.some(([, path]) => {
    const read = readText(path);
    return read.ok ? WORDS.test(read.text) : read.code !== 'missing';
  });
}
