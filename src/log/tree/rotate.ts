/**
 * Archives files that are sealed and no longer written to, and packs them with gzip. A file is first renamed, so that a late
 * writer begins a new one, and packed an hour later, when no process can still have it open. If killed at any moment, it leaves a
 * complete file. The caller holds the lock of the tree.
 */
import { closeSync, constants, fsyncSync, openSync, renameSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ownDirectory, sealedDirectory } from '../files/directory.js';
import { LogError, systemCode } from '../files/log-error.js';
import { namesInLogFolder, sealedName } from '../files/log-files.js';
import { openSegment, packInto } from '../files/segment.js';
import { type LogFileInTree, sealedUpTo, treeFiles } from './files.js';
import { readTree } from './state.js';

/** A file counts as no longer written to after this many milliseconds without a write. */
const QUIET_MILLISECONDS = 3_600_000;

export interface Rotation {
  /** Names of the files that were archived, and of those that were packed. */
  readonly moved: readonly string[];
  readonly packed: readonly string[];
}

/** @param limits `goOn` returns false when there is no time left. Throws LogError when a file cannot be moved or written. */
export function rotate(stateDirectory: string, limits: { readonly now: number; readonly goOn: () => boolean }): Rotation {
  const folder = sealedDirectory(stateDirectory);
  const [moved, packed]: [string[], string[]] = [[], []];
  for (const found of treeFiles(stateDirectory, readTree(stateDirectory)).found) {
    const { file, sealed } = found;
    if (file.packed || sealed === null || !limits.goOn() || !isDone(found, limits.now)) continue;
    ownDirectory(folder);
    const path = join(folder, sealedName(file.name, sealed.serial));
    if (file.serial === null) {
      rename(file.path, path);
      moved.push(file.name);
    } else if (pack(path, limits.goOn)) packed.push(file.name);
  }
  return { moved, packed };
}

/** True if its day is over, no one wrote to it for an hour, and all of it is sealed. */
function isDone(found: LogFileInTree, now: number): boolean {
  const today = new Date(now - QUIET_MILLISECONDS).toISOString().slice(0, 10);
  if (found.file.day >= today) return false;
  const segment = openSegment(found.file.path);
  try {
    return segment.changed < now - QUIET_MILLISECONDS && segment.size === sealedUpTo(found);
  } finally {
    segment.close();
  }
}

/** File extension while a file is being packed. */
const PACKING = '.packing';

/** Returns files that an interrupted seal was packing, each with the path of its target. Throws LogError when the log cannot be read. */
export function interruptedArchives(stateDirectory: string): readonly { readonly path: string; readonly of: string }[] {
  const folder = sealedDirectory(stateDirectory);
  return namesInLogFolder(folder)
    .filter((name) => name.endsWith(PACKING))
    .map((name) => join(folder, name))
    .map((path) => ({ path, of: path.slice(0, -PACKING.length) }));
}

/** Returns false if there was no time. */
function pack(path: string, goOn: () => boolean): boolean {
  const temporary = path + PACKING;
  const segment = openSegment(path);
  try {
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;
    const descriptor = openSync(temporary, O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0), 0o600);
    try {
      if (!packInto(temporary, descriptor, segment, goOn)) return false;
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    rename(temporary, `${path}.gz`);
    unlinkSync(path);
    return true;
  } catch (error) {
    throw error instanceof LogError ? error : new LogError('log/write', `${path} cannot be packed (${systemCode(error)}).`);
  } finally {
    segment.close();
  }
}

function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    throw new LogError('log/write', `${from} cannot be renamed to ${to} (${systemCode(error)}).`);
  }
}
