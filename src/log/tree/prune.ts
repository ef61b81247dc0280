/**
 * Deletes old files of the log. Their leaf hashes stay in the tree, so that all other records can still be proved, and a signed
 * statement records that they were deleted on purpose. The caller holds the lock of the tree.
 */
import { unlinkSync } from 'node:fs';
import { LogError, systemCode } from '../files/log-error.js';
import { type LogFileInTree, sealedRecords, treeFiles } from './files.js';
import { statePruned } from './pruned.js';
import { openSigner } from './signer.js';
import { readTree } from './state.js';

export interface Prunable {
  readonly name: string;
  readonly path: string;
  readonly records: number;
}

/** Returns the files that `pruneLog` would delete: archived, and of days that ended before `before` (milliseconds since 1970). */
export function prunable(stateDirectory: string, before: number): Prunable[] {
  return filesBefore(stateDirectory, before).map(({ file, sealed }) => ({
    name: file.name,
    path: file.path,
    records: sealed === null ? 0 : sealedRecords(sealed),
  }));
}

/** Deletes them; returns the number of deleted records. Throws LogError. */
export function pruneLog(stateDirectory: string, before: number, now: number): number {
  const files = filesBefore(stateDirectory, before);
  const sealed = files.flatMap((file) => (file.sealed === null ? [] : [file.sealed]));
  if (sealed.length === 0) return 0;
  // The statement comes first: a prune that is killed in between leaves files, never an unexplained gap.
  statePruned(stateDirectory, sealed, new Date(now).toISOString(), openSigner(stateDirectory, false));
  for (const { file } of files) remove(file.path);
  return sealed.reduce((sum, file) => sum + sealedRecords(file), 0);
}

function filesBefore(stateDirectory: string, before: number): LogFileInTree[] {
  return treeFiles(stateDirectory, readTree(stateDirectory)).found.filter(
    ({ file, sealed }) => sealed !== null && file.serial !== null && Date.parse(`${file.day}T00:00:00Z`) + DAY <= before,
  );
}

const DAY = 86_400_000;

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    throw new LogError('log/write', `${path} cannot be deleted (${systemCode(error)}).`);
  }
}
