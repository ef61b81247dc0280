/** The status of the entry at a path, and of its target. */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { systemCode } from '../log/files/log-error.js';

const QUIETLY = { throwIfNoEntry: false } as const;

/**
 * Returns the status of the target of a path; undefined if it does not exist. Throws when that cannot be determined. Few sources
 * are links, and the hook needs lstatSync anyway.
 */
export function statOf(path: string): Stats | undefined {
  try {
    const stat = lstatSync(path, QUIETLY);
    return stat?.isSymbolicLink() === true ? statSync(path, QUIETLY) : stat;
  } catch (error) {
    return nothingFor(error);
  }
}

/**
 * Returns the status of the entry at a path, which may be a link; undefined if nothing can exist there. Throws when that cannot
 * be determined.
 */
export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, QUIETLY);
  } catch (error) {
    return nothingFor(error);
  }
}

/** Handles a file in place of a folder, circular links, and invalid file names. */
function nothingFor(error: unknown): undefined {
  if (['ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(systemCode(error))) return undefined;
  throw error;
}
