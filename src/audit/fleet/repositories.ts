/** Decides which folders a fleet audit treats as repositories. */
import { readdirSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { folderEntries } from '../../disk/folder-entries.js';
import { readText } from '../../disk/read.js';
import { statOf } from '../../disk/stat-of.js';

/** The maximum depth of folders that are searched: `OWNER/NAME` is the deepest layout that hosting programs use. */
const MAX_DEPTH = 2;
const MAX_FOLDERS = 100_000;

/** Returns the folder that a name in a list stands for: relative to the working directory, or to the user's home directory after `~/`. */
export function folderOf(name: string, home: string): string {
  return name === '~' || name.startsWith('~/') ? join(home, name.slice(1)) : resolve(name);
}

/** Returns the repositories in a folder, or the folder itself; null if it is not a folder. Symlinks to folders are not followed. */
export function repositoriesAt(path: string): readonly string[] | null {
  if (statOf(path)?.isDirectory() !== true) return null;
  // A folder that is really named `~` is not the home directory.
  return (looksLikeRepository(path) ? [path] : repositoriesIn(path)).map((name) => (name.startsWith('~') ? `./${name}` : name));
}

function repositoriesIn(root: string): readonly string[] {
  const found: string[] = [];
  const waiting = [{ folder: root, depth: 0 }];
  for (let next = waiting.shift(), looked = 0; next !== undefined && looked < MAX_FOLDERS; next = waiting.shift(), looked += 1) {
    for (const name of foldersIn(next.folder)) {
      const folder = join(next.folder, name);
      if (looksLikeRepository(folder)) found.push(folder);
      else if (next.depth + 1 < MAX_DEPTH) waiting.push({ folder, depth: next.depth + 1 });
    }
  }
  return found.sort();
}

function foldersIn(folder: string): readonly string[] {
  return (folderEntries(folder) ?? []).filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function looksLikeRepository(folder: string): boolean {
  return statOf(join(folder, '.git')) !== undefined || isBare(folder);
}

/** Why a folder cannot be examined as a work tree; null for a work tree, and for agent files outside of a repository. */
export function whyNoWorkTree(folder: string, agentFiles: number): string | null {
  const git = join(folder, '.git');
  const stat = statOf(git);
  if (stat !== undefined) {
    const broken = whyBroken(git, stat);
    if (broken !== null)
      return `its .git is broken (${broken}); clone it again, or remove .git to have its files examined as they are`;
    if (readdirSync(folder).length > 1) return null;
    return `nothing is checked out in it${stat.isFile() ? '' : '; its git directory (.git) can be examined instead'}`;
  }
  if (agentFiles > 0) {
    const inside = repositoriesIn(folder).length;
    return inside === 0
      ? null
      : `it is not a repository, but contains ${inside === 1 ? 'another one' : `${inside} others`}; --repos FOLDER examines those`;
  }
  return 'it is not a git repository';
}

/** Why git would not open it; null if it would. In a linked work tree and in a submodule, `.git` is a file that names the folder. */
function whyBroken(git: string, stat: Stats): string | null {
  if (stat.isDirectory()) return whyHeadBroken(git);
  const read = readText(git);
  const named = read.ok ? /^gitdir: (.+?)\s*$/.exec(read.text)?.[1] : undefined;
  if (named === undefined) return 'it is a file that does not name a git directory';
  const folder = resolve(dirname(git), named);
  return statOf(folder)?.isDirectory() === true ? whyHeadBroken(folder) : 'the git directory that it names does not exist';
}

/** A branch, which may not have a commit yet, or a commit. */
const HEAD = /^(?:ref:\s*refs\/\S+|[0-9a-f]{40}(?:[0-9a-f]{24})?)\s*$/;

function whyHeadBroken(folder: string): string | null {
  const read = readText(join(folder, 'HEAD'));
  if (!read.ok) return statOf(join(folder, 'HEAD')) === undefined ? 'it has no HEAD' : 'its HEAD cannot be read';
  return HEAD.test(read.text) ? null : 'its HEAD names neither a branch nor a commit';
}

/**
 * Whether the folder is a git directory itself, as servers keep them. A work tree, which may contain folders of these names, does
 * not match.
 */
export function isBare(folder: string): boolean {
  return (
    statOf(join(folder, '.git')) === undefined &&
    ['objects', 'refs'].every((name) => statOf(join(folder, name))?.isDirectory() === true) &&
    statOf(join(folder, 'HEAD')) !== undefined
  );
}
