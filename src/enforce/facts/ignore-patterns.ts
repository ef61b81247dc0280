/** What files of ignored names take in again (`!.env`): ripgrep then searches it, hidden or not. Sources: the ignore crate 0.4, gitignore(5). */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitDirectory, realOrSelf } from '../../disk/git/directory.js';
import { readText } from '../../disk/read.js';

/** Folders of one call whose files are looked at. */
const MAX_FOLDERS = 256;
const NAMES = ['.gitignore', '.ignore', '.rgignore'] as const;

/** Where the user's own files of ignored names are found. */
export interface IgnoreHome {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * A function that gives the last parts of all patterns that take in names which a search of the tree might meet: those of every folder
 * above its secrets, of the repositories, and of the user. Null when one of the files cannot be read; none where there are no secrets.
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

/** The folders with all above them; null when there are too many. */
function foldersAbove(starts: readonly string[]): ReadonlySet<string> | null {
  const folders = new Set<string>();
  for (const start of starts)
    for (let folder = start; !folders.has(folder); folder = dirname(folder)) {
      if (folders.size >= MAX_FOLDERS) return null;
      folders.add(folder);
    }
  return folders;
}

/** git's file of ignored names for all repositories, and the one that the user's settings name; null where that cannot be told. */
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

/** Behind a backslash any character may stand for itself, a list may hold a slash, and ripgrep knows `{a,b}`: such a pattern fits all names. */
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
