/** What is proven of paths in temporary folders, which programs of all users and projects share. */
import { readdirSync, type Stats } from 'node:fs';
import { posix } from 'node:path';
import { TEMPORARY } from '../../decide/guards/temporary.js';
import { protectedPath } from '../../decide/place/sensitive-paths.js';
import type { Facts, PathFact, TemporaryFact } from '../../decide/ruling/facts.js';
import { isInside } from '../../disk/inside.js';
import { entryAt } from '../../disk/stat-of.js';

/** A folder of more entries is not looked through. */
const MOST_ENTRIES = 2_000;

/**
 * A function that adds to a fact what is proven of its path as a temporary one. The home, the project and our own folders are not
 * temporary, wherever they lie.
 */
export function temporaryReader(
  { home, project, ownDirectories }: Pick<Facts, 'home' | 'project' | 'ownDirectories'>,
  checkouts: readonly string[],
): (path: string, fact: PathFact) => PathFact {
  const plain = new Map<string, boolean>();
  const isPlain = (folder: string) => {
    const known = plain.get(folder) ?? holdsPlainFiles(folder, home);
    plain.set(folder, known);
    return known;
  };
  return (path, fact) => {
    const top = TEMPORARY.exec(fact.real)?.[0];
    const user = process.getuid?.();
    if (top === undefined || user === undefined || fact.kind === 'other' || !isAsWritten(path, fact.real)) return fact;
    if ([home, project, ...checkouts, ...ownDirectories].some((folder) => isInside(fact.real, folder))) return fact;
    try {
      const temporary = provenBelow(top, fact, user, isPlain);
      return temporary === null ? fact : { ...fact, temporary };
    } catch {
      return fact;
    }
  };
}

/** Without a link on the way, but for the one by which macOS has its folders: whoever made it may have it lead elsewhere by then. */
function isAsWritten(path: string, real: string): boolean {
  const written = posix.normalize(path).replace(/(?<=.)\/$/, '');
  return written === real || `/private${written}` === real;
}

/** @param isPlain whether a folder holds nothing that makes it, or a folder in it, a project or the place of settings */
function provenBelow(
  top: string,
  { real, kind }: PathFact,
  user: number,
  isPlain: (folder: string) => boolean,
): TemporaryFact | null {
  const names = real.slice(top.length).split('/').slice(1);
  let stat = entryAt(top);
  if (stat?.isDirectory() !== true || !isFirm(stat, user, true) || names.some(isSign)) return null;
  let path = top;
  let isOpen = opens(stat, 0o5);
  for (const name of names) {
    if (!stat.isDirectory()) return null;
    path = `${path}/${name}`;
    stat = entryAt(path);
    if (stat === undefined) return kind === 'missing' ? NEW : null;
    if (stat.isDirectory()) {
      if (!isFirm(stat, user, false) || !isPlain(path)) return null;
      isOpen &&= opens(stat, 0o5);
    }
  }
  if (stat.isDirectory()) return kind === 'directory' ? { reads: isOpen, writes: path === top || stat.uid === user } : null;
  if (kind !== 'file' || !stat.isFile() || ![0, user].includes(stat.uid)) return null;
  return {
    reads: isOpen && opens(stat, 0o4),
    writes: stat.uid === user && stat.nlink === 1 && (stat.mode & 0o111) === 0,
  };
}

const NEW: TemporaryFact = { reads: true, writes: true };

/** Whether everybody on the machine has these rights. */
function opens({ mode }: Stats, rights: number): boolean {
  return (mode & rights) === rights;
}

/**
 * Whether nobody but the user and root can put something else in the place of what lies in a folder. A group that is called like its
 * user has no other members.
 * @param isShared whether it may be a folder of root's in which each may replace what is his own
 */
function isFirm({ uid, gid, mode }: Stats, user: number, isShared: boolean): boolean {
  if (isShared && uid === 0 && (mode & 0o1000) !== 0) return true;
  return (uid === user || uid === 0) && (mode & 0o002) === 0 && ((mode & 0o020) === 0 || gid === uid);
}

/** What is hidden or protected is a sign of another project, or of settings that programs look for. */
function holdsPlainFiles(folder: string, home: string): boolean {
  const names = readdirSync(folder);
  if (names.length > MOST_ENTRIES) return false;
  return names.every((name) => {
    const hit = isSign(name) ? undefined : protectedPath(`${folder}/${name}`, home, []);
    // A secret is guarded itself, and says nothing of its neighbours.
    return hit === null || hit?.secret === true;
  });
}

/** A hidden name, or the one without which no folder is a bare repository. */
function isSign(name: string): boolean {
  return name.startsWith('.') || name.toLowerCase() === 'head';
}
