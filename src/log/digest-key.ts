/** The key of this installation's input digests: without it nobody can test guesses of a command against the log. */
import { closeSync, constants, fstatSync, linkSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ownDirectory, strangerOf } from './directory.js';
import { LogError, systemCode } from './log-error.js';
import { randomBytes } from './random.js';

const KEY_BYTES = 32;

/**
 * The 32 bytes of `digest.key` in the state directory; the first call makes the file (mode 600). Of several processes that
 * make it at once, one wins and all read the winner's. Throws LogError when the file is not ours alone or has another size.
 */
export function digestKey(stateDirectory: string): Uint8Array {
  const file = join(stateDirectory, 'digest.key');
  const found = readKey(file);
  if (found !== null) return found;
  ownDirectory(stateDirectory);
  makeKey(file);
  return readKey(file) ?? refuse(file, 'vanished while it was made');
}

/** Null when there is no such file. */
function readKey(file: string): Uint8Array | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    return refuse(file, `cannot be opened (${systemCode(error)})`);
  }
  try {
    const stat = fstatSync(descriptor);
    const stranger = strangerOf(stat);
    if (stranger !== null) refuse(file, stranger);
    if (process.getuid !== undefined && (stat.mode & 0o044) !== 0) refuse(file, 'can be read by others');
    const key = new Uint8Array(KEY_BYTES);
    if (!stat.isFile() || stat.size !== KEY_BYTES || readSync(descriptor, key) !== KEY_BYTES)
      refuse(file, `is not a file of ${KEY_BYTES} bytes`);
    return key;
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a whole key beside `file` and links it into place, which fails when another process was first. */
function makeKey(file: string): void {
  const temporary = `${file}.${process.pid}.${Buffer.from(randomBytes(8)).toString('hex')}`;
  try {
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      if (writeSync(descriptor, randomBytes(KEY_BYTES)) !== KEY_BYTES) refuse(file, 'could not be written whole');
    } finally {
      closeSync(descriptor);
    }
    linkSync(temporary, file);
  } catch (error) {
    if (error instanceof LogError) throw error;
    if (systemCode(error) !== 'EEXIST') refuse(file, `cannot be made (${systemCode(error)})`);
  } finally {
    discard(temporary);
  }
}

/** Removes a file if it is there. */
function discard(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') refuse(file, `cannot be removed (${systemCode(error)})`);
  }
}

function refuse(file: string, why: string): never {
  throw new LogError('log/key', `The digest key ${file} ${why}; remove it and a new one is made.`);
}
