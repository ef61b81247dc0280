/**
 * A file that a person names for an answer. A repository or an agent may have put a link in its place, or in that of a directory on
 * the way there; through it the answer would become the person's policy or a shell's startup file.
 */
import { closeSync, constants, lstatSync, openSync, type Stats, writeFileSync } from 'node:fs';
import { join, parse, resolve, sep } from 'node:path';

/** The parts of a file's path that lie below a directory of which `isTop` holds: each may be what the repository brought. */
export function entriesBelow(file: string, isTop: (directory: string) => boolean): readonly string[] {
  const path = resolve(file);
  const { root } = parse(path);
  let [at, inside] = [root, false];
  const entries: string[] = [];
  for (const name of path.slice(root.length).split(sep)) {
    at = join(at, name);
    if (inside) entries.push(at);
    else inside = isTop(at);
  }
  return entries;
}

/** The first of the entries that is a symbolic link. */
export function linkAmong(entries: readonly string[]): string | undefined {
  return entries.find((entry) => entryStatus(entry)?.isSymbolicLink() === true);
}

/** Of the entry itself, not of what a link leads to; undefined when there is none, or it cannot be told. */
export function entryStatus(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Throws the error of node when it cannot be written.
 * @param followsLinks whether a link that has come into its place since is followed
 */
export function writeAnswer(file: string, text: string, followsLinks: boolean): void {
  // Not known on Windows.
  const careful = followsLinks ? 0 : (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const descriptor = openSync(resolve(file), constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | careful, 0o666);
  try {
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}
