/**
 * A file that a person names for output. A repository or an agent may have put a link in its place, or in that of a directory on
 * the way there, which would write the output into the person's policy or a shell's startup file.
 */
import { closeSync, constants, lstatSync, openSync, type Stats, writeFileSync } from 'node:fs';
import { join, parse, resolve, sep } from 'node:path';

/** Returns the parts of a file's path below a directory for which `isTop` is true: the repository may have brought each of them. */
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

/** Returns the first of the entries that is a symlink. */
export function linkAmong(entries: readonly string[]): string | undefined {
  return entries.find((entry) => entryStatus(entry)?.isSymbolicLink() === true);
}

/** Returns the status of the entry itself, not of the target of a link; undefined if it does not exist or cannot be examined. */
export function entryStatus(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Writes the text. Throws the Node.js error when it cannot be written.
 * @param followsLinks whether to follow a link that has replaced the file meanwhile
 */
export function writeAnswer(file: string, text: string, followsLinks: boolean): void {
  // Not available on Windows.
  const careful = followsLinks ? 0 : (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const descriptor = openSync(resolve(file), constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | careful, 0o666);
  try {
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}
