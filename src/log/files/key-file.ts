/** Secret files of the state directory that are created once: if several processes create one at the same time, all use the winner's. */
import { closeSync, constants, fstatSync, linkSync, openSync, readSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { hexOf } from '../record/bytes.js';
import { randomBytes } from '../record/random.js';
import { ownDirectory, ownershipProblem } from './directory.js';
import { LogError, systemCode } from './log-error.js';

export interface KeyFile {
  /** Name for messages: `digest key`. */
  readonly what: string;
  /** Advice on a file that cannot be used, as the end of a sentence. */
  readonly advice: string;
  /** Maximum size in bytes. */
  readonly most: number;
}

/** Returns the bytes of the key file; null if it does not exist. Throws LogError when it is not accessible to this user alone. */
export function readKey(path: string, kind: KeyFile): Uint8Array | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    return refuseKey(path, kind, `cannot be opened (${systemCode(error)})`);
  }
  try {
    const stat = fstatSync(descriptor);
    const stranger = ownershipProblem(stat);
    if (stranger !== null) refuseKey(path, kind, stranger);
    if (process.getuid !== undefined && (stat.mode & 0o044) !== 0) refuseKey(path, kind, 'can be read by others');
    if (!stat.isFile() || stat.size > kind.most) refuseKey(path, kind, `is not a file of at most ${kind.most} bytes`);
    return allOf(descriptor, kind.most);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the bytes of a file, read in the same way as the hook's other files; one byte more than `most` if it has grown meanwhile. */
function allOf(descriptor: number, most: number): Uint8Array {
  const bytes = new Uint8Array(most + 1);
  let size = 0;
  while (size < bytes.length) {
    const got = readSync(descriptor, bytes, size, bytes.length - size, size);
    if (got === 0) break;
    size += got;
  }
  return bytes.subarray(0, size);
}

/**
 * Returns the bytes of the key file, and creates it (mode 600) if it does not exist. Throws LogError when it cannot be created or
 * belongs to another user.
 */
export function readOrMakeKey(path: string, kind: KeyFile, make: () => Uint8Array): Uint8Array {
  const found = readKey(path, kind);
  if (found !== null) return found;
  ownDirectory(dirname(path));
  makeKey(path, kind, make());
  return readKey(path, kind) ?? refuseKey(path, kind, 'vanished while it was made');
}

/** Writes a complete key next to `path` and links it into place, which fails if another process was first. */
function makeKey(path: string, kind: KeyFile, bytes: Uint8Array): void {
  const temporary = `${path}.${process.pid}.${hexOf(randomBytes(8))}`;
  try {
    writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600, flush: true });
    linkSync(temporary, path);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') refuseKey(path, kind, `cannot be made (${systemCode(error)})`);
  } finally {
    discard(temporary, path, kind);
  }
}

/** Removes a file if it exists. */
function discard(temporary: string, path: string, kind: KeyFile): void {
  try {
    unlinkSync(temporary);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') refuseKey(path, kind, `cannot be made: ${temporary} stays (${systemCode(error)})`);
  }
}

/** Throws the LogError for an unusable key. */
export function refuseKey(path: string, { what, advice }: KeyFile, why: string): never {
  throw new LogError('log/key', `The ${what} ${path} ${why}; ${advice}.`);
}
