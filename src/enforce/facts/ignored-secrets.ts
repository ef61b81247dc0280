/**
 * Secret files that ripgrep certainly passes over in a search of a whole tree: a `.gitignore` of their repository names them, and no
 * file of ignored names takes anything like them in again. Sources: the ignore crate 0.4, gitignore(5).
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

/** A function that gives those of a tree's secrets that are passed over; none where that is not certain. */
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

/** @param back last parts, in lower case, of all patterns that take something in again */
function isIgnoredFile(file: string, tree: string, back: readonly string[]): boolean {
  const folder = dirname(file);
  // Behind a link other files of ignored names count.
  if (realOrSelf(folder) !== folder || !isPlainFile(file)) return false;
  const folders = foldersOfRepository(folder);
  const top = folders?.at(-1);
  if (folders === null || top === undefined) return false;
  const parts = relative(top, file).toLowerCase().split('/');
  if (parts.some((part) => back.some((pattern) => globMatch(pattern, part)))) return false;
  return folders.some((one) => linesOf(join(one, '.gitignore')).some((line) => leavesOut(line, one, file, tree)));
}

/** A link has a target that other names lead to as well. */
function isPlainFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/** The folder and those above it, up to the top of the nearest repository, whose `.gitignore` ripgrep obeys; null outside of any. */
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

/** Names, stars and slashes alone: what else a pattern may hold, programs read in different ways. */
const SIMPLE = /^\/?[\w.@*-]+(?:\/[\w.@*-]+)*\/?$/;

/** Whether the line certainly leaves the file out, or a folder on the way to it from the tree that is searched. */
function leavesOut(line: string, folder: string, file: string, tree: string): boolean {
  if (!SIMPLE.test(line) || line.includes('**')) return false;
  const wanted = line.replace(/\/$/, '').replace(/^\//, '').split('/');
  const isAnchored = wanted.length > 1 || line.startsWith('/');
  const path = relative(folder, file).split('/');
  // A folder that is searched by its name is entered, whatever its name.
  const entered = relative(folder, tree).startsWith('..') || tree === folder ? 0 : relative(folder, tree).split('/').length;
  for (let end = path.length; end > entered; end -= 1) {
    if (end === path.length && line.endsWith('/')) continue;
    const named = isAnchored ? path.slice(0, end) : path.slice(end - 1, end);
    if (named.length === wanted.length && named.every((part, at) => globMatch(wanted[at] ?? '', part))) return true;
  }
  return false;
}
