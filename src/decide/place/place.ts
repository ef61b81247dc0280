/** Where a call stands: its directory, the home folder, and what git calls the top level there. */
import type { Facts } from '../ruling/facts.js';

/** Where a path stands before any file system was asked. */
export interface Place {
  readonly cwd: string;
  readonly home: string;
  readonly project: string;
  /** Top level of the repository of directories, null for none; not known before git facts are gathered. */
  readonly tops?: Readonly<Record<string, string | null>>;
  /** By `OFFSET PATH` of a `cd` that may have failed: whether its folder is there; null where nobody can say. */
  readonly folders?: Readonly<Record<string, boolean | null>>;
}

/** The place of a call made in a directory, with what the facts say of it. */
export function placeOf(cwd: string, { home, project, git, folders }: Facts): Place {
  const place = { cwd, home, project, ...(folders !== undefined && { folders }) };
  return git === null ? place : { ...place, tops: git.directories };
}

/** The absolute path of a text that may be one; a `~` alone, or one of another user, is a name like any other. */
export function absolutePath(text: string, home: string, base: string): string {
  if (text.startsWith('/')) return text;
  return text.startsWith('~/') ? `${home}${text.slice(1)}` : `${base}/${text}`;
}

/** A `~` or `~/…` by the home folder; null for those of other users. */
export function expandTilde(text: string, tilde: boolean, home: string): string | null {
  if (!tilde) return text;
  if (text === '~') return home;
  return text.startsWith('~/') ? `${home}${text.slice(1)}` : null;
}
