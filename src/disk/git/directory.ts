/** Where git would find its repository: the rules of setup.c, evaluated from files alone. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { GitFacts } from '../../decide/ruling/facts.js';
import { pathIn } from '../inside.js';
import { readText } from '../read.js';
import { entryAt, statOf } from '../stat-of.js';

export type Hazard = GitFacts['hazards'][number];

/** A repository found by searching upwards from a directory. */
export interface Located {
  /** The directory that contains `.git`, or itself looks like a bare repository. */
  readonly top: string;
  /** Entries named `.git` on the way up that git skips now, but might one day accept. */
  readonly hazards: readonly Hazard[];
  /** Its `.git` is a directory that git accepts. */
  readonly sound: boolean;
}

const MAX_DEPTH = 2048;
const MAX_POINTER_BYTES = 4096;

/**
 * Returns the repository that git would use in `start`; null outside of repositories. A `.git` directory that is not a repository
 * (no HEAD, no objects) does not hide the one above it, since git continues upwards, too; it is a hazard there. If there is none
 * above, git refuses to work, and the folder of the unfinished directory is the top: its configuration applies once it is
 * completed. An empty `.git` is ignored.
 */
export function locateRepository(start: string): Located | null {
  const unfinished: string[] = [];
  let current = start;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const dot = pathIn(current, '.git');
    const stat = entryAt(dot);
    const sound = stat?.isDirectory() === true && isGitDirectory(dot);
    if (sound || stat?.isFile() || looksBare(current)) {
      const hazards = unfinished.map((file) => ({ key: '.git that is no repository', file, line: 1 }));
      return { top: current, hazards, sound };
    }
    if (stat !== undefined && !stat.isDirectory() && isGitDirectory(dot)) return { top: current, hazards: [], sound };
    if (stat !== undefined) unfinished.push(dot);
    const parent = dirname(current);
    if (parent === current) break;
    current = parent;
  }
  const first = unfinished.find((dot) => !isEmpty(dot));
  return first === undefined ? null : { top: dirname(first), hazards: [], sound: false };
}

/** Returns the top of the repository that git would use in `start`; null outside of repositories. */
export function repositoryTop(start: string): string | null {
  return locateRepository(start)?.top ?? null;
}

/** A killed sandbox leaves such a folder behind (`/tmp/.git` of Codex), and git ignores it. */
function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return false;
  }
}

function exists(path: string): boolean {
  return entryAt(path) !== undefined;
}

/** Git treats any folder with HEAD and objects/ and refs/, its own or those of `commondir`, as a repository and obeys its configuration. */
export function looksBare(folder: string): boolean {
  return exists(pathIn(folder, 'HEAD')) && holdsRepository(folder);
}

function holdsRepository(folder: string): boolean {
  return exists(pathIn(folder, 'commondir')) || (exists(pathIn(folder, 'objects')) && exists(pathIn(folder, 'refs')));
}

/** Like `looksBare`, with a HEAD that git would accept: a reference or an object name. */
function isGitDirectory(folder: string): boolean {
  const file = pathIn(folder, 'HEAD');
  const stat = entryAt(file);
  if (stat === undefined || !holdsRepository(folder)) return false;
  if (stat.isSymbolicLink()) return true;
  const head = readText(file, { limit: MAX_POINTER_BYTES });
  return head.ok && (head.text.startsWith('ref: refs/') || /^(?:ref:\s*refs\/|[0-9a-f]{40})/i.test(head.text));
}

export interface GitDirectory {
  /** The git directory of the work tree, then the common one if it differs. */
  readonly folders: readonly string[];
  readonly hazards: readonly Hazard[];
}

/**
 * Returns the git directory of a top (and the common one of a linked worktree); a `.git` that leads elsewhere is a hazard.
 * @param sound whether its `.git` was just found to be a directory that git accepts
 */
export function gitDirectory(top: string, sound = false): GitDirectory {
  const dot = pathIn(top, '.git');
  const stat = entryAt(dot);
  const usable = stat !== undefined && (!stat.isDirectory() || sound || isGitDirectory(dot) || !looksBare(top));
  if (!usable) return { folders: withCommon(top), hazards: [{ key: 'bare repository', file: top, line: 1 }] };
  if (stat.isDirectory()) {
    const folders = withCommon(dot);
    return { folders, hazards: folders.length > 1 ? [{ key: 'commondir', file: pathIn(dot, 'commondir'), line: 1 }] : [] };
  }
  const folder = stat.isFile() ? gitFileTarget(dot) : realOrSelf(dot);
  if (folder === null || !stat.isFile())
    return { folders: folder === null ? [] : withCommon(folder), hazards: [{ key: '.git', file: dot, line: 1 }] };
  const back = readText(pathIn(folder, 'gitdir'), { limit: MAX_POINTER_BYTES });
  const folders = withCommon(folder);
  const linked = folders.length > 1 && back.ok && realOrSelf(back.text.trim()) === realOrSelf(dot);
  return { folders, hazards: linked ? [] : [{ key: 'gitdir', file: dot, line: 1 }] };
}

/** Returns the path in a `.git` file; null if it is no such file. */
export function gitFileTarget(file: string): string | null {
  const text = readText(file, { limit: MAX_POINTER_BYTES, follow: false });
  const target = text.ok ? /^gitdir: ([^\n\r]+)[\r\n]*$/.exec(text.text)?.[1] : undefined;
  return target === undefined ? null : resolve(dirname(file), target);
}

/** Returns a git directory and, if it names one, the common directory with its configuration and hooks. */
function withCommon(folder: string): string[] {
  const file = pathIn(folder, 'commondir');
  if (!exists(file)) return [folder];
  const common = readText(file, { limit: MAX_POINTER_BYTES });
  // The path of an unreadable commondir is used as a folder: then its configuration is at least looked for.
  return [folder, common.ok ? resolve(folder, common.text.trim()) : file];
}

/** Returns the real path, or the path itself if it has none. */
export function realOrSelf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/**
 * True if the path is a directory; false also if that cannot be determined: behind circular links, or in a folder that may not be entered.
 */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

/** Git opens the files of its folders by name, so a folder that cannot be listed is a hazard. */
export function unlisted(folder: string): Hazard {
  return { key: 'a folder that cannot be listed', file: folder, line: 1 };
}

/** Whether git would run the file at a path as a hook. */
export function isExecutable(path: string): boolean {
  const stat = statOf(path);
  return stat !== undefined && !stat.isDirectory() && (process.platform === 'win32' || (stat.mode & 0o111) !== 0);
}
