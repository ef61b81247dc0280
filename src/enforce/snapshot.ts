/**
 * Snapshots: a compiled gate in the state directory, so that a hook reads no YAML ("Keeping the gate" 4). A snapshot counts only
 * while every file and folder that it was made from (absent ones among them) still has the same device, inode, size and change
 * time, and every policy file the same text. On any doubt there is none, and the gate is compiled anew.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ownDirectory, strangerOf } from '../log/directory.js';
import { systemCode } from '../log/log-error.js';
import { shortName } from '../run/short-name.js';
import type { GateData, GatePlaces } from './gate.js';
import { readText } from './read-file.js';

const LARGEST = 64 * 1024 * 1024;
const LARGEST_TEXT = 256 * 1024;
/** A file that changed this short before it was read may change again without its change time showing it. */
const SETTLING_MS = 100;

/** What a path is: its stat in short, or null when nothing is there. */
type Identity = string | null;

interface Snapshot {
  /** The build that wrote it: another one may compile differently. */
  readonly build: string;
  readonly places: GatePlaces;
  readonly sources: readonly (readonly [path: string, identity: Identity])[];
  readonly texts: Readonly<Record<string, string>>;
  readonly data: GateData;
}

/**
 * The stored gate of these places; null when there is none, or any doubt about it.
 * @param build identifies the program, so that a new version never takes an old one's snapshot
 */
export function readSnapshot(places: GatePlaces, build: string): GateData | null {
  const snapshot = parse(readOwn(snapshotFile(places)));
  if (snapshot === null || snapshot.build !== build || !samePlaces(snapshot.places, places)) return null;
  for (const [path, identity] of snapshot.sources) if (identityOf(path) !== identity) return null;
  for (const [path, text] of Object.entries(snapshot.texts)) {
    const now = readText(path, { limit: LARGEST_TEXT });
    if (!now.ok || now.text !== text) return null;
  }
  return snapshot.data;
}

/**
 * Stores a gate that was compiled between `startedAt` and now. Nothing is stored when a source may have changed meanwhile.
 * A state directory that cannot be written is no error here: the gate only stays slow.
 * @param startedAt milliseconds since 1970
 */
export function writeSnapshot(
  places: GatePlaces,
  build: string,
  sources: readonly string[],
  data: GateData,
  startedAt: number,
): void {
  const identities = sources.map((path) => [path, identityOf(path)] as const);
  if (!settled(sources, startedAt)) return;
  const file = snapshotFile(places);
  const snapshot: Snapshot = { build, places, sources: identities, texts: policyTexts(sources), data };
  try {
    ownDirectory(places.stateDirectory);
    ownDirectory(dirname(file));
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify(snapshot), { flag: 'wx', mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    discard(`${file}.${process.pid}`);
  }
}

function discard(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
  }
}

/** One file per set of places; that two sets share a name only makes them compile in turn, since the file says whose it is. */
function snapshotFile(places: GatePlaces): string {
  const key = [places.runner, places.project, places.folder, places.home, places.userDirectory, places.managedDirectory].join(
    '\0',
  );
  return join(places.stateDirectory, 'snapshots', `${shortName(key)}.json`);
}

function samePlaces(left: GatePlaces, right: GatePlaces): boolean {
  return (
    left.project === right.project &&
    left.folder === right.folder &&
    left.home === right.home &&
    left.platform === right.platform &&
    left.runner === right.runner &&
    left.userDirectory === right.userDirectory &&
    left.managedDirectory === right.managedDirectory &&
    left.stateDirectory === right.stateDirectory
  );
}

/** The text of a regular file that belongs to us alone; null for anything else. Its folder has to be ours, too. */
function readOwn(file: string): string | null {
  let descriptor: number | null = null;
  try {
    const folder = statSync(dirname(file));
    if (!folder.isDirectory() || strangerOf(folder) !== null) return null;
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > LARGEST || strangerOf(stat) !== null) return null;
    return readFileSync(descriptor, 'utf8');
  } catch {
    // Absent or unreadable: compile.
    return null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** A file in our own folder was written by us whole; a text that is no JSON is one that something else damaged. */
function parse(text: string | null): Snapshot | null {
  if (text === null) return null;
  try {
    return JSON.parse(text) as Snapshot;
  } catch {
    return null;
  }
}

/** Device, inode, kind, size and change time in nanoseconds; a path that cannot be looked at never equals itself. */
function identityOf(path: string): Identity {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? null : `${stat.dev}:${stat.ino}:${stat.mode}:${stat.size}:${stat.ctimeNs}`;
  } catch (error) {
    // ENOTDIR and the like mean that nothing is there; whatever else happened may be over the next time.
    return systemCode(error) === 'ENOTDIR' ? null : `unknown ${Math.random()}`;
  }
}

/** True when nothing that was read, and no folder that it lies in, changed shortly before or since the compilation began. */
function settled(sources: readonly string[], startedAt: number): boolean {
  const latest = startedAt - SETTLING_MS;
  const looked = new Set<string>();
  for (const source of sources) {
    for (const path of [source, dirname(source)]) {
      if (looked.has(path)) continue;
      looked.add(path);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat !== undefined && stat.ctimeMs > latest) return false;
    }
  }
  return true;
}

/** The policy files' own texts: few and small, so that they need not rest on time stamps alone. */
function policyTexts(sources: readonly string[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const path of sources) {
    if (!basename(path).startsWith('policy.')) continue;
    const text = readText(path, { limit: LARGEST_TEXT });
    if (text.ok) texts[path] = text.text;
  }
  return texts;
}
