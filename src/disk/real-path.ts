/** Where a path really leads, even if its end does not exist yet. */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { PathFact } from '../decide/ruling/facts.js';

const MAX_LINKS = 40;
/** The kernel's own limit (PATH_MAX); a longer path could not be opened anyway. */
const MAX_PATH_BYTES = 4096;
/** Errors of reading a link for a path that is no link, or does not exist. Any other error leaves the path unknown. */
const NO_LINK = new Set(['EINVAL', 'ENOENT', 'ENOTDIR']);

/** Returns the path without symlinks; null if it does not exist or cannot be resolved. */
export function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/**
 * Returns where a path really leads, with symlinks of its existing parents resolved and a dangling link followed; null if that cannot be
 * determined (a loop, no permission, more than 4096 bytes). The path is not normalized first: `a/../b` depends on where `a` leads.
 */
export function pathFact(path: string): PathFact | null {
  if (!isAbsolute(path) || path.includes('\0')) return null;
  let pending = path;
  for (let hops = 0; hops < MAX_LINKS; hops += 1) {
    // No UTF-16 unit takes more than three bytes.
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
 * Returns the longest existing prefix of a path, fully resolved, and the segments that do not exist. Everything below a missing
 * folder is missing, too, so binary search finds the prefix: a path of two thousand segments takes a dozen look-ups.
 */
function existingParent(path: string): { readonly parent: string | null; readonly rest: readonly string[] } {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  const resolved = (count: number) => realPath(`/${segments.slice(0, count).join('/')}`);
  // Usually only the last segment is new.
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

/** Returns the path of plain segments below a real folder. There is nothing to normalize, which node:path would check. */
function below(folder: string, segments: readonly string[]): string {
  return `${folder === '/' ? '' : folder}/${segments.join('/')}`;
}

/** Returns the target of a symlink; null if the path is no link or does not exist; undefined if that cannot be determined. */
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
