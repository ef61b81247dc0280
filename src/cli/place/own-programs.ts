/** The locations of this package's programs, relative to this file. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { withRealPaths } from '../../audit/gather.js';
import { defaultUserDirectory } from '../../disk/user-directory.js';
import type { OwnPrograms } from '../../install/own-hook.js';
import type { InstallPlaces } from '../../install/target.js';
import { MANAGED_VERSIONS, userVersions } from '../../program/program-copy.js';

/** The package's root relative to the bundle, and relative to this file in build/. */
const ROOTS = ['../../', '../../../../'];

/** Returns the shipped programs; null when this file is not in a built package. */
export function ownPrograms(): OwnPrograms | null {
  for (const root of ROOTS) {
    const [command, hook] = ['bin/policy.js', 'dist/hook.cjs'].map((name) =>
      fileURLToPath(new URL(root + name, import.meta.url)),
    );
    if (command !== undefined && hook !== undefined && existsSync(command) && existsSync(hook))
      return { node: process.execPath, command, hook, versions: [userVersions(process.env, homedir()), MANAGED_VERSIONS] };
  }
  return null;
}

/** Returns the description of this machine that the hook checks use. */
export function machineHere(places: InstallPlaces, stateDirectory: string) {
  const own = ownPrograms();
  const userDirectory = defaultUserDirectory(places.environment, places.home);
  return {
    ...{ places, platform: process.platform, userDirectory, stateDirectory, managedDirectory: '/etc/policy' },
    ...{ own: own === null ? null : withRealPaths(own), now: Date.now() },
  };
}
