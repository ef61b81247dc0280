/**
 * Paths that a word forms from its working directory: `$(dirname "$PWD")`, `${PWD%/*}/x`, `$(cd .. && pwd)`, `$(git rev-parse
 * --git-dir)/config`. They are used for questions, never for a permission.
 */
import { posix } from 'node:path';
import { isInside } from '../place/paths.js';
import type { Place } from '../place/place.js';
import { braceWords } from './possible-paths.js';
import { applyOperator } from './possible-values.js';

/** Longer words, and words with more nested expansions, are not taken for folders. */
const LONGEST_WORD = 512;
const MOST_ROUNDS = 8;

/** An expansion that contains no other: `$PWD`, `${PWD%/*}`, `$(dirname x)`. */
const EXPANSION = /\$(?:(PWD|OLDPWD|HOME)(?!\w)|\{(PWD|OLDPWD|HOME)([^{}$`]*)\}|\(([^()$`]*)\))/;

/** The shell's own name: `sh` in a line that a runner passes to a shell. For `dirname`, it is in the current directory. */
const OWN_NAME = /\$(?:0|\{0\}|BASH_SOURCE(?!\w)|\{BASH_SOURCE(?:\[0\])?(?::?-\$(?:0|\{0\}))?\})/g;

/** The absolute paths that a word names in a directory; empty if the word contains anything but folders. */
export function cwdPaths(word: string, directory: string | null, around: Around): readonly string[] {
  if (word.length > LONGEST_WORD || !/[$`]|^"?~[+-\w]/.test(word)) return [];
  const place: Naming = { directory, around };
  let text = word
    .replace(/`([^`]*)`/g, '$($1)')
    .replace(/"/g, '')
    .replace(OWN_NAME, 'sh')
    .replace(/^~([+-])(?=\/|$)/, (_, sign: string) => (sign === '+' ? '$PWD' : '$OLDPWD'))
    .replace(/^~([\w.-]+)(?=\/|$)/, (whole, name: string) => (name === posix.basename(around.home) ? '$HOME' : whole));
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const found = EXPANSION.exec(text);
    if (found === null) break;
    const [whole, bare, braced, operator = '', script = ''] = found;
    const name = bare ?? braced;
    const value = name === undefined ? printedBy(script, place) : changed(folderOf(name, place), operator);
    if (value === null) return [];
    text = text.slice(0, found.index) + value + text.slice(found.index + whole.length);
  }
  if (text === '' || /[$`'\\]/.test(text)) return [];
  return braceWords(text).flatMap((one) => {
    const path = absolute(one, place);
    return path === null ? [] : [shown(path)];
  });
}

/** Whether a word names a folder, whatever directory it is read in. */
export function namesFolder(word: string): boolean {
  return cwdPaths(word, ANYWHERE, { cwd: ANYWHERE, home: ANYWHERE, project: ANYWHERE }).length > 0;
}

/** A folder so deep that a word can climb out of some levels. */
const ANYWHERE = '/a/b/c/d/e/f/g/h';

/** `cwd` is the shell's previous directory: where it was before it entered the directory in which the word is read. */
type Around = Pick<Place, 'cwd' | 'home' | 'project'>;

/** Where a word is read. */
interface Naming {
  readonly directory: string | null;
  readonly around: Around;
}

function folderOf(name: string, { directory, around }: Naming): string | null {
  if (name === 'HOME') return hidden(around.home);
  // Before the line ran, it was most likely the directory of the call.
  return name === 'OLDPWD' ? hidden(around.cwd) : directory && hidden(directory);
}

/** `${PWD:?}` is the whole value, which is never empty; `${PWD%/*}` is a part of it. */
function changed(value: string | null, operator: string): string | null {
  return value === null || /^(?:$|:?[-=?])/.test(operator) ? value : applyOperator(value, operator);
}

/** What a command prints about a path: one row for each form of the command. */
const PRINTERS: readonly (readonly [RegExp, (given: string, place: Naming) => string | null])[] = [
  [/^pwd(?:\s+-[LP])?()$/, (_, { directory }) => directory && hidden(directory)],
  [/^cd\s+(?:-[LP]\s+)?(?:--\s+)?(\S+)\s*(?:&&|;)\s*pwd(?:\s+-[LP])?$/, absolute],
  [
    /^dirname\s+(?:--\s+)?(\S+)$/,
    (given, place) => posix.dirname(given.startsWith('~') ? (absolute(given, place) ?? given) : given),
  ],
  [/^basename\s+(?:--\s+)?(\S+)$/, (given) => posix.basename(given)],
  [/^g?(?:realpath|readlink)\s+(?:-\S+\s+)*(\S+)$/, absolute],
  [/^(?:echo|printf(?:\s+'?%s(?:\\n)?'?)?)\s+(\S+)$/, (given) => given],
  [/^(?:git\s+rev-parse\s+--show-toplevel|npm\s+prefix)()$/, (_, place) => inRepository('', place)],
  [/^npm\s+root()$/, (_, place) => inRepository('/node_modules', place)],
  [/^git\s+rev-parse\s+(?:--absolute-git-dir|--git-dir|--git-common-dir)()$/, (_, place) => inRepository('/.git', place)],
  // Stands for a folder with everything in it, hidden or not. For another folder, `ls` prints names that do not exist here.
  [/^ls(?=(?:\s+-\w+)*\s+-\w*[aA])(?:\s+-[1aArtSUpF]+)+(?:\s+\.\/?)?()$/, (_, { directory }) => directory && hidden(directory)],
  [/^find(?:\s+-(?:maxdepth|mindepth)\s+\d+|\s+-(?:print0?|depth))*()$/, (_, { directory }) => directory && hidden(directory)],
  [/^find\s+([^-\s]\S*)(?:\s+-(?:maxdepth|mindepth)\s+\d+|\s+-(?:print0?|depth))*$/, absolute],
  // Stands for all files of a folder that git, or a search, knows.
  [
    /^(?:git\s+ls-files(?:\s+-z)?|rg\s+--files(?:\s+-0)?|fd(?:find)?(?:\s+-[0HI])*(?:\s+\.)?)()$/,
    (_, { directory }) => directory && hidden(directory),
  ],
  [/^git\s+ls-tree(?:\s+-(?:r|z|-name-only))*\s+HEAD()$/, (_, { directory }) => directory && hidden(directory)],
  [/^git\s+rev-parse\s+--git-path\s+(\S+)$/, (given, place) => inRepository(`/.git/${given}`, place)],
];

/** Whether a command prints only folder names, in one of the forms known here. */
export function printsFolders(words: string): boolean {
  return PRINTERS.some(([form]) => form.test(words));
}

function printedBy(script: string, place: Naming): string | null {
  const command = script.replace(/\s*[12&]?>\s*(?:\/dev\/null|&1)/g, '').trim();
  for (const [form, printed] of PRINTERS) {
    const given = form.exec(command)?.[1];
    if (given !== undefined) return printed(given, place);
  }
  return null;
}

function inRepository(path: string, { directory, around }: Naming): string | null {
  return directory !== null && isInside(directory, around.project) ? `${hidden(around.project)}${path}` : null;
}

function absolute(path: string, { directory, around }: Naming): string | null {
  if (path.startsWith('/')) return posix.normalize(path);
  if (/^~(?:\/|$)/.test(path)) return `${hidden(around.home)}${path.slice(1)}`;
  return directory === null ? null : posix.normalize(`${hidden(directory)}/${path}`);
}

/**
 * Encodes special characters of a folder's name (blanks, quotes, `$`) as private-use characters until the rest of the word has been read.
 */
function hidden(path: string): string {
  return path.replace(/[\s$`"'\\(){}~*?[\],]/g, (one) => String.fromCharCode(HIDDEN + one.charCodeAt(0)));
}

function shown(path: string): string {
  return path.replace(/[\ue000-\ue07f]/g, (one) => String.fromCharCode(one.charCodeAt(0) - HIDDEN));
}

/** The first private-use character of Unicode. */
const HIDDEN = 0xe000;
