/** Other repositories that git's index has, or may have where it says no more than the name of a folder. */
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { statOf } from '../stat-of.js';
import { readConfig } from './config.js';
import { readIndex } from './index-file.js';

const UPWARDS = /^\/|(?:^|\/)\.\.(?:\/|$)/;
/** Entries of folders that are looked at for one index. */
const MAX_ENTRIES = 50_000;

/**
 * Other repositories in the index of a git directory, by their paths in its work tree; null when nobody can say. Of a folder that
 * stands for files git finds in its trees what is there, as soon as the folder exists: each repository below it may be one.
 * @param common the directory with its configuration, which is a hazard itself when it cannot be read
 */
export function indexedRepositories(folder: string, common: string, tree: string): readonly string[] | null {
  if (!readConfig(join(common, 'config')).ok) return [];
  const index = readIndex(folder, common);
  if (index === null) return null;
  const folders = index.folders.map(textOf);
  // git itself never puts these into an index. Of a name outside of the work tree `git diff` shows what lies there.
  if (index.names.some((name) => UPWARDS.test(name))) return null;
  if (folders.some((path) => /^\/|(?:^|\/)\.{0,2}\//.test(path))) return null;
  const below = repositoriesBelow(tree, folders);
  return below && [...index.links.map(textOf), ...below];
}

/** The repositories in folders of a tree, which git does not look for through links; null when nobody can say. */
function repositoriesBelow(tree: string, folders: readonly string[]): readonly string[] | null {
  const found: string[] = [];
  const pending = [...folders];
  let left = MAX_ENTRIES;
  try {
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      const entries = entriesOf(join(tree, path));
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

/** What is in a folder; nothing where there is none. */
function entriesOf(folder: string): readonly Dirent[] {
  return statOf(folder)?.isDirectory() ? readdirSync(folder, { withFileTypes: true }) : [];
}
