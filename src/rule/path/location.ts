/** The location of a path, for comparison with path patterns: absolute, in the project, and in the home directory. */
import { normalize } from 'node:path/posix';

export type Platform = 'linux' | 'darwin' | 'win32';

/** The directories at which path patterns are anchored, as absolute real paths. */
export interface PathAnchors {
  readonly project: string;
  readonly home: string;
  readonly platform: Platform;
}

export interface PathLocation {
  /** Normalised, with `/` as the separator, without a trailing `/`. */
  readonly absolute: string;
  /** Relative to the project, `''` for the project itself; null outside it. */
  readonly project: string | null;
  /** Relative to the home directory; null outside it. */
  readonly home: string | null;
  /** True if the file system ignores case in names (macOS, Windows). */
  readonly caseless: boolean;
}

/**
 * Locates a path by its text alone: for a symlink, the caller locates the path as written and the real path separately.
 * Relative paths start at the project.
 */
export function locate(path: string, anchors: PathAnchors): PathLocation {
  if (anchors.platform === 'win32') return locateOnWindows(path, anchors);
  const absolute = collapsed(path.charCodeAt(0) === SLASH ? path : `${anchors.project}/${path}`);
  const project = collapsed(anchors.project);
  const home = collapsed(anchors.home);
  if (anchors.platform === 'darwin')
    return { absolute, project: belowCaseless(project, absolute), home: belowCaseless(home, absolute), caseless: true };
  return { absolute, project: belowExactly(project, absolute), home: belowExactly(home, absolute), caseless: false };
}

function locateOnWindows(path: string, anchors: PathAnchors): PathLocation {
  const slashed = (text: string) => text.replaceAll('\\', '/');
  const given = slashed(path);
  const project = collapsed(slashed(anchors.project));
  const rooted = given.startsWith('/') || /^[A-Za-z]:\//.test(given);
  const absolute = collapsed(rooted ? given : `${project}/${given}`);
  const home = belowCaseless(collapsed(slashed(anchors.home)), absolute);
  return { absolute, project: belowCaseless(project, absolute), home, caseless: true };
}

/** One spelling for all names that a case-insensitive file system considers equal (including ſ and K, the Kelvin sign). */
export function foldPath(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** The segments of a path; `''` has none. */
export function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  let start = 0;
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', start)) {
    if (end > start) segments.push(path.slice(start, end));
    start = end + 1;
  }
  if (start < path.length) segments.push(path.slice(start));
  return segments;
}

/** The normalised path without a trailing slash; most paths already have this form, or end in `/.`. */
function collapsed(path: string): string {
  // Two searches settle nearly all paths; in a new process, a loop over the characters takes far longer.
  if (!path.includes('//') && !path.includes('/.')) return withoutSlash(path);
  let slash = false;
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at);
    if (slash && code === DOT && at === path.length - 1) return at === 1 ? '/' : path.slice(0, at - 1);
    if (slash && (code === SLASH || code === DOT)) return withoutSlash(normalize(path));
    slash = code === SLASH;
  }
  return slash ? withoutSlash(path) : path;
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

const DOT = 46;

function belowExactly(folder: string, path: string): string | null {
  if (path.length <= folder.length) return path === folder ? '' : null;
  if (folder === '/') return path.slice(1);
  return path.charCodeAt(folder.length) === SLASH && path.startsWith(folder) ? path.slice(folder.length + 1) : null;
}

const SLASH = 47;

function belowCaseless(folder: string, path: string): string | null {
  const outer = segmentsOf(folder);
  const inner = segmentsOf(path);
  const same = (left: string, right: string) => left === right || foldPath(left) === foldPath(right);
  if (inner.length < outer.length || !outer.every((segment, at) => same(segment, inner[at] ?? ''))) return null;
  return inner.slice(outer.length).join('/');
}
