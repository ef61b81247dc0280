/**
 * Files among the archived ones that no seal archived in this form: their content would be shown with the log, though it was never sealed.
 */

import { LogError } from '../files/log-error.js';
import { sealedFiles } from '../files/log-files.js';
import { openSegment } from '../files/segment.js';
import { type LogFileInTree, sealedUpTo, treeFiles } from './files.js';
import { readTree } from './state.js';

/** @param files those of the tree. Throws LogError when the log cannot be read. */
export function unsealedArchives(
  stateDirectory: string,
  files: readonly LogFileInTree[],
): readonly { readonly file: string; readonly message: string }[] {
  const odd = files.flatMap((found) => {
    const { file, sealed } = found;
    const why: string[] = [];
    if (sealed !== null && file.name !== sealed.name)
      why.push(`was ${sealed.name} when it was sealed; its records are now found under another day`);
    // A file is packed when all of it is sealed, and nothing is appended to it afterwards.
    if (file.packed && sizeOf(file.path) > sealedUpTo(found))
      why.push('has more records than were sealed before it was compressed');
    return why.map((one) => ({ file: file.path, message: `${file.path} ${one}.` }));
  });
  return [...odd, ...strays(stateDirectory, files)];
}

/** Returns archived files with a number that no seal assigned. */
function strays(stateDirectory: string, files: readonly LogFileInTree[]) {
  const known = new Set(files.map(({ file }) => file.path));
  const found = sealedFiles(stateDirectory).filter(({ path }) => !known.has(path));
  if (found.length === 0) return [];
  // A seal may have archived or packed a file meanwhile.
  const now = new Set(treeFiles(stateDirectory, readTree(stateDirectory)).found.map(({ file }) => file.path));
  return found
    .filter(({ path }) => !now.has(path))
    .map(({ path }) => ({ file: path, message: `${path} is not a file that a seal archived.` }));
}

/** Returns 0 for a damaged file, which is reported elsewhere. */
function sizeOf(path: string): number {
  try {
    const segment = openSegment(path);
    segment.close();
    return segment.size;
  } catch (error) {
    if (error instanceof LogError) return 0;
    throw error;
  }
}
