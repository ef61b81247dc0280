/** The files of a repository that a starter policy is made from: names only, bounded, and nothing is followed or run. */
import { type Dirent, lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { globMatch } from '../../rule/wildcard.js';
import { folderEntries } from '../facts/folder-entries.js';
import { realPath } from '../facts/real-path.js';
import { readText } from '../files/read.js';

/** A folder with the plain files in it. */
export interface StarterFolder {
  /** From the top of the project, without a slash at either end; empty for the project itself. */
  readonly path: string;
  readonly files: readonly string[];
}

const MAX_DEPTH = 4;
const MAX_FOLDERS = 600;
const MAX_ENTRIES = 20_000;
const MAX_IGNORED = 500;

/** Names that may stand in a rule: nothing of them means anything to a shell, to a pattern or to YAML. */
const PLAIN = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;
/** What is installed or made, and what holds none of the project's own programs. */
const SKIPPED: ReadonlySet<string> = new Set(
  'node_modules bower_components vendor venv env virtualenv site-packages __pycache__ dist build out target coverage tmp temp fixtures __fixtures__ third_party Pods'.split(
    ' ',
  ),
);
/** The only folders with a leading dot that hold scripts which people run. */
const DOTTED: ReadonlySet<string> = new Set(['.ci', '.scripts']);

/**
 * The folders of a project, itself first; folders of other repositories, ignored ones and those with unusual names are left out.
 * @param tick told how many were looked at
 */
export function starterFolders(project: string, tick: (what: string) => void = () => {}): readonly StarterFolder[] {
  const folders: StarterFolder[] = [];
  const pending = [{ path: '', depth: 0, ignored: [] as readonly string[] }];
  let entriesLeft = MAX_ENTRIES;
  for (let next = pending.shift(); next !== undefined && folders.length < MAX_FOLDERS; next = pending.shift()) {
    const { path, depth } = next;
    const entries = folderEntries(join(project, path)) ?? [];
    if (path !== '' && entries.some(({ name }) => name === '.git')) continue;
    entriesLeft -= entries.length;
    if (entriesLeft < 0) break;
    const ignored = [...next.ignored, ...ignoredNames(join(project, path))].slice(0, MAX_IGNORED);
    const isIgnored = (name: string) => ignored.some((pattern) => globMatch(pattern, name));
    const sorted = entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    const files = sorted.flatMap((entry) => (isFile(entry) && isShown(entry.name) && !isIgnored(entry.name) ? [entry.name] : []));
    folders.push({ path, files });
    tick(`${folders.length} folders looked at`);
    if (depth === MAX_DEPTH) continue;
    for (const entry of sorted) {
      const { name } = entry;
      const isOwn = (PLAIN.test(name) && !SKIPPED.has(name)) || (DOTTED.has(name) && depth === 0);
      if (entry.isDirectory() && isOwn && !isIgnored(name))
        pending.push({ path: path === '' ? name : `${path}/${name}`, depth: depth + 1, ignored });
    }
  }
  return folders;
}

/** A link counts as a file of its name; whoever reads one does not follow it. */
function isFile(entry: Dirent): boolean {
  return entry.isFile() || entry.isSymbolicLink();
}

/** Plain names, and the hidden ones of configurations. */
function isShown(name: string): boolean {
  return PLAIN.test(name.startsWith('.') ? name.slice(1) : name);
}

/** The plain names in a folder's `.gitignore`: of everything with a slash within it a starter needs to know nothing. */
function ignoredNames(folder: string): readonly string[] {
  const read = readText(join(folder, '.gitignore'), { follow: false, limit: 64 * 1024 });
  if (!read.ok) return [];
  const lines = read.text.split(/\r?\n/, MAX_IGNORED).map((line) => line.trim().replace(/^\//, '').replace(/\/$/, ''));
  return lines.filter((line) => /^[^/!#[\]\\]{1,100}$/.test(line));
}

/** Whether a file may be started as a program. */
export function isExecutable(project: string, path: string): boolean {
  const stat = plainFile(project, path);
  return stat !== null && (stat.mode & 0o111) !== 0;
}

/** Whether there is a file of that path, without a link on the way. */
export function isPlainFile(project: string, path: string): boolean {
  return plainFile(project, path) !== null;
}

function plainFile(project: string, path: string): Stats | null {
  const full = join(project, path);
  if (realPath(full) !== full) return null;
  const stat = lstatSync(full, { throwIfNoEntry: false });
  return stat?.isFile() === true ? stat : null;
}
