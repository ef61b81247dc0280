/** The place of a call: its directory, the home directory, and the top level that git reports there. */
import type { Facts } from '../ruling/facts.js';

/** The place of a call as known before the file system is read. */
export interface Place {
  readonly cwd: string;
  readonly home: string;
  readonly project: string;
  /** The top level of the repository by directory, null for none; absent before git facts are gathered. */
  readonly tops?: Readonly<Record<string, string | null>>;
  /** By `OFFSET PATH` of a `cd` that may have failed: whether its folder exists; null if unknown. */
  readonly folders?: Readonly<Record<string, boolean | null>>;
}

/** The place of a call made in a directory, with the facts about it. */
export function placeOf(cwd: string, { home, project, git, folders }: Facts): Place {
  const place = { cwd, home, project, ...(folders !== undefined && { folders }) };
  return git === null ? place : { ...place, tops: git.directories };
}

/** The absolute form of a text that may be a path; `~` alone and `~user` are treated as ordinary names. */
export function absolutePath(text: string, home: string, base: string): string {
  if (text.startsWith('/')) return text;
  return text.startsWith('~/') ? `${home}${text.slice(1)}` : `${base}/${text}`;
}

/** Expands `~` and `~/…` to the home directory; null for those of other users. */
export function expandTilde(text: string, tilde: boolean, home: string): string | null {
  if (!tilde) return text;
  if (text === '~') return home;
  return text.startsWith('~/') ? `${home}${text.slice(1)}` : null;
}
