/** Files of the project that coding agents and git start on their own, because settings or `core.hooksPath` name them. */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { startingSettings } from '../../decide/place/sensitive-paths.js';
import type { StartedFile } from '../../decide/ruling/facts.js';
import { folderEntries } from '../../disk/folder-entries.js';
import { movedHooks } from '../../disk/git/hooks.js';
import { isInside } from '../../disk/inside.js';
import { readText } from '../../disk/read.js';
import { pathFact } from '../../disk/real-path.js';

const MAX_BYTES = 64 * 1024;
const MOST_WORDS = 64;
/** Settings that name more files are treated like unreadable ones. */
const MOST_FILES = 2_048;

/**
 * Returns the programs of hooks, status lines and servers, if they are files of the project, and the folders of git's hooks.
 * @param project real path
 */
export function startedFiles(project: string): readonly StartedFile[] {
  const files = startingSettings().flatMap((file) => namedIn(project, file));
  const folders = movedHooks(project).map((path) => ({ path, by: 'core.hooksPath', whole: true }));
  return [...files, ...folders].filter(({ path }) => isInside(path, project));
}

function namedIn(project: string, file: string): readonly StartedFile[] {
  if (file.endsWith('/')) {
    const entries = folderEntries(`${project}/${file}`) ?? [];
    return entries.slice(0, MOST_WORDS).flatMap(({ name }) => (name.endsWith('.json') ? namedIn(project, file + name) : []));
  }
  // Most do not exist, and a failed read costs more than a check.
  if (!existsSync(`${project}/${file}`)) return [];
  const read = readText(`${project}/${file}`, { limit: MAX_BYTES });
  const names = read.ok ? startedNames(read.text) : null;
  if (names === null) return [{ path: project, by: file, whole: true, unread: true }];
  return [...names]
    .filter((name) => mayBeFile(`${project}/${name}`, name))
    .map((name) => ({ path: posix.join(project, name), by: file }));
}

/** Returns null if there are too many. */
function startedNames(text: string): ReadonlySet<string> | null {
  const names = new Set<string>();
  for (const [, command = ''] of text.matchAll(COMMAND)) {
    for (const name of filesIn(command)) names.add(name);
    if (names.size > MOST_FILES) return null;
  }
  return names;
}

/** Whether a word may name a file: not a folder (`ruff format .`), and without a dot or slash only if the file exists (`npm run build`). */
function mayBeFile(path: string, name: string): boolean {
  const kind = pathFact(path)?.kind;
  return kind === 'file' || (kind !== 'directory' && /[./]/.test(name));
}

/** Matches, in JSON and TOML, a key whose value is a command, its arguments or a program: a string or a list of strings. */
const COMMAND =
  /\b(?:command|args|notify|plugins?|bash|\w*(?:Command|Helper|Refresh|Export|Script))["']?\s*[:=]\s*("(?:\\.|[^"\\]){0,2000}"|'[^']{0,2000}'|\[[^\]]{0,2000}\])/g;

/** The project's folder, as runners write it in commands. */
const FOLDER = /^(?:file:\/\/)?(?:\.\/|\$\{?\w+\}?\/)+/;

/**
 * Returns the files that words of a command may name: in the project, in a folder that the command enters, or of a module
 * (`-m tools.server`).
 */
function filesIn(text: string): readonly string[] {
  const words = text
    .replace(/\\[nrt]/g, ' ')
    .replace(/["'`\\]/g, '')
    .split(/[\s=;|&()<>,[\]]+/)
    .slice(0, MOST_WORDS)
    .map((word) => word.replace(FOLDER, ''));
  const folders = words.flatMap((word, at) => (word === 'cd' ? [words[at + 1] ?? ''] : []));
  const named = words.filter((word) => /^[\w@.-][\w@./+-]*$/.test(word));
  const modules = named.flatMap((word) => (/^\w+(?:\.\w+)+$/.test(word) ? [`${word.replaceAll('.', '/')}.py`] : []));
  return ['', ...folders].flatMap((folder) => [...named, ...modules].map((name) => posix.join(folder, name)));
}
