/** Expands globs on disk: to the paths that a shell would substitute, and a few more. */
import { type Dirent, readdirSync } from 'node:fs';
import { segmentsMayMeet } from '../../decide/place/sensitive-paths.js';
import { realPath } from '../../disk/real-path.js';
import { systemCode } from '../../log/files/log-error.js';

/** Maximum number of entries examined for one call, over all globs, and of paths kept for one glob. */
const MAX_ENTRIES = 20_000;
const MAX_PATHS = 2_000;

/**
 * Returns a function that expands a glob (an absolute path with wildcards): to paths as the shell writes them and, for links,
 * also their targets; null when there are too many, or a folder cannot be listed. Ignores case. All calls share one budget.
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
    // The meaning of these depends on shell options.
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
 * Returns the paths that one segment matches in a folder.
 * @param further another segment follows, so plain files do not match
 */
function below(
  folder: string,
  segment: string,
  entriesOf: (folder: string) => readonly Dirent[],
  further: boolean,
): readonly string[] {
  if (!/[*?[]/.test(segment)) return [`${folder}/${segment}`];
  // Any number of folders in zsh, one in other shells.
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

/** Returns an empty list for a file or a missing path. */
function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder === '' ? '/' : folder, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
    throw new TooMuch();
  }
}
