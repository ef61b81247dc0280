/** Removes what sessions that are long over, and programs of former versions, have left in the state directory. */
import { lstatSync, readdirSync, type Stats, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { systemWord } from './own-file.js';

/** A session that was not heard of for so long is over; at most so many files are looked at on one occasion. */
const KEPT_MS = 30 * 24 * 3600 * 1000;
const MOST_LOOKED_AT = 256;
/** All that sessions and snapshots leave has a short name (short-name.ts) in its own. */
const OURS = /(?:^|-)[0-9a-f]{16}(?:[-.]|$)/;

/** Whether a file is over before its month is: how long nothing was written to it, in milliseconds, and how large it is. */
export type IsOver = (file: string, idle: number, size: number) => boolean;

/**
 * Removes a few files of a folder that nothing was written to for a month, or that are over. What cannot be removed does no harm. Links are not
 * followed: neither that of another folder in its place, nor one among the files. Nor is a file looked at whose name is not one
 * that we give: a person may name any folder as the state directory.
 * @param now milliseconds since 1970
 */
export function forgetOld(folder: string, now: number, isOver: IsOver = () => false): void {
  const names = namesIn(folder).filter((name) => OURS.test(name));
  // Each time others, so that files which stay do not hide those behind them.
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
      // Another process was quicker.
      if (systemWord(error) === 'ENOENT') continue;
    }
  }
}

/** Looking into a file takes time, in which somebody may have begun to write to it again. */
function isAsItWas(file: string, { mtimeMs, size }: Stats): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat?.mtimeMs === mtimeMs && stat.size === size;
}

function namesIn(folder: string): readonly string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    // Nothing was ever written there.
    return [];
  }
}
