/** Globs of one path segment as regular expressions, by micromatch: only this file of the layer may import it. */
import micromatch from 'micromatch';

const OPTIONS = { dot: true, nonegate: true, noextglob: true, windows: false } as const;

/** The source of a glob's regular expression; null when micromatch cannot make one. */
export function globSource(glob: string): string | null {
  const { source } = micromatch.makeRe(glob, OPTIONS);
  return source === '$^' ? null : source;
}
