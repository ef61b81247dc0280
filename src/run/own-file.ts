/** Checks of the program's own files, and the system's names for errors. */
import { constants, lstatSync, type Stats } from 'node:fs';
import { RunError } from './run-error.js';

/**
 * Checks that a file belongs to the user: it must not be a link or a device, nor writable by others. Throws RunError.
 * @param what the kind of file, as the beginning of a sentence
 */
export function checkOwnFile(what: string, file: string, { uid, mode, nlink }: Stats): void {
  const own = process.getuid?.();
  const others = own !== undefined && (uid !== own || (mode & 0o022) !== 0);
  const isFile = (mode & constants.S_IFMT) === constants.S_IFREG;
  if (isFile && !others && nlink === 1) return;
  const why = !isFile ? 'is not a regular file' : others ? 'can be changed by others' : `has ${nlink} names`;
  throw new RunError(`${what} ${file} ${why}; remove it when no subagent is running`);
}

/** Whether nothing is at a path: a look costs less than the exception of opening it. False, too, if that cannot be determined. */
export function isAbsent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** The error code (`ENOSPC`), or the error as text if it has none. */
export function systemWord(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
