/**
 * Patterns of ignore files that re-include names (`!.env`): ripgrep then searches these files, hidden or not. Sources: the ignore
 * crate 0.4, gitignore(5).
 */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitDirectory, realOrSelf } from '../../disk/git/directory.js';
import { readText } from '../../disk/read.js';

/** At most this many folders are checked for ignore files for one call. */
const MAX_FOLDERS = 256;
const NAMES = ['.gitignore', '.ignore', '.rgignore'] as const;

/** Where the user's own ignore files are found. */
export interface IgnoreHome {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns a function that gives the last segment of every pattern that re-includes names which a search of the tree might meet:
 * from the ignore files of every folder above its secrets, of the repositories, and of the user. Null when one of the files
 * cannot be read; an empty list if the tree has no secrets.
 */
export function inclusionReader(
  secretTrees: Readonly<Record<string, readonly string[] | null>>,
  home: IgnoreHome,
): (tree: string) => readonly string[] | null {
  return (tree) => {
    const secrets = secretTrees[tree] ?? null;
    if (secrets === null) return null;
    if (secrets.length === 0) return [];
    const folders = foldersAbove([realOrSelf(tree), ...secrets.map((file) => realOrSelf(dirname(file)))]);
    if (folders === null) return null;
    const files = userFiles(home);
    if (files === null) return null;
    for (const folder of folders) {
      files.push(...NAMES.map((name) => join(folder, name)));
      if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined)
        files.push(...gitDirectory(folder).folders.map((one) => join(one, 'info', 'exclude')));
    }
    return patternsOf(files);
  };
}

/** Returns the folders and all their ancestors; null when there are too many. */
function foldersAbove(starts: readonly string[]): ReadonlySet<string> | null {
  const folders = new Set<string>();
  for (const start of starts)
    for (let folder = start; !folders.has(folder); folder = dirname(folder)) {
      if (folders.size >= MAX_FOLDERS) return null;
      folders.add(folder);
    }
  return folders;
}

/** Returns git's ignore file for all repositories, and the one that the user's settings name; null if that cannot be determined. */
function userFiles({ home, environment }: IgnoreHome): string[] | null {
  const settings = [environment.XDG_CONFIG_HOME, join(home, '.config')].flatMap((one) => (one ? [join(one, 'git')] : []));
  const files = settings.map((folder) => join(folder, 'ignore'));
  for (const file of [join(home, '.gitconfig'), ...settings.map((folder) => join(folder, 'config'))]) {
    const read = readText(file);
    if (!read.ok && read.code !== 'missing') return null;
    for (const [, value = ''] of (read.ok ? read.text : '').matchAll(/excludesfile\s*=\s*"?([^"\r\n]*?)"?\s*$/gim)) {
      const path = value.startsWith('~/') ? join(home, value.slice(2)) : value;
      if (!path.startsWith('/')) return null;
      files.push(path);
    }
  }
  return files;
}

/**
 * Patterns that are treated as matching all names: a backslash escapes any character, a bracket list may contain a slash, and
 * ripgrep supports `{a,b}`.
 */
const UNCLEAR = /[\\{]|\[[!^]?\]?[^\]]*\//;

function patternsOf(files: readonly string[]): readonly string[] | null {
  const patterns = new Set<string>();
  for (const file of files) {
    const read = readText(file);
    if (!read.ok && read.code !== 'missing' && read.code !== 'not-a-file') return null;
    for (const [, line = ''] of (read.ok ? read.text : '').matchAll(/^\uFEFF?!(.*)$/gm)) {
      const pattern = line.trim().replace(/\/+$/, '');
      patterns.add(UNCLEAR.test(pattern) ? '*' : pattern.slice(pattern.lastIndexOf('/') + 1));
    }
  }
  return [...patterns];
}
