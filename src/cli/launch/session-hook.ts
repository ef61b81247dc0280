/** Settings with our hook for one session, for a runner that accepts settings on its command line. */
import { dirname } from 'node:path';
import { readText } from '../../disk/read.js';
import { replaceFile } from '../../disk/replace.js';
import { VERSION } from '../../generated/build.js';
import type { OwnPrograms } from '../../install/own-hook.js';
import type { InstallPlaces } from '../../install/target.js';
import { ownDirectory } from '../../log/files/directory.js';
import { userVersions } from '../../program/program-copy.js';
import { shortName } from '../../run/short-name.js';
import { hookCommandLine } from '../../runner/hook/command-line.js';
import type { Launcher, ProjectServers } from '../../runner/launch/launcher.js';
import { UsageError } from '../terminal/exit.js';
import { knownCopy } from './known-copy.js';

export interface SessionSettings {
  readonly file: string;
  readonly command: string;
  /** The path of the hook's bundle. */
  readonly program: string;
}

/**
 * Writes the settings to a file below the state directory, where agents may not write. Throws UsageError if the hook cannot
 * run, LogError if the state directory belongs to others, and WriteError if the file cannot be written.
 */
export function sessionSettings(
  launcher: Launcher,
  own: OwnPrograms,
  {
    places,
    userDirectory,
    stateDirectory,
    servers,
    version,
  }: {
    readonly places: InstallPlaces;
    readonly userDirectory: string;
    readonly stateDirectory: string;
    readonly servers: ProjectServers | null;
    /** Version of the runner; null: unknown. */
    readonly version: string | null;
  },
): SessionSettings {
  const versions = userVersions(places.environment, places.home);
  const program = { bundles: dirname(own.hook), version: VERSION, node: own.node };
  const copy = knownCopy({ ...program, versions, shared: false, installed: [] }, stateDirectory);
  const command = hookCommandLine({
    ...{ runner: launcher.id, platform: process.platform, node: own.node, nodeOptions: copy.nodeOptions, hook: copy.hook },
    ...{ home: places.home, project: places.project, configDirectory: userDirectory, stateDirectory, shell: null },
    // In a run, a slow hook on a busy machine is better than a denial.
    deadline: 10,
  });
  if (command === null) throw new UsageError('policy run does not work on Windows yet: no shell there would fail closed');
  const text = launcher.settings?.(command, servers, version) ?? '';
  const folder = `${stateDirectory}/clients`;
  ownDirectory(stateDirectory);
  ownDirectory(folder);
  // The command line contains the program's version; this version and the names of the servers determine the rest of the text.
  const names = servers === null ? '' : JSON.stringify(servers.servers.map(({ name }) => name));
  const file = `${folder}/${launcher.id}-${shortName(`${text.length} ${names}${command}`)}.json`;
  const before = readText(file, { follow: false });
  if (!before.ok || before.text !== text) replaceFile(file, before.ok ? before.text : null, text, 0o600);
  return { file, command, program: copy.hook };
}
