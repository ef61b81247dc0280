/** Replaces a file as a whole: the new text is complete before it takes the old one's name, so no reader ever sees half of it. */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../log/files/log-error.js';
import { clearDrafts, draftOf } from './leftover-drafts.js';
import { readText } from './read.js';

/** The reason why a file was not written; the message contains the fix. Nothing was changed. */
export class WriteError extends Error {
  override readonly name = 'WriteError';
  /** The file was changed meanwhile: reading it again may help. */
  readonly changed: boolean;

  constructor(message: string, changed = false) {
    super(message);
    this.changed = changed;
  }
}

/**
 * Replaces the text of the file at `path`, and keeps its mode and owner. Throws WriteError if the file no longer contains
 * `before` (it was changed meanwhile), is no regular file, or cannot be written. Removes drafts left by earlier attempts.
 * @param path real path: the caller resolves links, since it knows where they may lead
 * @param before the expected content of the file; null: it must not exist, and is created with `mode`
 */
export function replaceFile(path: string, before: string | null, text: string, mode: number): void {
  const old = lstatSync(path, { throwIfNoEntry: false });
  if (old !== undefined && !old.isFile()) throw new WriteError(`${path} is not a regular file; nothing was changed`);
  if (before === null) makeFolder(dirname(path));
  const temporary = draftOf(path);
  try {
    writeWhole(temporary, text, old, mode);
    const now = readText(path, { follow: false, limit: 1024 * 1024 + Buffer.byteLength(before ?? '') });
    const unchanged = before === null ? !now.ok && now.code === 'missing' : now.ok && now.text === before;
    if (!unchanged) throw new WriteError(`${path} was changed by somebody else meanwhile; nothing was changed, try again`, true);
    if (before === null) linkSync(temporary, path);
    else renameSync(temporary, path);
  } catch (error) {
    throw error instanceof WriteError
      ? error
      : new WriteError(`${path} cannot be written (${systemCode(error)}); nothing was changed`);
  } finally {
    removeLeftover(temporary);
  }
  clearDrafts(path, [before, text]);
}

function writeWhole(temporary: string, text: string, old: Stats | undefined, mode: number): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const descriptor = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    writeFileSync(descriptor, text);
    fchmodSync(descriptor, old === undefined ? mode : old.mode & 0o7777);
    if (old !== undefined && old.uid !== process.getuid?.()) fchownSync(descriptor, old.uid, old.gid);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new WriteError(`${folder} cannot be made (${systemCode(error)})`);
  }
}

/** After a rename it is gone already. */
function removeLeftover(temporary: string): void {
  try {
    unlinkSync(temporary);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT')
      throw new WriteError(`${temporary} is left over and cannot be removed (${systemCode(error)})`);
  }
}
