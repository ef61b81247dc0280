/** Policies, settings and hooks of nested projects below a folder. */
import { opendirSync } from 'node:fs';
import { protectedPath } from '../../decide/place/sensitive-paths.js';
import { SKIPPED } from './secret-trees.js';

const MAX_ENTRIES = 50_000;
/** So many are named at most. */
const MOST_FOUND = 64;

/**
 * A function that lists what is protected from every write below a real directory, without `.git`, installed packages, and what a link leads to;
 * null when there are too many entries to say. All calls share one budget.
 */
export function settingsReader(home: string, budget: number = MAX_ENTRIES): (folder: string) => readonly string[] | null {
  let left = budget;
  return (folder) => {
    // Its own protection counts, and installed packages may go.
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
    // It is no folder, or one whose entries nobody without the right to list it can take away either.
    return null;
  }
}
