/** Repositories in the work tree of another one: adding them to its index (`git add .`) makes git run in them from then on. */
import { dirname } from 'node:path';
import { globMatch } from '../../rule/pattern/wildcard.js';
import { folderEntries } from '../folder-entries.js';
import { isInside, pathIn } from '../inside.js';
import { readText } from '../read.js';
import { gitDirectory, type Hazard } from './directory.js';

/** The results of a walk; real paths. */
export interface NestedFound {
  /** Folders with a `.git`. */
  readonly trees: Set<string>;
  /** Folders of installed packages, which were not entered. */
  readonly packed: Set<string>;
}

/** At most this many entries of installed packages are examined for one call. */
const MAX_ENTRIES = 250_000;

export interface NestedRepositories {
  /** Their git directories, to be read like the repository's own. */
  readonly folders: readonly string[];
  readonly hazards: readonly Hazard[];
}

/** Returns the repositories that a walk found, and those among packages that git does not ignore, without `top` itself. */
export function nestedRepositories(found: NestedFound, top: string): NestedRepositories {
  const trees = new Set(found.trees);
  const unread = [...found.packed].filter((folder) => isInside(folder, top) && !ignoresPackages(folder, top));
  const hazards: Hazard[] = addTrees(unread, trees)
    ? []
    : [{ key: 'repositories beyond what is read', file: unread[0] ?? top, line: 1 }];
  const folders: string[] = [];
  for (const tree of trees) {
    if (tree === top || !isInside(tree, top)) continue;
    const directory = gitDirectory(tree);
    // The git directory of a submodule is examined in its own place.
    const isStored = directory.folders.length === 1 && isInside(directory.folders[0] ?? tree, pathIn(top, '.git/modules'));
    if (isStored) continue;
    folders.push(...directory.folders);
    hazards.push(...directory.hazards);
  }
  return { folders, hazards };
}

/** Adds the folders with a `.git` below some folders; false if there are too many entries, or a folder cannot be listed. */
function addTrees(folders: readonly string[], trees: Set<string>): boolean {
  const pending = [...folders];
  let left = MAX_ENTRIES;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = folderEntries(folder);
    left -= entries?.length ?? 0;
    if (entries === null || left < 0) return false;
    for (const entry of entries) {
      if (isDotGit(entry.name)) trees.add(folder);
      else if (entry.isDirectory()) pending.push(pathIn(folder, entry.name));
    }
  }
  return true;
}

/** Whether a name is `.git`, in any case, since some file systems ignore case. */
export function isDotGit(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === '.git';
}

/** Whether the top's ignore file names `node_modules`, as nearly all do, and no ignore file on the way to such a folder re-includes it. */
export function ignoresPackages(folder: string, top: string): boolean {
  if (!linesOf(top).some((line) => /^(?:\*\*\/)?node_modules\/?$/.test(line))) return false;
  for (let above = dirname(folder); ; above = dirname(above)) {
    if (linesOf(above).some(takesIn)) return false;
    if (above === top || above === dirname(above)) return true;
  }
}

function takesIn(line: string): boolean {
  const last = line.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return line.startsWith('!') && globMatch(last.replace(/^!/, ''), 'node_modules');
}

/** Returns the lines of the ignore file; an unreadable one is treated as re-including everything. */
function linesOf(folder: string): readonly string[] {
  const read = readText(pathIn(folder, '.gitignore'), { follow: false });
  if (read.ok) return read.text.split('\n').map((line) => line.trimEnd());
  return read.code === 'missing' ? [] : ['!*'];
}
