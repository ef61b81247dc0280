/** Globs of one path segment as regular expressions, by micromatch: nothing else on this layer may import that. */
import micromatch from 'micromatch';

const OPTIONS = { dot: true, nonegate: true, noextglob: true, windows: false } as const;

/** The text of the regular expression of a glob; null when micromatch can make none. */
export function globSource(glob: string): string | null {
  const { source } = micromatch.makeRe(glob, OPTIONS);
  return source === '$^' ? null : source;
}
