/** Removes files in the state directory that were left by sessions long over and by programs of earlier versions. */
import { lstatSync, readdirSync, type Stats, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { systemWord } from './own-file.js';

/** A session without activity for this long is over; at most this many files are examined at a time. */
const KEPT_MS = 30 * 24 * 3600 * 1000;
const MOST_LOOKED_AT = 256;
/** Matches the short name (short-name.ts) that all files of sessions and snapshots have in their names. */
const OURS = /(?:^|-)[0-9a-f]{16}(?:[-.]|$)/;

/** Whether a file is obsolete before its month has passed: `idle` is the time since its last write, in milliseconds. */
export type IsOver = (file: string, idle: number, size: number) => boolean;

/**
 * Removes some files of a folder that were not written to for a month, or that are obsolete. A failure to remove does no harm.
 * Symlinks are not followed: neither the folder itself nor a file. Files whose names this program would not give are left alone,
 * because a person may use any folder as the state directory.
 * @param now milliseconds since 1970
 */
export function forgetOld(folder: string, now: number, isOver: IsOver = () => false): void {
  const names = namesInOwnFolder(folder).filter((name) => OURS.test(name));
  // Starts at a different file each time, so that remaining files do not hide those after them.
  const start = names.length > MOST_LOOKED_AT ? Math.floor(now / 1000) % names.length : 0;
  for (const name of [...names.slice(start), ...names.slice(0, start)].slice(0, MOST_LOOKED_AT)) {
    const file = join(folder, name);
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    const idle = now - stat.mtimeMs;
    if (idle < KEPT_MS && !(isOver(file, idle, stat.size) && isAsItWas(file, stat))) continue;
    try {
      unlinkSync(file);
    } catch (error) {
      // Another process removed it first.
      if (systemWord(error) === 'ENOENT') continue;
    }
  }
}

/** Whether the file is unchanged: reading it takes time, in which someone may have started to write to it again. */
function isAsItWas(file: string, { mtimeMs, size }: Stats): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat?.mtimeMs === mtimeMs && stat.size === size;
}

function namesInOwnFolder(folder: string): readonly string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    // Nothing was ever written there.
    return [];
  }
}
