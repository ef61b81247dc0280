/** Removes what sessions that are long over have left in the state directory. */
import { readdirSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { systemWord } from './own-file.js';

/** A session that was not heard of for so long is over; at most so many files are looked at on one occasion. */
const KEPT_MS = 30 * 24 * 3600 * 1000;
const MOST_LOOKED_AT = 256;

/**
 * Removes a few files of a folder that nothing was written to for a month. What cannot be removed does no harm.
 * @param now milliseconds since 1970
 */
export function forgetOld(folder: string, now: number): void {
  const names = namesIn(folder);
  // Each time others, so that files which stay do not hide those behind them.
  const start = names.length > MOST_LOOKED_AT ? Math.floor(now / 1000) % names.length : 0;
  for (const name of [...names.slice(start), ...names.slice(0, start)].slice(0, MOST_LOOKED_AT)) {
    const file = join(folder, name);
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined || now - stat.mtimeMs < KEPT_MS) continue;
    try {
      unlinkSync(file);
    } catch (error) {
      // Another process was quicker.
      if (systemWord(error) === 'ENOENT') continue;
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing was ever written there.
    return [];
  }
}
