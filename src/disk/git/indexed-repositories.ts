/** Other repositories in git's index, including possible ones where it only contains the name of a folder. */
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { statOf } from '../stat-of.js';
import { readConfig } from './config.js';
import { readIndex } from './index-file.js';

const UPWARDS = /^\/|(?:^|\/)\.\.(?:\/|$)/;
/** At most this many folder entries are examined for one index. */
const MAX_ENTRIES = 50_000;

/**
 * Returns the other repositories in the index of a git directory, by their paths in its work tree; null if that cannot be determined. For a
 * folder that stands for its files, git consults its trees as soon as the folder exists: each repository below it may be one of them.
 * @param common the directory with its configuration, which is itself a hazard if it cannot be read
 */
export function indexedRepositories(folder: string, common: string, tree: string): readonly string[] | null {
  if (!readConfig(join(common, 'config')).ok) return [];
  const index = readIndex(folder, common);
  if (index === null) return null;
  const folders = index.folders.map(textOf);
  // Git itself never puts these into an index. For a name outside of the work tree, `git diff` shows the file at that place.
  if (index.names.some((name) => UPWARDS.test(name))) return null;
  if (folders.some((path) => /^\/|(?:^|\/)\.{0,2}\//.test(path))) return null;
  const below = repositoriesBelow(tree, folders);
  return below && [...index.links.map(textOf), ...below];
}

/** Returns the repositories in folders of a tree, for which git does not follow links; null if that cannot be determined. */
function repositoriesBelow(tree: string, folders: readonly string[]): readonly string[] | null {
  const found: string[] = [];
  const pending = [...folders];
  let left = MAX_ENTRIES;
  try {
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      const entries = entriesIfFolder(join(tree, path));
      left -= entries.length;
      if (left < 0) return null;
      for (const entry of entries) {
        const below = join(path, entry.name);
        if (entry.isDirectory()) pending.push(below);
        if (!entry.isFile() && lstatSync(join(tree, below, '.git'), { throwIfNoEntry: false }) !== undefined) found.push(below);
      }
    }
    return found;
  } catch {
    return null;
  }
}

const textOf = (name: string) => Buffer.from(name, 'latin1').toString();

/** Returns the entries of a folder; none if it does not exist. */
function entriesIfFolder(folder: string): readonly Dirent[] {
  return statOf(folder)?.isDirectory() ? readdirSync(folder, { withFileTypes: true }) : [];
}
