/** Names of commits and files, as git reports them. Every function returns null when git gives no answer. */

import { pathIn } from '../inside.js';
import { entryAt } from '../stat-of.js';
import type { AskedGit } from './ask.js';

const MOST_COMPARED = 200;
/** Maximum bytes of a file to be compared. */
const MOST_BYTES = 4 * 1024 * 1024;

export function commitNamed(git: AskedGit, revision: string): string | null {
  const name = git.ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`])?.trim() ?? '';
  return /^[0-9a-f]{40,64}$/.test(name) ? name : null;
}

/** Returns the files of a commit, or of the index (null), with the object name of each. */
export function trackedFiles(git: AskedGit, commit: string | null): Map<string, string> | null {
  const printed = git.ask(commit === null ? ['ls-files', '-z', '--stage', '--full-name'] : ['ls-tree', '-r', '-z', commit]);
  if (printed === null) return null;
  const found = new Map<string, string>();
  for (const line of printed.split('\0')) {
    const tab = line.indexOf('\t');
    const name = tab < 0 ? undefined : / ([0-9a-f]{40,64})(?: |$)/.exec(line.slice(0, tab))?.[1];
    if (name !== undefined) found.set(line.slice(tab + 1), name);
  }
  return found;
}

/** Returns the files that differ in the work tree from the listing; all of them if they are too many to compare. */
export function changedFiles(
  git: AskedGit,
  top: string,
  listed: readonly (readonly [path: string, name: string])[],
): ReadonlySet<string> | null {
  const plain = listed.filter(([path]) => isPlainFile(pathIn(top, path)));
  if (plain.length > MOST_COMPARED) return new Set(listed.map(([path]) => path));
  const printed = plain.length === 0 ? '' : git.ask(['hash-object', '--no-filters', '--', ...plain.map(([path]) => path)]);
  if (printed === null) return null;
  const names = printed.split('\n');
  const same = new Set(plain.flatMap(([path, name], at) => (names[at] === name ? [path] : [])));
  return new Set(listed.flatMap(([path]) => (same.has(path) ? [] : [path])));
}

function isPlainFile(path: string): boolean {
  const stat = entryAt(path);
  return stat?.isFile() === true && stat.size <= MOST_BYTES;
}
