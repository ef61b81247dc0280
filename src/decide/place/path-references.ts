/** A path that a call touches, as far as words tell, and those of its tool's input. */
import type { PathAccess, Subject } from '../../call/tool-call.js';
import type { Span } from '../../shell/syntax/types.js';
import type { NameFilter } from './file-name-filters.js';
import { expandTilde, type Place } from './place.js';
import { segmentsMayMeet } from './sensitive-paths.js';

/** A file or directory that a call touches, as far as words tell. */
export interface PathReference {
  /** Key into Facts.paths: absolute, the operand NOT collapsed (`a/../b` depends on where `a` leads); null when unknowable. */
  readonly key: string | null;
  readonly text: string;
  readonly access: PathAccess | 'delete';
  readonly recursive: boolean;
  /** Walks names only (`ls -R`): contents stay unread. */
  readonly listing: boolean;
  /**
   * An unquoted glob: stands for any number of paths below `globRoot`, all matched by `glob` (a key with wildcards); the root is null
   * where some of them may lie elsewhere (`.*` may be `..`).
   */
  readonly globRoot: string | null;
  readonly glob: string | null;
  /** Git expands the glob: its wildcards also stand for slashes and leading dots. */
  readonly crossing: boolean;
  /** The names, or patterns of them, that a copying command's sources would get below it, if it is a folder; null for all others. */
  readonly names: readonly string[] | null;
  /** Only assumed to be a path, since nothing is known of the command. */
  readonly assumed: boolean;
  /** The script that a shell or an interpreter runs: `python3 .claude/hooks/check.py`. */
  readonly runs?: true;
  /** Stands for names that a command of the line found below it. */
  readonly found: boolean;
  /** The word that such names are put in the place of by the shell. */
  readonly written?: string | undefined;
  /** Names by which a search of a whole tree chooses the files that it opens. */
  readonly filter?: NameFilter | null;
  /** Git reads it, which passes over `.git`. */
  readonly byGit?: boolean;
  /** Of a text that only the shell can finish: the directory that it is read in, null when that is not known either. */
  readonly from?: string | null;
  /** A formatter changes files of these endings below it, as it finds them. */
  readonly rewrites?: readonly string[];
  readonly span: Span | null;
}

/** Facts key of an operand in a directory; null for `~user` and empty operands. */
export function pathKey(base: string, operand: string, tilde: boolean, home: string): string | null {
  const text = expandTilde(operand, tilde, home);
  if (text === null || text === '') return null;
  return text.startsWith('/') ? text : `${base}/${text}`;
}

/** Facts key of what a copying command makes of a source of this name, if its destination is a folder. */
export function copyKey(folder: string, name: string): string {
  return `${folder.replace(/\/+$/, '')}/${name}`;
}

/** The reference of a path subject: a tool's own path field. */
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

/** True for the file that keeps nothing. */
export function isNull({ key }: PathReference): boolean {
  return key === '/dev/null';
}

/** The directory below which a glob of a command line may name files (a wildcard that stands for `..` is guarded elsewhere). */
export function globRoot(key: string): string {
  const firstGlob = key.search(/[*?[]/);
  const slash = key.lastIndexOf('/', firstGlob < 0 ? key.length : firstGlob);
  return slash <= 0 ? '/' : key.slice(0, slash);
}

export function isWrite({ access }: PathReference): boolean {
  return access === 'write' || access === 'delete';
}

/** The directory whose secrets matter to a reference that may read many files; null when it reads at most one. */
export function treeOf(reference: PathReference): string | null {
  if (reference.access !== 'read' && reference.access !== 'search') return null;
  if (reference.listing) return null;
  if (reference.glob !== null) return reference.globRoot ?? globRoot(reference.glob);
  return reference.recursive ? reference.key : null;
}

/** Whether links below its folder are followed: those that a command which lists a folder prints. git's index tells of its own. */
export function followsLinks({ found, filter }: PathReference): boolean {
  return found && filter?.tracked !== true;
}

/** Whether a pattern of the shell may stand for a file in installed packages or in `.git`, which are not searched for secrets. */
export function mayEnterPackages({ glob, globRoot, access, listing }: PathReference): boolean {
  if (glob === null || globRoot === null || listing || (access !== 'read' && access !== 'search')) return false;
  const folders = glob.slice(globRoot.length).split('/').slice(1, -1);
  return folders.some((folder) => segmentsMayMeet(folder, 'node_modules') || segmentsMayMeet(folder, '.git'));
}
