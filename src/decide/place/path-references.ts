/** References to paths that a call touches, as far as words show, including those in its tool input. */
import type { PathAccess, Subject } from '../../call/tool-call.js';
import type { Span } from '../../shell/syntax/types.js';
import type { NameFilter } from './file-name-filters.js';
import { expandTilde, type Place } from './place.js';
import { segmentsMayMeet } from './sensitive-paths.js';

/** A file or directory that a call touches, as far as words show. */
export interface PathReference {
  /** Key into Facts.paths: absolute, with the operand NOT collapsed (`a/../b` depends on where `a` leads); null if unknown. */
  readonly key: string | null;
  readonly text: string;
  readonly access: PathAccess | 'delete';
  readonly recursive: boolean;
  /** Only names are listed (`ls -R`); contents stay unread. */
  readonly listing: boolean;
  /**
   * An unquoted glob: it matches any number of paths below `globRoot`. `glob` is a key with wildcards; the root is null if some
   * matches may be elsewhere (`.*` may be `..`).
   */
  readonly globRoot: string | null;
  readonly glob: string | null;
  /** Git expands the glob: its wildcards also match slashes and leading dots. */
  readonly crossing: boolean;
  /**
   * The names, or patterns of names, that the sources of a copying command would get below it if it is a folder; null for any
   * other command.
   */
  readonly names: readonly string[] | null;
  /** Only assumed to be a path, because nothing is known about the command. */
  readonly assumed: boolean;
  /** The script that a shell or interpreter runs: `python3 .claude/hooks/check.py`. */
  readonly runs?: true;
  /** Represents names that a command of the line found below it. */
  readonly found: boolean;
  /** The word that the shell replaces with such names. */
  readonly written?: string | undefined;
  /** The name filter by which a search of a whole tree chooses the files to open. */
  readonly filter?: NameFilter | null;
  /** Git reads it, skipping `.git`. */
  readonly byGit?: boolean;
  /** For a text known only at run time, the directory in which it is read; null if that is unknown too. */
  readonly from?: string | null;
  /** A formatter changes all files with these endings below it. */
  readonly rewrites?: readonly string[];
  readonly span: Span | null;
}

/** The facts key of an operand in a directory; null for `~user` and for an empty operand. */
export function pathKey(base: string, operand: string, tilde: boolean, home: string): string | null {
  const text = expandTilde(operand, tilde, home);
  if (text === null || text === '') return null;
  return text.startsWith('/') ? text : `${base}/${text}`;
}

/** The facts key of the copy that a copying command makes of a source with this name, if its destination is a folder. */
export function copyKey(folder: string, name: string): string {
  return `${folder.replace(/\/+$/, '')}/${name}`;
}

/** The reference for a path subject, that is, a path field of a tool. */
export function subjectReference(subject: Subject, place: Place, filter: NameFilter | null = null): PathReference {
  const access = subject.access ?? 'write';
  return {
    key: pathKey(place.cwd, subject.value, subject.value.startsWith('~'), place.home),
    text: subject.value,
    access,
    recursive: access === 'search' || access === 'list',
    listing: access === 'list',
    globRoot: null,
    glob: null,
    crossing: false,
    names: null,
    assumed: false,
    found: false,
    filter,
    span: null,
  };
}

/** True for /dev/null. */
export function isNull({ key }: PathReference): boolean {
  return key === '/dev/null';
}

/** The directory below which a glob may match files (a wildcard that matches `..` is handled elsewhere). */
export function globRoot(key: string): string {
  const firstGlob = key.search(/[*?[]/);
  const slash = key.lastIndexOf('/', firstGlob < 0 ? key.length : firstGlob);
  return slash <= 0 ? '/' : key.slice(0, slash);
}

export function isWrite({ access }: PathReference): boolean {
  return access === 'write' || access === 'delete';
}

/** The directory whose secrets matter for a reference that may read many files; null if it reads at most one. */
export function treeOf(reference: PathReference): string | null {
  if (reference.access !== 'read' && reference.access !== 'search') return null;
  if (reference.listing) return null;
  if (reference.glob !== null) return reference.globRoot ?? globRoot(reference.glob);
  return reference.recursive ? reference.key : null;
}

/** Whether symlinks below its folder are followed: true for names that a listing command prints, but not for names from git's index. */
export function followsLinks({ found, filter }: PathReference): boolean {
  return found && filter?.tracked !== true;
}

/** Whether a shell pattern may match a file in installed packages or in `.git`, which are not searched for secrets. */
export function mayEnterPackages({ glob, globRoot, access, listing }: PathReference): boolean {
  if (glob === null || globRoot === null || listing || (access !== 'read' && access !== 'search')) return false;
  const folders = glob.slice(globRoot.length).split('/').slice(1, -1);
  return folders.some((folder) => segmentsMayMeet(folder, 'node_modules') || segmentsMayMeet(folder, '.git'));
}
