/**
 * Facts about the names of files below a directory and in git's index: whether one might be split into several words or taken for
 * an option.
 */
import { join } from 'node:path';
import { isLineName, isPlainName, isWildName } from '../../command/pathnames/producers.js';
import { secretPath } from '../../decide/place/sensitive-paths.js';
import type { NameFacts } from '../../decide/ruling/facts.js';
import { folderEntries } from '../../disk/folder-entries.js';
import { gitDirectory, locateRepository, realOrSelf } from '../../disk/git/directory.js';
import { readIndex } from '../../disk/git/index-file.js';
import { realPath } from '../../disk/real-path.js';
import { anyLeadsOutside } from './packed-links.js';

/** At most this many entries are examined for one call, over all trees. */
const MAX_ENTRIES = 50_000;

/** Returns a function that describes the names below a directory; null when there are too many. All calls share one budget. */
export function treeNames(budget: number = MAX_ENTRIES): (tree: string) => NameFacts | null {
  let left = budget;
  return (tree) => {
    const base = realPath(tree);
    if (base === null) return NO_NAMES;
    let [odd, torn, leading, wild] = [false, false, false, false];
    const pending = [base];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const entries = folderEntries(folder);
      if (entries === null) return null;
      left -= entries.length;
      if (left < 0) return null;
      for (const entry of entries) {
        odd ||= !isPlainName(entry.name);
        torn ||= !isLineName(entry.name);
        wild ||= isWildName(entry.name);
        leading ||= folder === base && isLeading(entry.name);
        if (entry.isDirectory()) pending.push(join(folder, entry.name));
      }
      // No further name could change the result.
      if (torn && odd && leading && wild) break;
    }
    return { odd, torn, leading, wild, top: false };
  };
}

/** Describes the names in one directory; null when there are too many, or it cannot be listed. */
export function folderNames(folder: string): NameFacts | null {
  const entries = folderEntries(folder);
  if (entries === null || entries.length > MAX_ENTRIES) return null;
  const has = (test: (name: string) => boolean) => entries.some(({ name }) => test(name));
  return {
    odd: has((name) => !isPlainName(name)),
    torn: has((name) => !isLineName(name)),
    leading: has(isLeading),
    wild: has(isWildName),
    top: false,
  };
}

const NO_NAMES: NameFacts = { odd: false, leading: false, wild: false, top: false, astray: false };

function isLeading(name: string): boolean {
  return name.startsWith('-') || name.startsWith(':');
}

/**
 * Describes the names in the index of the repository that git would use in `directory`, which may differ from the files that
 * exist; null when the names cannot be read, or are incomplete.
 */
export function indexNames(directory: string, home: string): NameFacts | null {
  const start = realOrSelf(directory);
  const located = locateRepository(start);
  if (located === null) return NO_NAMES;
  const { folders } = gitDirectory(located.top, located.sound);
  const [folder] = folders;
  const read = folder === undefined ? null : readIndex(folder, folders.at(-1) ?? folder);
  // The names below a collapsed folder are only in git's trees.
  if (read === null || read.folders.length > 0) return null;
  const { names, links } = read;
  return {
    odd: names.some((name) => !isPlainName(name)),
    torn: names.some((name) => !isLineName(name)),
    // Relative to a subfolder, any part of a name may come first.
    leading: names.some((name) => isLeading(name) || name.includes('/-') || name.includes('/:')),
    wild: names.some(isWildName),
    top: located.top === start,
    astray: names.some((name) => LEAVING.test(name)) || packedAstray(names, located.top, home),
    // The contents of a submodule may be searched, too.
    secret:
      links.length > 0 ||
      names.some(
        (name) => name === '.gitmodules' || secretPath(join(located.top, Buffer.from(name, 'latin1').toString()), home) !== null,
      ),
  };
}

/** Names that git itself never puts into an index. */
const LEAVING = /^\/|(?:^|\/)(?:\.{0,2}|\.git)(?:\/|$)/i;
/** Installed packages, which the search for secrets skips. */
const PACKED = /(?:^|\/)node_modules(?:\/|$)/;
/** At most this many names in them are examined. */
const MAX_PACKED = 20_000;

/** Whether one of the names in installed packages leads out of the repository, or to a secret. */
function packedAstray(names: readonly string[], top: string, home: string): boolean {
  const packed = names.filter((name) => PACKED.test(name));
  if (packed.length > MAX_PACKED) return true;
  const paths = packed.map((name) => join(top, Buffer.from(name, 'latin1').toString()));
  return anyLeadsOutside(paths, home, top);
}
