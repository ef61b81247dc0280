/** The default branch of a repository, read without running git. */
import { join } from 'node:path';
import { gitDirectory, repositoryTop } from '../disk/git/directory.js';
import { readText } from '../disk/read.js';

const NAME = /^[A-Za-z0-9][\w./-]{0,99}$/;

/**
 * Returns the default branch of the remote, else `main` or `master` if one exists, else the branch that is checked out; null
 * outside of git.
 */
export function defaultBranch(project: string): string | null {
  if (repositoryTop(project) === null) return null;
  const { folders } = gitDirectory(project);
  const [own, common] = [folders[0], folders.at(-1)];
  if (own === undefined || common === undefined) return null;
  const remote = named(join(common, 'refs/remotes/origin/HEAD'), 'refs/remotes/origin/');
  const usual = ['main', 'master'].find((name) => hasBranch(common, name));
  const found = remote ?? usual ?? named(join(own, 'HEAD'), 'refs/heads/');
  return found !== null && NAME.test(found) && !found.includes('..') ? found : null;
}

/** Reads `main` from `ref: refs/heads/main`. */
function named(file: string, prefix: string): string | null {
  const read = readText(file, { limit: 4096 });
  const target = read.ok ? /^ref:\s*(\S+)\s*$/.exec(read.text)?.[1] : undefined;
  return target?.startsWith(prefix) === true ? target.slice(prefix.length) : null;
}

function hasBranch(common: string, name: string): boolean {
  if (readText(join(common, 'refs/heads', name), { limit: 4096 }).ok) return true;
  const packed = readText(join(common, 'packed-refs'));
  return packed.ok && new RegExp(`^[0-9a-f]{40,64} refs/heads/${name}$`, 'm').test(packed.text);
}
