/**
 * Paths that are protected from writes because they are run later, but that may be removed: installed packages, which the next
 * install restores, and the locks that an interrupted git leaves. Nothing runs because they are gone, so a person is asked, and a
 * rule can allow it.
 */
import type { Facts } from '../ruling/facts.js';
import type { PathReference } from './path-references.js';
import { type Protection, protectedPath } from './sensitive-paths.js';

const PACKAGES = /^(.*?)\/node_modules(?:\/|$)/i;
/** Also matches a pattern of such names. */
const LOCK = /^(.*?)\/\.git\/(?:[\w.-]+\/){0,8}[\w.*?-]+\.lock$/;

/** Describes what deleting the path removes; null if its protection also applies to deletion. */
export function renewable(absolute: string, { access, assumed }: PathReference, hit: Protection, facts: Facts): string | null {
  if (access !== 'delete' || assumed || hit.effect !== 'deny') return null;
  if (hit.pattern === 'node_modules') return isOpen(PACKAGES.exec(absolute)?.[1], facts) ? 'installed packages' : null;
  return hit.pattern === '.git' && isOpen(LOCK.exec(absolute)?.[1], facts) ? 'a lock of git' : null;
}

/** Whether nothing else protects the folder that contains it. */
function isOpen(folder: string | undefined, { home, ownDirectories }: Facts): boolean {
  return folder !== undefined && protectedPath(folder, home, ownDirectories) === null;
}
