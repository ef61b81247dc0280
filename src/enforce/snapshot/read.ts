/**
 * Snapshots: a prepared policy in the state directory, so that a hook reads no YAML (docs/guarantees.md, 4). A snapshot is valid
 * only while every file and folder that it was made from (including absent ones) still has the same device, inode, mode, size and
 * change time, and every policy file the same text. In any doubt the snapshot is ignored, and the policy is prepared anew.
 */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import type { StoredPolicy } from '../../decide/policy/stored-policy.js';
import { statOf } from '../../disk/stat-of.js';
import { shortName } from '../../run/short-name.js';
import { openSnapshot, type SnapshotFile } from './file.js';
import type { PolicyPlaces, PreparedData } from './prepared-policy.js';

/** Identity of the target of a path: device, inode, mode, size and change time in milliseconds; null if it does not exist. */
export type Identity = readonly number[] | null;

/** The head of a snapshot, which describes its content. */
export interface SnapshotHead {
  /** The build that wrote it: another one may compile differently. */
  readonly build: string;
  readonly places: PolicyPlaces;
  /** Files and folders, without the policy files. */
  readonly sources: readonly (readonly [path: string, identity: Identity])[];
  /** The policy files, and how far from the end of the snapshot their texts begin. */
  readonly texts: readonly (readonly [path: string, identity: Identity, fromEnd: number])[];
  readonly prepared: Omit<PreparedData, 'policy'>;
  readonly policy: StoredPolicy;
}

export interface Snapshot extends Pick<SnapshotFile, 'store' | 'close'> {
  readonly head: SnapshotHead;
  /** Whether it is still valid for these places: throws where that cannot be determined. */
  readonly isValid: (places: PolicyPlaces) => boolean;
}

/**
 * Returns the snapshot of these places; null if there is none, or if there is any doubt about it.
 * @param build identifies the program, so that a new version never uses an old one's snapshot
 */
export function readSnapshot(places: PolicyPlaces, build: string): Snapshot | null {
  const opened = openSnapshot(snapshotFolder(places), snapshotName(places));
  if (opened === null) return null;
  // This program wrote the file in its own folder as a whole: if the build matches, the head has this shape.
  const head = opened.head as SnapshotHead;
  let taken = false;
  try {
    const isValid = (now: PolicyPlaces) => holds(head, now, build, opened);
    taken = isValid(places);
    return taken ? { head, store: opened.store, close: opened.close, isValid } : null;
  } finally {
    if (!taken) opened.close();
  }
}

function holds(head: SnapshotHead, places: PolicyPlaces, build: string, file: SnapshotFile): boolean {
  if (head.build !== build || !samePlaces(head.places, places)) return false;
  for (const [path, identity] of head.sources) if (!isStill(path, identity)) return false;
  for (const [path, identity, fromEnd] of head.texts) if (!hasStillText(path, identity, fromEnd, file)) return false;
  return true;
}

export function snapshotFolder({ stateDirectory }: Pick<PolicyPlaces, 'stateDirectory'>): string {
  return `${stateDirectory}/snapshots`;
}

/**
 * Returns the name of the snapshot of these places. If two sets share a name, they only get compiled in turn, since the file contains its
 * places. The last three folders differ only if two installations share a state directory, so their lengths are enough.
 */
export function snapshotName({ runner, project, folder, home, userDirectory, managedDirectory, run }: PolicyPlaces): string {
  const lengths = `${home.length}.${userDirectory.length}.${managedDirectory.length}`;
  return `${runner}-${shortName(folder === project ? project : `${project}\0${folder}`)}-${lengths}${run === null ? '' : `-run-${run.preset}`}.gate`;
}

function samePlaces(left: PolicyPlaces, right: PolicyPlaces): boolean {
  return (
    left.project === right.project &&
    left.folder === right.folder &&
    left.home === right.home &&
    left.platform === right.platform &&
    left.runner === right.runner &&
    left.userDirectory === right.userDirectory &&
    left.managedDirectory === right.managedDirectory &&
    left.stateDirectory === right.stateDirectory &&
    (left.run === null) === (right.run === null) &&
    left.run?.preset === right.run?.preset
  );
}

/** JavaScript numbers represent change times to a quarter of a microsecond; two changes of a file are further apart. */
export function identityOf({ dev, ino, mode, size, ctimeMs }: Stats): Identity {
  return [dev, ino, mode, size, ctimeMs];
}

function isStill(path: string, identity: Identity): boolean {
  const stat = statOf(path);
  return stat === undefined || identity === null ? stat === undefined && identity === null : isSame(stat, identity);
}

function isSame(stat: Stats, [dev, ino, mode, size, ctimeMs]: readonly number[]): boolean {
  return stat.ctimeMs === ctimeMs && stat.ino === ino && stat.size === size && stat.dev === dev && stat.mode === mode;
}

/** Compares the text, too: policy files are few and small enough not to rely on time stamps alone. */
function hasStillText(path: string, identity: Identity, fromEnd: number, file: SnapshotFile): boolean {
  if (identity === null) return false;
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || !isSame(stat, identity)) return false;
    const text = new Uint8Array(stat.size);
    for (let done = 0; done < text.length; ) {
      const got = readSync(descriptor, text, done, text.length - done, done);
      if (got === 0) return false;
      done += got;
    }
    return file.holds(text, fromEnd);
  } finally {
    closeSync(descriptor);
  }
}
