/** Maps the files of the log to the parts of the tree, by the names of the files alone. */
import { type LogFile, openFiles, sealedFiles } from '../files/log-files.js';
import { type SealedFile, sealedBytes, type TreeState } from './state.js';

export interface LogFileInTree {
  readonly file: LogFile;
  /** Null for a file that is new to the tree. */
  readonly sealed: SealedFile | null;
}

/** The files of the log, and those of the tree that no longer exist. */
export interface TreeFiles {
  /** Oldest first; archived files before open ones. */
  readonly found: readonly LogFileInTree[];
  readonly missing: readonly SealedFile[];
}

/** Throws LogError when the log cannot be read. */
export function treeFiles(stateDirectory: string, tree: Pick<TreeState, 'files'> | null): TreeFiles {
  const rotate = new Map(sealedFiles(stateDirectory).map((file) => [file.serial, file]));
  const open = new Map(openFiles(stateDirectory).map((file) => [file.name, file]));
  const found: LogFileInTree[] = [];
  const missing: SealedFile[] = [];
  for (const sealed of [...(tree?.files ?? [])].reverse()) {
    // A name is reused after its file was archived: the newest file of that name is the open one.
    const file = rotate.get(sealed.serial) ?? open.get(sealed.name);
    if (file === undefined) missing.push(sealed);
    else found.push({ file, sealed });
    if (file?.serial === null) open.delete(sealed.name);
  }
  for (const file of open.values()) found.push({ file, sealed: null });
  return { found: found.sort(byAge), missing: missing.reverse() };
}

function byAge({ file: left }: LogFileInTree, { file: right }: LogFileInTree): number {
  const [leftSerial, rightSerial] = [left.serial ?? Infinity, right.serial ?? Infinity];
  if (left.day !== right.day) return left.day < right.day ? -1 : 1;
  return left.part - right.part || (leftSerial === rightSerial ? 0 : leftSerial - rightSerial);
}

/** Returns how many bytes of a file are sealed. */
export function sealedUpTo({ sealed }: LogFileInTree): number {
  return sealed === null ? 0 : sealedBytes(sealed);
}

/** Returns how many records of a file are sealed. */
export function sealedRecords({ runs }: SealedFile): number {
  return runs.reduce((sum, { count }) => sum + count, 0);
}
