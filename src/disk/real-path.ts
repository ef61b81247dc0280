/** Where a path really leads, also when its end does not exist yet. */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { PathFact } from '../decide/ruling/facts.js';

const MAX_LINKS = 40;
/** The kernel's own bound (PATH_MAX); beyond it nothing could be opened anyway. */
const MAX_PATH_BYTES = 4096;
/** What reading a link says of something that is no link, or is not there. Anything else leaves the path unknown. */
const NO_LINK = new Set(['EINVAL', 'ENOENT', 'ENOTDIR']);

/** The path without symbolic links; null when it does not exist or cannot be told. */
export function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/**
 * Where a path really leads, symlinks of its existing parents resolved and a dangling link followed; null when that cannot be
 * told (a loop, no permission, more than 4096 bytes). The path is not collapsed first: `a/../b` depends on where `a` leads.
 */
export function pathFact(path: string): PathFact | null {
  if (!isAbsolute(path) || path.includes('\0')) return null;
  let pending = path;
  for (let hops = 0; hops < MAX_LINKS; hops += 1) {
    // No character takes more than three bytes a unit.
    if (pending.length > MAX_PATH_BYTES / 3 && Buffer.byteLength(pending) > MAX_PATH_BYTES) return null;
    const real = realPath(pending);
    if (real !== null) return { real, kind: kindOf(real) };
    const { parent, rest } = existingParent(pending);
    if (parent === null) return null;
    if (rest.includes('..')) return null;
    const [next, ...further] = rest;
    const entry = next === undefined ? parent : below(parent, [next]);
    const link = linkTarget(entry);
    if (link === undefined) return null;
    if (link === null) return { real: below(parent, rest), kind: 'missing' };
    pending = [isAbsolute(link) ? link : `${parent}/${link}`, ...further].join('/');
  }
  return null;
}

/**
 * The longest existing beginning of a path, really resolved, and the segments that do not exist. Whatever lies below something
 * missing is missing too, so halving finds it: a path of two thousand segments costs a dozen look-ups.
 */
function existingParent(path: string): { readonly parent: string | null; readonly rest: readonly string[] } {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  const resolved = (count: number) => realPath(`/${segments.slice(0, count).join('/')}`);
  // Most often only the last segment is new.
  let parent = resolved(segments.length - 1);
  if (parent !== null) return { parent, rest: segments.slice(segments.length - 1) };
  parent = resolved(0);
  if (parent === null) return { parent, rest: [] };
  let exists = 0;
  let missing = segments.length - 1;
  while (missing - exists > 1) {
    const middle = (exists + missing) >> 1;
    const real = resolved(middle);
    if (real === null) missing = middle;
    else {
      parent = real;
      exists = middle;
    }
  }
  return { parent, rest: segments.slice(exists) };
}

/** The path of plain segments below a real folder. Nothing is left to collapse, which node:path would look for. */
function below(folder: string, segments: readonly string[]): string {
  return `${folder === '/' ? '' : folder}/${segments.join('/')}`;
}

/** Target of a symbolic link, null for anything else or nothing, undefined when it cannot be told. */
function linkTarget(path: string): string | null | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    return error instanceof Error && 'code' in error && NO_LINK.has(String(error.code)) ? null : undefined;
  }
}

function kindOf(path: string): PathFact['kind'] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'missing';
  return stat.isDirectory() ? 'directory' : stat.isFile() ? 'file' : 'other';
}
