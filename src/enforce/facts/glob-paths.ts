/** What a glob stands for on the disk: the paths that a shell would put in its place, and a few more. */
import { type Dirent, readdirSync } from 'node:fs';
import { segmentsMayMeet } from '../../decide/place/sensitive-paths.js';
import { realPath } from '../../disk/real-path.js';
import { systemCode } from '../../log/files/log-error.js';

/** Entries that are looked at for one call, over all globs; paths that are kept for one glob. */
const MAX_ENTRIES = 20_000;
const MAX_PATHS = 2_000;

/**
 * A function that tells what a glob (an absolute path with wildcards) stands for: paths as the shell writes them and, where those
 * are links, where they lead; null when there is too much, or it cannot be listed. Case is passed over. All calls share one budget.
 */
export function globPaths(budget: number = MAX_ENTRIES): (glob: string) => readonly string[] | null {
  let left = budget;
  const entriesOf = (folder: string): readonly Dirent[] => {
    const entries = entriesIn(folder);
    left -= entries.length + 1;
    if (left < 0) throw new TooMuch();
    return entries;
  };
  return (glob) => {
    // What these mean depends on options of the shell.
    if (/[()]/.test(glob)) return null;
    try {
      let paths: readonly string[] = [''];
      const segments = glob.split('/').filter((one) => one !== '' && one !== '.');
      for (const [at, segment] of segments.entries()) {
        paths = paths.flatMap((path) => below(path, segment, entriesOf, at < segments.length - 1));
        if (paths.length > MAX_PATHS) return null;
      }
      return [...new Set(paths.flatMap((path) => [path, realPath(path) ?? path]))];
    } catch (error) {
      if (error instanceof TooMuch) return null;
      throw error;
    }
  };
}

class TooMuch extends Error {}

/**
 * What one segment leads to from a folder.
 * @param further another segment follows: nothing lies below a plain file
 */
function below(
  folder: string,
  segment: string,
  entriesOf: (folder: string) => readonly Dirent[],
  further: boolean,
): readonly string[] {
  if (!/[*?[]/.test(segment)) return [`${folder}/${segment}`];
  // Any number of folders to zsh, one to others.
  if (/^\*{2,}$/.test(segment)) return [folder, ...everythingBelow(folder, entriesOf)];
  const wanted = segment.toLowerCase();
  return entriesOf(folder).flatMap((entry) => {
    if (further && entry.isFile()) return [];
    return segmentsMayMeet(wanted, entry.name.toLowerCase()) ? [`${folder}/${entry.name}`] : [];
  });
}

function everythingBelow(folder: string, entriesOf: (folder: string) => readonly Dirent[]): readonly string[] {
  const found: string[] = [];
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const entry of entriesOf(next)) {
      if (entry.name.startsWith('.')) continue;
      found.push(`${next}/${entry.name}`);
      if (entry.isDirectory()) pending.push(`${next}/${entry.name}`);
    }
  }
  return found;
}

/** None for a file or something missing. */
function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder === '' ? '/' : folder, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
    throw new TooMuch();
  }
}
