/** The clean room: starts the runner of a run so that the project's own files have no effect on it, if the runner supports that. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { agentFoldersOf } from '../../agent/folders.js';
import { trustedByCopilot } from '../../audit/doctor/checks/trust.js';
import { isInstalledElsewhere, type TrialOptions } from '../../audit/launch/hook-ready.js';
import { isInside } from '../../disk/inside.js';
import { readText } from '../../disk/read.js';
import type { Runner } from '../../runner/hook/runner.js';
import { isSince } from '../../runner/launch/client-version.js';
import type { KnownFlags, Launcher, LeftOut } from '../../runner/launch/launcher.js';

/** How a runner is to be started. */
export interface StartedClient {
  readonly runner: Runner;
  readonly launcher: Launcher;
  /** Null: unknown. */
  readonly version: string | null;
  /** Its working directory. */
  readonly cwd: string;
  readonly isInteractive: boolean;
  /** The hook is part of the session's settings. */
  readonly takesSession: boolean;
}

/**
 * Returns the folders whose files have no effect: the working directory and all its parents. Null if no such version was tested,
 * or if the runner would then run no hook of ours; the project's files are then checked instead.
 */
export function cleanRoomOf(client: StartedClient, options: TrialOptions): readonly string[] | null {
  const { runner, launcher, version, cwd, isInteractive, takesSession } = client;
  const room = launcher.cleanRoom;
  if (room === undefined || !isSince(version, room.since)) return null;
  if (room.needsGoal === true && isInteractive) return null;
  if (room.untrusted === true && trustedByCopilot(runner, options.places, cwd)) return null;
  if (!takesSession && !isInstalledElsewhere(runner, options)) return null;
  return foldersFrom(cwd);
}

/** Whether the runner has all the necessary flags, according to its help. */
export function hasCleanRoom({ cleanRoom }: Launcher, knows: KnownFlags): boolean {
  return cleanRoom?.flags.every((flag) => knows.has(flag)) === true;
}

function foldersFrom(cwd: string): readonly string[] {
  const above = dirname(cwd);
  return above === cwd ? [cwd] : [cwd, ...foldersFrom(above)];
}

/**
 * Returns a sentence about the existing files of the project that have no effect; null if there are none.
 * @param folders see cleanRoomOf
 * @param startsServers the project's MCP servers are started all the same
 */
export function leftOutNote(
  { launcher, runner }: StartedClient,
  project: string,
  folders: readonly string[],
  startsServers: boolean,
): string | null {
  const ofProject = folders.filter((folder) => folder === project || isInside(folder, project));
  const { cleanRoom, serverPlaces, instructions } = launcher;
  const agents = agentFoldersOf(runner.id).flatMap(({ below, folder }) => (below === 'home' ? [] : [folder]));
  const all: readonly LeftOut[] = [
    ...(cleanRoom?.leavesOut ?? []),
    ...instructions.files.map((file) => ({ called: basename(file), paths: [file] })),
    ...(cleanRoom?.untrusted === true ? [] : [{ called: 'agents', paths: agents }]),
    {
      called: 'MCP servers',
      paths: startsServers ? [] : (serverPlaces?.files ?? []),
      holds: new RegExp(serverPlaces?.key ?? ''),
    },
  ];
  const found = all.filter((one) => ofProject.some((folder) => isThere(one, folder)));
  const names = [...new Set(found.map(({ called }) => called))];
  const last = names.pop();
  if (last === undefined) return null;
  const each = names.length === 0 ? last : `${names.join(', ')} and ${last}`;
  return `not used from this project: its ${each}; --project-settings brings them back`;
}

function isThere({ paths, holds = /^/ }: LeftOut, folder: string): boolean {
  return paths.some((path) => {
    const file = join(folder, path);
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) return readdirSync(file).length > 0;
    const read = readText(file);
    return read.ok ? holds.test(read.text) : read.code !== 'missing';
  });
}
