/** What is proven about paths in temporary folders, which programs of all users and projects share. */
import { readdirSync, type Stats } from 'node:fs';
import { posix } from 'node:path';
import { TEMPORARY } from '../../decide/guards/temporary.js';
import { protectedPath } from '../../decide/place/sensitive-paths.js';
import type { Facts, PathFact, TemporaryFact } from '../../decide/ruling/facts.js';
import { isInside } from '../../disk/inside.js';
import { entryAt } from '../../disk/stat-of.js';

/** Folders with more entries are not examined. */
const MOST_ENTRIES = 2_000;

/**
 * Returns a function that adds to a path's fact what is proven about it as a temporary path. The home directory, the project and
 * our own folders are never temporary, wherever they are.
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

/**
 * Whether the path contains no link, apart from macOS's own `/private`: the owner of a link could change its target before the call runs.
 */
function isAsWritten(path: string, real: string): boolean {
  const written = posix.normalize(path).replace(/(?<=.)\/$/, '');
  return written === real || `/private${written}` === real;
}

/** @param isPlain whether nothing in a folder makes it, or a folder in it, a project or a place of settings */
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

/** Whether every user of the machine has these rights. */
function opens({ mode }: Stats, rights: number): boolean {
  return (mode & rights) === rights;
}

/**
 * Whether only the user and root can replace entries of a folder. A group whose id equals that of its user has no other members.
 * @param isShared whether it may be a folder of root's in which all users may replace only their own entries
 */
function isFirm({ uid, gid, mode }: Stats, user: number, isShared: boolean): boolean {
  if (isShared && uid === 0 && (mode & 0o1000) !== 0) return true;
  return (uid === user || uid === 0) && (mode & 0o002) === 0 && ((mode & 0o020) === 0 || gid === uid);
}

/** Whether no entry is hidden or protected: that would indicate another project, or settings that programs look for. */
function holdsPlainFiles(folder: string, home: string): boolean {
  const names = readdirSync(folder);
  if (names.length > MOST_ENTRIES) return false;
  return names.every((name) => {
    const hit = isSign(name) ? undefined : protectedPath(`${folder}/${name}`, home, []);
    // A secret is protected on its own, and indicates nothing about its neighbours.
    return hit === null || hit?.secret === true;
  });
}

/** Whether a name is hidden, or is `HEAD`, which every bare repository contains. */
function isSign(name: string): boolean {
  return name.startsWith('.') || name.toLowerCase() === 'head';
}
