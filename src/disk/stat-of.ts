/** What stands at a path, and what it leads to. */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { systemCode } from '../log/files/log-error.js';

const QUIETLY = { throwIfNoEntry: false } as const;

/**
 * The stat of what a path leads to; undefined when nothing is there. Throws when that cannot be told. Few sources are links, and
 * lstatSync is a function that the hook needs anyway.
 */
export function statOf(path: string): Stats | undefined {
  try {
    const stat = lstatSync(path, QUIETLY);
    return stat?.isSymbolicLink() === true ? statSync(path, QUIETLY) : stat;
  } catch (error) {
    return nothingFor(error);
  }
}

/** The stat of what stands at a path, which may be a link; undefined when nothing can be there. Throws when that cannot be told. */
export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, QUIETLY);
  } catch (error) {
    return nothingFor(error);
  }
}

/** A file where a folder would have to be, links that lead in a circle, or a name that no file has. */
function nothingFor(error: unknown): undefined {
  if (['ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(systemCode(error))) return undefined;
  throw error;
}
