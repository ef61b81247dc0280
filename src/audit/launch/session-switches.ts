/** Whether a runner's settings keep the hook of one session from running: reads them as the client does, together with its own. */
import { hookPath, type InstallPlaces } from '../../install/target.js';
import type { Runner } from '../../runner/hook/runner.js';
import { CLIENT, installedHooks } from '../claude-code/settings.js';

/**
 * Why the hooks in these settings do not run, as far as Claude Code's other settings state it: an administrator's settings
 * override them, those of person and project do not.
 * @param file the settings of the session
 */
export function sessionSwitchedOff(runner: Runner, file: string, places: InstallPlaces): string | null {
  if (runner.id !== CLIENT) return null;
  const { project, home, machine } = places;
  const userFile = hookPath(runner, 'user', places);
  const { hooks } = installedHooks({
    ...{ project, home, managedDirectory: `${machine}/etc/claude-code`, extra: [file] },
    ...(userFile !== null && { userFile }),
  });
  const why = hooks.find(({ scope }) => scope === 'command line')?.whyNotBlocking ?? null;
  return why?.includes(' is set in ') === true ? why : null;
}
