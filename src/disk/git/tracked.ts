/** The files of a folder that git tracks, by its index; git itself is never run. */
import { relative, sep } from 'node:path';
import { gitDirectory, realOrSelf, repositoryTop } from './directory.js';
import { readIndex } from './index-file.js';

/**
 * Returns a function that tells whether git tracks a path below `root` (with `/`); null if that cannot be determined. Reads the
 * index at the first call.
 */
export function trackedBelow(root: string): (path: string) => boolean | null {
  let read: { readonly names: ReadonlySet<string>; readonly above: string } | null | undefined;
  return (path) => {
    if (read === undefined) read = namesOf(root);
    return read === null ? null : read.names.has(Buffer.from(read.above + path).toString('latin1'));
  };
}

/** Whether git tracks anything in a `node_modules` folder below the top of a repository; true also if that cannot be determined. */
export function tracksPackages(top: string): boolean {
  const { folders } = gitDirectory(top);
  const [own] = folders;
  const index = own === undefined ? null : readIndex(own, folders.at(-1) ?? own);
  return index === null || index.folders.length > 0 || index.names.some((name) => /(?:^|\/)node_modules(?:\/|$)/.test(name));
}

function namesOf(root: string): { readonly names: ReadonlySet<string>; readonly above: string } | null {
  const folder = realOrSelf(root);
  const top = repositoryTop(folder);
  if (top === null) return null;
  const { folders } = gitDirectory(top);
  const [own] = folders;
  const index = own === undefined ? null : readIndex(own, folders.at(-1) ?? own);
  if (index === null) return null;
  const between = relative(realOrSelf(top), folder).split(sep).join('/');
  return { names: new Set(index.names), above: between === '' ? '' : `${between}/` };
}
