/**
 * Links in installed packages and in `.git` that lead out of the project: a program that is given their names follows them, a
 * search does not.
 */
import { join, normalize } from 'node:path';
import { secretPath } from '../../decide/place/sensitive-paths.js';
import { folderEntries } from '../../disk/folder-entries.js';
import { isInside } from '../../disk/inside.js';
import { pathFact, realPath } from '../../disk/real-path.js';
import { SKIPPED } from './secret-trees.js';

/** At most this many entries are examined for one call, over all trees; more than for secrets, since packages have many files. */
const MAX_ENTRIES = 250_000;

/**
 * Returns a function that lists the links in the folders below a directory that `secretTreeReader` skips, if they lead out of the project
 * (or out of a tree outside the project) or to a secret; null when there are too many entries, or a folder cannot be listed.
 */
export function packedLinks(
  home: string,
  project: string,
  budget: number = MAX_ENTRIES,
): (tree: string) => readonly string[] | null {
  let left = budget;
  return (tree) => {
    const base = realPath(tree) ?? normalize(tree);
    const boundary = isInside(base, project) ? project : base;
    const found: string[] = [];
    const pending = [{ folder: base, packed: false }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { folder, packed } = next;
      const entries = folderEntries(folder);
      left -= entries?.length ?? 0;
      if (entries === null || left < 0) return null;
      for (const entry of entries) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) pending.push({ folder: path, packed: packed || SKIPPED.has(entry.name) });
        else if (packed && entry.isSymbolicLink() && leadsAstray(path, home, boundary))
          found.push(join(tree, path.slice(base.length)));
      }
    }
    return found.sort();
  };
}

/**
 * Whether one of many paths leads out of a folder, to a secret, or to an unknown place. Each parent folder is listed only once;
 * an entry that is no link leads nowhere else.
 */
export function anyLeadsOutside(paths: readonly string[], home: string, boundary: string): boolean {
  const folders = new Map<string, Folder | null>();
  return paths.some((path) => {
    const at = path.lastIndexOf('/');
    const parent = path.slice(0, at);
    let folder = folders.get(parent);
    if (folder === undefined) {
      folder = folderAt(parent, boundary);
      folders.set(parent, folder);
    }
    if (folder === null) return true;
    const name = path.slice(at + 1);
    // A file system may accept a name in another spelling than the listing has.
    if (!folder.missing && !folder.plain.has(name)) return leadsAstray(path, home, boundary);
    return secretPath(join(folder.real, name), home) !== null;
  });
}

interface Folder {
  readonly real: string;
  /** Names of the entries that are not links. */
  readonly plain: ReadonlySet<string>;
  /** True if the folder does not exist, and so is empty. */
  readonly missing: boolean;
}

/** Returns null for a folder that leads out of the boundary or to an unknown place, or cannot be listed. */
function folderAt(path: string, boundary: string): Folder | null {
  const fact = pathFact(path);
  if (fact === null || !isInside(fact.real, boundary)) return null;
  const entries = folderEntries(fact.real);
  if (entries === null) return null;
  const plain = entries.flatMap((entry) => (entry.isSymbolicLink() ? [] : [entry.name]));
  return { real: fact.real, plain: new Set(plain), missing: fact.kind === 'missing' };
}

/** Whether a path leads out of a folder, to a secret, or to an unknown place. */
function leadsAstray(path: string, home: string, boundary: string): boolean {
  const fact = pathFact(path);
  return fact === null || !isInside(fact.real, boundary) || secretPath(fact.real, home) !== null;
}
