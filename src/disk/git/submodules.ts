/** Git directories of submodules: `git status` and `git diff` run git in them, under their own configuration. */
import type { Dirent } from 'node:fs';
import { resolve } from 'node:path';
import { folderEntries } from '../folder-entries.js';
import { isInside, pathIn } from '../inside.js';
import { entryAt } from '../stat-of.js';
import { type ConfigEntry, readConfig } from './config.js';
import { gitFileTarget, type Hazard, looksBare, unlisted } from './directory.js';
import { surelyHasNoLinks } from './index-links.js';
import { indexedRepositories } from './indexed-repositories.js';

export interface Submodules {
  /** Git directories to be read like the repository's own. */
  readonly folders: readonly string[];
  readonly hazards: readonly Hazard[];
}

const MAX_LEVELS = 4;
const MAX_FOLDERS = 200;
/** Folders of a git directory that contain data; a submodule's name may contain such a name, so each is still checked. */
const DATA_FOLDERS = new Set(['objects', 'refs', 'logs', 'hooks', 'info', 'branches', 'worktrees', 'lfs', 'rr-cache']);

/** The git directory with the index, and the configuration there and in the common one. */
interface OwnDirectory {
  readonly folder: string;
  readonly entries: readonly ConfigEntry[];
}

/**
 * Returns every git directory below `modules/` of `common`, and those of the work trees that `.gitmodules` or an index names.
 * More than 200 folders or names nested deeper than four levels are a hazard: nothing is known beyond that.
 */
export function submodules(top: string, common: string, own: OwnDirectory): Submodules {
  const modules = pathIn(common, 'modules');
  const stored = storedModules(modules);
  const named = namedModules(top, modules, own, common);
  return { folders: [...stored.folders, ...named.folders], hazards: [...stored.hazards, ...named.hazards] };
}

/** Returns the git directories in a folder `modules/`, with those of their own submodules. */
export function storedModules(modules: string): Submodules {
  const folders: string[] = [];
  const hazards: Hazard[] = [];
  const pending = [{ folder: modules, level: 0, data: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { folder, level } = next;
    const isModule = folder !== modules && (looksBare(folder) || isFile(pathIn(folder, 'config')));
    if (isModule) folders.push(folder);
    if (next.data && !isModule) continue;
    const below = subfolders(folder);
    if (below === null) hazards.push(unlisted(folder));
    for (const entry of below ?? []) {
      const path = pathIn(folder, entry.name);
      if (entry.isSymbolicLink()) hazards.push({ key: 'link among submodules', file: path, line: 1 });
      else if (isModule && entry.name === 'modules') pending.push({ folder: path, level, data: false });
      else if (level === MAX_LEVELS) {
        if (!isModule) return tooMany(folders, hazards, path);
      } else pending.push({ folder: path, level: level + 1, data: isModule && DATA_FOLDERS.has(entry.name) });
    }
    if (folders.length + pending.length > MAX_FOLDERS) return tooMany(folders, hazards, folder);
  }
  return { folders, hazards };
}

function tooMany(folders: readonly string[], hazards: readonly Hazard[], file: string): Submodules {
  return { folders, hazards: [...hazards, { key: 'submodules beyond what is read', file, line: 1 }] };
}

function isFile(path: string): boolean {
  return entryAt(path)?.isFile() ?? false;
}

/** Returns the directories and links of a folder; none if it is missing, null if it cannot be listed. */
function subfolders(folder: string): readonly Dirent[] | null {
  try {
    // Most repositories have none; this check avoids an exception.
    if (entryAt(folder) === undefined) return [];
  } catch {
    return null;
  }
  return folderEntries(folder)?.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()) ?? null;
}

/**
 * Returns the work trees that `.gitmodules` names, if their `.git` is a directory of its own or leads out of `modules/`, and
 * those in the index, for which git needs no `.gitmodules`; also nested ones.
 */
function namedModules(top: string, modules: string, own: OwnDirectory, common: string): Submodules {
  const file = pathIn(top, '.gitmodules');
  const read = readConfig(file);
  if (!read.ok) return { folders: [], hazards: [{ key: `.gitmodules: ${read.problem}`, file, line: read.line }] };
  const folders: string[] = [];
  const hazards: Hazard[] = [];
  const seen = new Set<string>();
  const paths = read.entries.filter(({ key }) => key.startsWith('submodule.') && key.endsWith('.path'));
  const pending = [{ tree: top, folder: own.folder, named: paths.map(({ value, line }) => ({ value, line, file })) }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const index = pathIn(next.folder, 'index');
    const isOwn = next.folder === own.folder;
    const links =
      isOwn && surelyHasNoLinks(index, own.entries)
        ? []
        : indexedRepositories(next.folder, isOwn ? common : next.folder, next.tree);
    if (links === null) hazards.push({ key: 'index that cannot be read', file: index, line: 1 });
    const linked = (links ?? []).map((value) => ({ value, line: 1, file: index }));
    for (const { value, ...place } of [...next.named, ...linked]) {
      const tree = resolve(next.tree, value);
      if (seen.has(tree)) continue;
      seen.add(tree);
      if (seen.size > MAX_FOLDERS) return tooMany(folders, hazards, place.file);
      const dot = pathIn(tree, '.git');
      const stat = isInside(tree, top) ? entryAt(dot) : undefined;
      if (stat?.isDirectory()) folders.push(dot);
      const target = stat?.isFile() ? gitFileTarget(dot) : null;
      const elsewhere = stat !== undefined && !stat.isDirectory() && (target === null || !isInside(target, modules));
      if (elsewhere || !isInside(tree, top)) hazards.push({ key: 'submodule.path', ...place });
      else if (stat !== undefined) {
        const folder = target ?? dot;
        const moved = pathIn(folder, 'commondir');
        if (entryAt(moved) !== undefined) hazards.push({ key: 'commondir', file: moved, line: 1 });
        pending.push({ tree, folder, named: [] });
      }
    }
  }
  return { folders, hazards };
}
