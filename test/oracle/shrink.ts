/** Makes a failing line shorter as long as it still fails. */

/** Tries per line; each costs a run of bash. */
const MOST_TRIES = 1500;

/**
 * Removes ever smaller pieces while the line still fails.
 * @param fails whether a line still shows the failure
 */
export async function shrink(line: string, fails: (line: string) => Promise<boolean>): Promise<string> {
  let best = line;
  let tries = 0;
  for (let size = Math.ceil(line.length / 2); size >= 1; ) {
    let shorter: string | null = null;
    for (let at = 0; at < best.length && tries < MOST_TRIES; at += Math.max(1, size >> 1)) {
      const candidate = best.slice(0, at) + best.slice(at + size);
      tries++;
      if (candidate !== '' && candidate !== best && (await fails(candidate))) {
        shorter = candidate;
        break;
      }
    }
    if (shorter !== null) {
      best = shorter;
      size = Math.min(size, Math.ceil(best.length / 2));
    } else if (size === 1) break;
    else size = size >> 1;
  }
  return best;
}
