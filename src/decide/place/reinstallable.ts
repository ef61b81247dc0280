/**
 * What is protected from writes, since it is run later, but may be taken away: installed packages, which the next install brings back,
 * and the locks that an interrupted git leaves. Nothing runs because it is gone, so a person is asked, and a rule can allow it.
 */
import type { Facts } from '../ruling/facts.js';
import type { PathReference } from './path-references.js';
import { type Protection, protectedPath } from './sensitive-paths.js';

const PACKAGES = /^(.*?)\/node_modules(?:\/|$)/i;
/** Also a pattern of such names. */
const LOCK = /^(.*?)\/\.git\/(?:[\w.-]+\/){0,8}[\w.*?-]+\.lock$/;

/** What deleting the path takes away, in words; null where the protection of the path holds for its deletion, too. */
export function renewable(absolute: string, { access, assumed }: PathReference, hit: Protection, facts: Facts): string | null {
  if (access !== 'delete' || assumed || hit.effect !== 'deny') return null;
  if (hit.pattern === 'node_modules') return isOpen(PACKAGES.exec(absolute)?.[1], facts) ? 'installed packages' : null;
  return hit.pattern === '.git' && isOpen(LOCK.exec(absolute)?.[1], facts) ? 'a lock of git' : null;
}

/** Nothing else protects the folder that it lies in. */
function isOpen(folder: string | undefined, { home, ownDirectories }: Facts): boolean {
  return folder !== undefined && protectedPath(folder, home, ownDirectories) === null;
}
