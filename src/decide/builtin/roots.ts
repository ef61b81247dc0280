/** Which operands mean a whole root folder, however written: `/`, `~/*`, `/et*`, `{/etc,/usr}`, `${X:-/}`, `$(echo /)`. */
import { globMatch, withoutLists } from '../../rule/pattern/wildcard.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import { listedWords } from '../flow/listings.js';
import { possiblePaths, type RootPlace, withoutTrail } from '../flow/possible-paths.js';

/** A longer word is not taken for a root folder. */
const LONGEST_WORD = 1024;

/** True if the word may mean one of the folders, the home directory, or everything in one of them. */
export function meansFolder(word: ShellWord, folders: ReadonlySet<string>, place: RootPlace): boolean {
  const { text, value, glob, tilde } = word;
  const isPlain = value !== null && !tilde;
  if (!isPlain && listedWords(text, place).some((path) => isFolder(path, true, folders, place))) return true;
  if (text.length > LONGEST_WORD) return false;
  if (isPlain) return isFolder(value, glob, folders, place);
  return possiblePaths(text, place).some((path) => isFolder(path, true, folders, place));
}

/** `/etc`, `/etc/`, `/etc/.`, `/etc/*`, `../../..` that reaches a folder, or a pattern that matches one (`/e?c`). */
function isFolder(text: string, glob: boolean, folders: ReadonlySet<string>, place: RootPlace): boolean {
  if (text === '' || text.startsWith('-')) return false;
  const absolute = text.startsWith('/');
  if (!absolute && place.directory === null) return false;
  const whole = withoutTrail(absolute ? text : `${place.directory ?? ''}/${text}`, glob);
  if (folders.has(whole) || whole === place.home) return true;
  if (!glob || !/[*?[]/.test(whole)) return false;
  const begin = whole.slice(0, whole.search(/[*?[\\]/));
  if (place.home.startsWith(begin) && meetsPath(whole, place.home)) return true;
  for (const folder of folders) if (folder.startsWith(begin) && meetsPath(whole, folder)) return true;
  return false;
}

/** Matches a path segment by segment: `*` does not cross a slash. */
function meetsPath(pattern: string, path: string): boolean {
  const wanted = withoutLists(pattern).split('/');
  const parts = path.split('/');
  return wanted.length === parts.length && wanted.every((part, at) => globMatch(part, parts[at] ?? ''));
}
