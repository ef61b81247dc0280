/** Which operands mean a whole root folder, in every way of writing it: `/`, `~/*`, `/et*`, `{/etc,/usr}`, `${X:-/}`, `$(echo /)`. */
import { globMatch, withoutLists } from '../../rule/pattern/wildcard.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import { listedWords } from '../flow/listings.js';
import { possiblePaths, type RootPlace, withoutTrail } from '../flow/possible-paths.js';

/** Longer words name no root folder. */
const LONGEST_WORD = 1024;

/** True when the word may mean one of the folders, or the home folder, or all that is in one of them. */
export function meansFolder(word: ShellWord, folders: ReadonlySet<string>, place: RootPlace): boolean {
  const { text, value, glob, tilde } = word;
  const isPlain = value !== null && !tilde;
  if (!isPlain && listedWords(text, place).some((path) => isFolder(path, true, folders, place))) return true;
  if (text.length > LONGEST_WORD) return false;
  if (isPlain) return isFolder(value, glob, folders, place);
  return possiblePaths(text, place).some((path) => isFolder(path, true, folders, place));
}

/** `/etc`, `/etc/`, `/etc/.`, `/etc/*`, `../../..` up to a folder, or a pattern that meets one (`/e?c`). */
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

/** A pattern meets a path part by part: `*` does not cross a slash. */
function meetsPath(pattern: string, path: string): boolean {
  const wanted = withoutLists(pattern).split('/');
  const parts = path.split('/');
  return wanted.length === parts.length && wanted.every((part, at) => globMatch(part, parts[at] ?? ''));
}
