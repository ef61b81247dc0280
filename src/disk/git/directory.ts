/** Where git would find its repository: the rules of setup.c, told from files alone. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { GitFacts } from '../../decide/ruling/facts.js';
import { pathIn } from '../inside.js';
import { readText } from '../read.js';
import { entryAt, statOf } from '../stat-of.js';

export type Hazard = GitFacts['hazards'][number];

/** A repository as found from a directory upwards. */
export interface Located {
  /** The directory that holds `.git`, or a bare look-alike itself. */
  readonly top: string;
  /** Things on the way up that call themselves `.git` and that git passes over, or would some day not. */
  readonly hazards: readonly Hazard[];
  /** Its `.git` is a directory that git accepts. */
  readonly sound: boolean;
}

const MAX_DEPTH = 2048;
const MAX_POINTER_BYTES = 4096;

/**
 * The repository that git would use in `start`; null outside any. A `.git` directory that is not a repository (no HEAD, no
 * objects) does not hide the one above it, since git walks on too; it is a hazard there. With nothing above, git refuses to
 * work, and the unfinished directory is the top: its configuration counts once somebody completes it. An empty one says nothing.
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

/** The top of the repository that git would use in `start`, null outside any. */
export function repositoryTop(start: string): string | null {
  return locateRepository(start)?.top ?? null;
}

/** A sandbox that was killed leaves such a folder behind (`/tmp/.git` of Codex), and nothing in it says anything to git. */
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

/** git takes any folder with HEAD and objects/ and refs/, its own or those of `commondir`, for a repository and obeys its config. */
export function looksBare(folder: string): boolean {
  return exists(pathIn(folder, 'HEAD')) && holdsRepository(folder);
}

function holdsRepository(folder: string): boolean {
  return exists(pathIn(folder, 'commondir')) || (exists(pathIn(folder, 'objects')) && exists(pathIn(folder, 'refs')));
}

/** As `looksBare`, with a HEAD that git would accept: a reference or an object name. */
function isGitDirectory(folder: string): boolean {
  const file = pathIn(folder, 'HEAD');
  const stat = entryAt(file);
  if (stat === undefined || !holdsRepository(folder)) return false;
  if (stat.isSymbolicLink()) return true;
  const head = readText(file, { limit: MAX_POINTER_BYTES });
  return head.ok && (head.text.startsWith('ref: refs/') || /^(?:ref:\s*refs\/|[0-9a-f]{40})/i.test(head.text));
}

export interface GitDirectory {
  /** The git directory of the work tree, then the common one where they differ. */
  readonly folders: readonly string[];
  readonly hazards: readonly Hazard[];
}

/**
 * The git directory of a top (and the common one of a linked worktree); a `.git` that leads elsewhere is a hazard.
 * @param sound whether its `.git` was just seen to be a directory that git accepts
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

/** Where a `.git` file points to; null when it is no such file. */
export function gitFileTarget(file: string): string | null {
  const text = readText(file, { limit: MAX_POINTER_BYTES, follow: false });
  const target = text.ok ? /^gitdir: ([^\n\r]+)[\r\n]*$/.exec(text.text)?.[1] : undefined;
  return target === undefined ? null : resolve(dirname(file), target);
}

/** A git directory and, when it names one, the common directory that holds its configuration and hooks. */
function withCommon(folder: string): string[] {
  const file = pathIn(folder, 'commondir');
  if (!exists(file)) return [folder];
  const common = readText(file, { limit: MAX_POINTER_BYTES });
  // An unreadable commondir stands twice: as a folder, its missing configuration is at least looked for.
  return [folder, common.ok ? resolve(folder, common.text.trim()) : file];
}

/** The real path, or the path itself when it has none. */
export function realOrSelf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** True when the path is a directory; false also where nobody can tell: behind links that lead in a circle, or into a closed folder. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

/** git opens the files of its folders by name, whether these can be listed or not. */
export function unlisted(folder: string): Hazard {
  return { key: 'a folder that cannot be listed', file: folder, line: 1 };
}

/** Whether git would run the file at a path as a hook. */
export function isExecutable(path: string): boolean {
  const stat = statOf(path);
  return stat !== undefined && !stat.isDirectory() && (process.platform === 'win32' || (stat.mode & 0o111) !== 0);
}
