/**
 * Secret files that ripgrep certainly skips in a search of a whole tree: a `.gitignore` of their repository excludes them, and
 * no ignore file re-includes a name like theirs. Sources: the ignore crate 0.4, gitignore(5).
 */
import { lstatSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { realOrSelf } from '../../disk/git/directory.js';
import { readText } from '../../disk/read.js';
import { globMatch, withoutLists } from '../../rule/pattern/wildcard.js';
import { type IgnoreHome, inclusionReader } from './ignore-patterns.js';

const MAX_SECRETS = 64;
const MAX_DEPTH = 32;
const MAX_LINES = 2_000;

/** Returns a function that lists those secrets of a tree that ripgrep certainly skips. */
export function ignoredReader(
  secretTrees: Readonly<Record<string, readonly string[] | null>>,
  home: IgnoreHome,
): (tree: string) => readonly string[] {
  const takenIn = inclusionReader(secretTrees, home);
  return (tree) => {
    const secrets = secretTrees[tree] ?? [];
    const back = secrets.length === 0 || secrets.length > MAX_SECRETS ? null : takenIn(tree);
    if (back === null) return [];
    const patterns = back.map((pattern) => withoutLists(pattern.toLowerCase()));
    return secrets.filter((file) => isIgnoredFile(normalize(file), join(tree, '.'), patterns));
  };
}

/** @param back last segments of all re-including patterns, in lower case */
function isIgnoredFile(file: string, tree: string, back: readonly string[]): boolean {
  const folder = dirname(file);
  // Other ignore files apply behind a link.
  if (realOrSelf(folder) !== folder || !isPlainFile(file)) return false;
  const folders = foldersOfRepository(folder);
  const top = folders?.at(-1);
  if (folders === null || top === undefined) return false;
  const parts = relative(top, file).toLowerCase().split('/');
  if (parts.some((part) => back.some((pattern) => globMatch(pattern, part)))) return false;
  return folders.some((one) => linesOf(join(one, '.gitignore')).some((line) => leavesOut(line, one, file, tree)));
}

/** Whether this is a regular file. A symlink is not: its target may also be found under a name that is not ignored. */
function isPlainFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * Returns the folders whose `.gitignore` files ripgrep obeys: the given folder and its ancestors, up to the top of the nearest
 * repository. Returns null outside a repository.
 */
function foldersOfRepository(start: string): readonly string[] | null {
  const folders: string[] = [];
  for (let folder = start; folders.length < MAX_DEPTH; folder = dirname(folder)) {
    folders.push(folder);
    if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folders;
    if (dirname(folder) === folder) return null;
  }
  return null;
}

function linesOf(file: string): readonly string[] {
  const read = readText(file, { follow: false });
  return read.ok ? read.text.split(/\r?\n/, MAX_LINES) : [];
}

/** Patterns that consist of names, stars and slashes; programs differ in their interpretation of other syntax. */
const SIMPLE = /^\/?[\w.@*-]+(?:\/[\w.@*-]+)*\/?$/;

/** Whether the line certainly excludes the file, or a folder between the searched tree and the file. */
function leavesOut(line: string, folder: string, file: string, tree: string): boolean {
  if (!SIMPLE.test(line) || line.includes('**')) return false;
  const wanted = line.replace(/\/$/, '').replace(/^\//, '').split('/');
  const isAnchored = wanted.length > 1 || line.startsWith('/');
  const path = relative(folder, file).split('/');
  // A search enters the folder that it names, whatever the patterns exclude.
  const entered = relative(folder, tree).startsWith('..') || tree === folder ? 0 : relative(folder, tree).split('/').length;
  for (let end = path.length; end > entered; end -= 1) {
    if (end === path.length && line.endsWith('/')) continue;
    const named = isAnchored ? path.slice(0, end) : path.slice(end - 1, end);
    if (named.length === wanted.length && named.every((part, at) => globMatch(wanted[at] ?? '', part))) return true;
  }
  return false;
}
