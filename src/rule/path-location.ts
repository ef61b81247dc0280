/** Where a path lies: absolute, in the project, in the home; the form in which path patterns are compared with it. */
import { normalize } from 'node:path/posix';

export type Platform = 'linux' | 'darwin' | 'win32';

/** The places that path patterns are anchored at; absolute real paths. */
export interface PathAnchors {
  readonly project: string;
  readonly home: string;
  readonly platform: Platform;
}

export interface PathLocation {
  /** Normalised, `/` as separator, without trailing `/`. */
  readonly absolute: string;
  /** Relative to the project, `''` for the project itself; null outside of it. */
  readonly project: string | null;
  /** Relative to the home; null outside of it. */
  readonly home: string | null;
  /** True where the file system takes two spellings of a name for one (macOS, Windows). */
  readonly caseless: boolean;
}

/**
 * Locates a path lexically; symlinks are the caller's business (one location per spelling and real path).
 * A path that is not absolute is taken from the project.
 */
export function locate(path: string, anchors: PathAnchors): PathLocation {
  const slashed = (text: string) => (anchors.platform === 'win32' ? text.replaceAll('\\', '/') : text);
  const given = slashed(path);
  const project = slashed(anchors.project);
  const rooted = given.startsWith('/') || (anchors.platform === 'win32' && /^[A-Za-z]:\//.test(given));
  const absolute = withoutTrailingSlash(normalize(rooted ? given : `${project}/${given}`));
  const caseless = anchors.platform !== 'linux';
  return {
    absolute,
    project: below(normalize(project), absolute, caseless),
    home: below(normalize(slashed(anchors.home)), absolute, caseless),
    caseless,
  };
}

/** One spelling for all names that a case-insensitive file system takes for the same (also ſ and K, the Kelvin sign). */
export function foldPath(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** The segments of a path; `''` has none. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function below(folder: string, path: string, caseless: boolean): string | null {
  const same = (left: string, right: string) => left === right || (caseless && foldPath(left) === foldPath(right));
  const outer = segmentsOf(folder);
  const inner = segmentsOf(path);
  if (inner.length < outer.length || !outer.every((segment, at) => same(segment, inner[at] ?? ''))) return null;
  return inner.slice(outer.length).join('/');
}
