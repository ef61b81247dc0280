/** The size of the decision log, determined without reading more of it than a person would wait for. */
import { logDirectory } from './files/directory.js';
import { type LogFile, logFiles, visitLineHeads } from './files/log-files.js';
import { sealedUpTo, treeFiles } from './tree/files.js';
import { readTree } from './tree/state.js';

/** Maximum number of bytes of the log that are read for one number. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A number of records; `whole` false: there are more than could be counted. */
export interface Counted {
  readonly count: number;
  readonly whole: boolean;
}

export interface LogTally {
  readonly directory: string;
  /** Records of this day in UTC; the log has files for days in UTC. */
  readonly today: Counted;
  /** Records that no checkpoint covers yet. */
  readonly unsealed: Counted;
  /** When the newest checkpoint was signed, ISO 8601; null if nothing was ever sealed. */
  readonly sealedAt: string | null;
}

/**
 * Throws LogError when the log cannot be read.
 * @param now milliseconds since 1970
 */
export function tallyLog(stateDirectory: string, now: number): LogTally {
  const day = new Date(now).toISOString().slice(0, 10);
  const tree = readTree(stateDirectory);
  const open = treeFiles(stateDirectory, tree).found.filter(({ file }) => !file.packed);
  return {
    directory: logDirectory(stateDirectory),
    today: counted(
      logFiles(stateDirectory)
        .filter((file) => file.day === day)
        .map((file) => ({ file, from: 0 })),
    ),
    unsealed: counted(open.map((found) => ({ file: found.file, from: sealedUpTo(found) }))),
    sealedAt: tree?.time ?? null,
  };
}

/** Counts the complete lines of files after an offset in each. */
function counted(parts: readonly { readonly file: LogFile; readonly from: number }[]): Counted {
  let [count, left] = [0, MOST_BYTES];
  for (const { file, from } of parts) {
    visitLineHeads(file.path, from, 0, (_bytes, _from, _to, length) => {
      left -= length;
      if (left >= 0) count += 1;
      return left >= 0;
    });
    if (left < 0) return { count, whole: false };
  }
  return { count, whole: true };
}
