/** The hooks that a repository has enabled. */
import { resolve } from 'node:path';
import { folderEntries } from '../folder-entries.js';
import { pathIn } from '../inside.js';
import { realPath } from '../real-path.js';
import { readConfig } from './config.js';
import { gitDirectory, isExecutable, locateRepository } from './directory.js';

/**
 * Returns the names of the hooks that git would run in a directory; none outside of repositories; null if one of their folders
 * cannot be listed.
 */
export function enabledHooks(directory: string): readonly string[] | null {
  const located = locateRepository(realPath(directory) ?? directory);
  if (located === null) return [];
  const { top, sound } = located;
  const { folders } = gitDirectory(top, sound);
  const names = new Set<string>();
  for (const place of [...folders.map((folder) => pathIn(folder, 'hooks')), ...movedTo(top, folders)]) {
    const entries = folderEntries(place);
    if (entries === null) return null;
    for (const { name } of entries) if (!name.endsWith('.sample') && isExecutable(pathIn(place, name))) names.add(name);
  }
  return [...names];
}

/** Returns the absolute paths of the folders that `core.hooksPath` of a repository names; none outside of repositories. */
export function movedHooks(directory: string): readonly string[] {
  const located = locateRepository(directory);
  return located === null ? [] : movedTo(located.top, gitDirectory(located.top, located.sound).folders);
}

/** Returns the hook folders set in the repository's configuration. */
function movedTo(top: string, folders: readonly string[]): readonly string[] {
  const files = folders.flatMap((folder) => [pathIn(folder, 'config'), pathIn(folder, 'config.worktree')]);
  return files.flatMap((file) => {
    const read = readConfig(file);
    if (!read.ok) return [];
    return read.entries.flatMap(({ key, value }) => (key === 'core.hookspath' ? [resolve(top, value)] : []));
  });
}
