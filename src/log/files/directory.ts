/** The state directory and the folders in it: accessible to this user alone, created on demand, checked at every use. */
import { lstatSync, mkdirSync, type Stats } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { LogError, systemCode } from './log-error.js';

/** The user of this process, determined only once: each append checks three files and folders. */
const OWN = process.getuid?.();
const IF_ANY = { throwIfNoEntry: false } as const;

/** Returns `$XDG_STATE_HOME/policy`, else `~/.local/state/policy`; ignores a relative XDG_STATE_HOME (XDG base directories). */
export function defaultStateDirectory(environment: Readonly<Record<string, string | undefined>>, home: string): string {
  const base = environment.XDG_STATE_HOME ?? '';
  return join(isAbsolute(base) ? base : join(home, '.local', 'state'), 'policy');
}

/** Returns the folder of a state directory's decision log. */
export function logDirectory(stateDirectory: string): string {
  return `${stateDirectory}/log`;
}

/** Returns the folder of its files that are sealed and no longer written to. */
export function sealedDirectory(stateDirectory: string): string {
  return join(logDirectory(stateDirectory), 'sealed');
}

/** Returns the folder of the tree over the sealed records, with its key and checkpoints. */
export function treeDirectory(stateDirectory: string): string {
  return join(stateDirectory, 'tree');
}

/**
 * Ensures that a directory exists and that no one else can put files into it. Throws LogError when it belongs to another user, is
 * a symlink, or is writable for others.
 */
export function ownDirectory(path: string): void {
  const found = statOf(path) ?? make(path);
  if (!found.isDirectory()) refuseDirectory(path, found.isSymbolicLink() ? 'is a symbolic link' : 'is not a directory');
  const stranger = ownershipProblem(found);
  if (stranger !== null) refuseDirectory(path, stranger);
}

/** Returns why others could change the content of a file or folder; null if they cannot. Windows has no such permission bits. */
export function ownershipProblem({ uid, mode }: Stats): string | null {
  if (OWN === undefined) return null;
  if (uid !== OWN) return `belongs to user ${uid}, not to you (${OWN})`;
  return (mode & 0o022) === 0 ? null : `can be written by others (mode ${(mode & 0o777).toString(8)})`;
}

/** Returns the entry at a path; undefined if there is none, or if that cannot be determined. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, IF_ANY);
  } catch {
    return undefined;
  }
}

/** Whether two looks saw one file with the same owner and mode, whatever was written to it between them. */
export function isSameFile(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev && one.mode === other.mode && one.uid === other.uid;
}

function make(path: string): Stats {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    refuseDirectory(path, `cannot be made (${systemCode(error)})`);
  }
  return statOf(path) ?? refuseDirectory(path, 'vanished while it was made');
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, IF_ANY);
  } catch (error) {
    return refuseDirectory(path, `cannot be examined (${systemCode(error)})`);
  }
}

/** Throws the error for an unsafe state directory. */
function refuseDirectory(path: string, why: string): never {
  throw new LogError(
    'log/directory',
    `The state directory ${path} ${why}; make it your own directory with mode 700, or name another one.`,
  );
}
