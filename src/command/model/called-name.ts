/** The program that a command's first word names. */
import type { ShellWord } from '../../shell/syntax/types.js';

/** Directories of system programs; anything else called by a path is an unknown program. */
const SYSTEM_FOLDERS = new Set(['/bin', '/usr/bin', '/usr/local/bin', '/sbin', '/usr/sbin']);

export interface CalledName {
  readonly name: string | null;
  /** The last part of the path, if the program was called by one. */
  readonly file: string | null;
  readonly absolute: boolean;
}

/**
 * The program that a word names: a bare word is a name, and so is the last part of a path into a system directory; any other path
 * is an unknown program.
 */
export function calledName(word: ShellWord): CalledName {
  const value = word.value;
  if (value === null || value === '' || word.glob) return { name: null, file: null, absolute: false };
  if (!value.includes('/')) return { name: word.tilde ? null : value, file: null, absolute: false };
  const slash = value.lastIndexOf('/');
  const file = value.slice(slash + 1);
  if (file === '') return { name: null, file: null, absolute: false };
  const system = !word.tilde && SYSTEM_FOLDERS.has(value.slice(0, slash));
  return { name: system ? file : null, file, absolute: system };
}

/** Directories of a project into which its package managers install programs. */
const INSTALLED_PROGRAM = /(?:^|\/)(?:node_modules\/\.bin|vendor\/bin|\.?v?env\/bin|\.?virtualenv\/bin)\/[^/]+$/;

/** Whether a path is that of a program installed in a project: `.venv/bin/pytest`, `node_modules/.bin/tsc`. */
export function isInstalledProgram(path: string): boolean {
  return path.includes('bin/') && INSTALLED_PROGRAM.test(path);
}

/** The name as a case-insensitive file system knows it, without the file extension of Windows programs. */
export function foldedName(name: string): string {
  // A regular expression is compiled at its first use and again at its second; most names need none, as this check shows.
  if (name === name.toLowerCase() && !name.endsWith('.exe')) return name;
  return FOLDS.test(name) ? name.toLowerCase().replace(/\.exe$/, '') : name;
}

const FOLDS = /[A-Z]|\.exe$/;
