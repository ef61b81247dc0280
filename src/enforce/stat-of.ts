/** What a path leads to. */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { systemCode } from '../log/log-error.js';

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
    // A file where a folder would have to be, or links that lead in a circle.
    if (['ENOTDIR', 'ELOOP'].includes(systemCode(error))) return undefined;
    throw error;
  }
}
