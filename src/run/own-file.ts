/** Files of ours: what may stand in their place, and the system's words for what went wrong. */
import { constants, type Stats } from 'node:fs';
import { RunError } from './run-error.js';

/**
 * A link, a device or a file that others can write is none of ours. Throws RunError.
 * @param what the file, as the beginning of a sentence
 */
export function checkOwnFile(what: string, file: string, { uid, mode, nlink }: Stats): void {
  const own = process.getuid?.();
  const others = own !== undefined && (uid !== own || (mode & 0o022) !== 0);
  const isFile = (mode & constants.S_IFMT) === constants.S_IFREG;
  if (isFile && !others && nlink === 1) return;
  const why = !isFile ? 'is not a regular file' : others ? 'can be changed by others' : `has ${nlink} names`;
  throw new RunError(`${what} ${file} ${why}; remove it when no subagent runs`);
}

/** `ENOSPC`, or the error itself in words. */
export function systemWord(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
