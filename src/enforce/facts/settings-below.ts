/** Policies, settings and hooks of nested projects below a folder. */
import { opendirSync } from 'node:fs';
import { protectedPath } from '../../decide/place/sensitive-paths.js';
import { SKIPPED } from './secret-trees.js';

const MAX_ENTRIES = 50_000;
/** At most this many paths are listed. */
const MOST_FOUND = 64;

/**
 * Returns a function that lists the paths below a real directory that are protected from every write, without `.git`, installed
 * packages, and the targets of links; null when there are too many entries. All calls share one budget.
 */
export function settingsReader(home: string, budget: number = MAX_ENTRIES): (folder: string) => readonly string[] | null {
  let left = budget;
  return (folder) => {
    // A protected folder is judged by its own protection, and installed packages may be removed.
    if (protectedPath(folder, home, []) !== null) return [];
    const found: string[] = [];
    const waiting = [folder];
    for (let next = waiting.pop(); next !== undefined && found.length < MOST_FOUND; next = waiting.pop()) {
      const directory = opened(next);
      if (directory === null) continue;
      try {
        for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
          left -= 1;
          if (left < 0) return null;
          const path = `${next}/${entry.name}`;
          if (SKIPPED.has(entry.name)) continue;
          if (protectedPath(path, home, [])?.effect === 'deny') found.push(path);
          else if (entry.isDirectory()) waiting.push(path);
        }
      } finally {
        directory.closeSync();
      }
    }
    return found;
  };
}

function opened(folder: string): ReturnType<typeof opendirSync> | null {
  try {
    return opendirSync(folder);
  } catch {
    // This is not a folder, or a folder that cannot be listed, whose entries cannot be removed without that right either.
    return null;
  }
}
