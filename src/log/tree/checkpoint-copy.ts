/**
 * A copy of the newest checkpoint outside of `tree/`: an attacker who deletes the tree, or replaces it with an older one, has to think of
 * this file, too. It proves nothing against an attacker who does: for that, a checkpoint has to be kept where this account cannot write.
 */
import { join } from 'node:path';
import { logDirectory, treeDirectory } from '../files/directory.js';
import { LogError } from '../files/log-error.js';
import { checkpointSize } from './checkpoint.js';
import { readOwn, replaceOwn, type TreeState } from './state.js';

const LARGEST = 65_536;

/** Returns the path of the copy. */
export function checkpointCopyFile(stateDirectory: string): string {
  return join(stateDirectory, 'last-checkpoint');
}

/** Returns the checkpoint; null if nothing was sealed yet. Throws LogError when it cannot be read. */
export function copiedCheckpoint(stateDirectory: string): string | null {
  return readOwn(checkpointCopyFile(stateDirectory), LARGEST);
}

/** Stores a copy of a checkpoint. Throws LogError. */
export function copyCheckpoint(stateDirectory: string, checkpoint: string): void {
  replaceOwn(checkpointCopyFile(stateDirectory), checkpoint);
}

/** Refuses to extend a tree that is smaller than the copied checkpoint: that would cover up a loss. Throws LogError. */
export function refuseLostRecords(stateDirectory: string, tree: TreeState | null): void {
  const remembered = copiedCheckpoint(stateDirectory);
  const size = remembered === null ? 0 : checkpointSize(remembered);
  if (size <= (tree?.size ?? 0)) return;
  const [file, folder] = [checkpointCopyFile(stateDirectory), treeDirectory(stateDirectory)];
  const now = tree === null ? `${folder} is gone` : `${folder} knows only ${tree.size}`;
  throw new LogError(
    'log/tree',
    `${size} records were sealed, and ${now}; restore it from a backup, or move ${file}, ${folder} and ${join(logDirectory(stateDirectory), 'sealed')} away to begin a new tree.`,
  );
}
