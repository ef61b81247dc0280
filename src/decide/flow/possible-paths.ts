/** The paths that a word may become: home directories and brace lists expanded, options recognised in every spelling. */
import { posix } from 'node:path';
import type { ShellWord } from '../../shell/syntax/types.js';

/** The context for `~` and relative operands; `directory` is null when unknown. */
export interface RootPlace {
  readonly home: string;
  readonly directory: string | null;
}

/** At most this many words of one brace list are examined: a list that exceeds this is no accident. */
const MOST_BRACE_WORDS = 64;

/** The path without endings that mean "all of it": trailing slashes, `.`, and in a pattern `*` and `.*`. */
export function withoutTrail(path: string, glob: boolean): string {
  const normal = posix.normalize(path).replace(/(.)\/$/, '$1');
  return glob && /\/(?:\.?\*+|\.\[!?\^?\.\]\*)$/.test(normal) ? normal.slice(0, normal.lastIndexOf('/')) || '/' : normal;
}

/** The home directory: `$HOME`, `${HOME:?}`, `${HOME%/}`, `${HOME@Q}`, `$(cd ~ && pwd)`. */
const HOME =
  /\$(?:HOME(?!\w)|\{HOME(?::?[-?=][^{}]*|%%?\/|@[A-Za-z])?\}|\(\s*cd(?:\s+(?:--\s+)?(?:~\/?|\$HOME|\$\{HOME\}))?\s*(?:&&|;)\s*pwd(?:\s+-[LP])?\s*\))/g;
/** The folder that contains the home directories of all users: `${HOME%/*}`, `$(dirname "$HOME")`. */
const HOME_PARENT = /\$\{HOME%%?\/\*\}|\$\(\s*dirname\s+(?:--\s+)?(?:\$HOME|\$\{HOME\}|~)\/?\s*\)/g;
/** The name of the home directory's owner: `$USER`, `$(whoami)`. */
const USER = /\$(?:(?:USER|LOGNAME)(?!\w)|\{(?:USER|LOGNAME)\}|\(\s*(?:whoami|logname|id\s+-un|id\s+-u\s+-n)\s*\))/g;

/** The paths that a text with expansions may become, as far as its text shows. */
export function possiblePaths(written: string, { home, directory }: RootPlace): readonly string[] {
  if (!/[$`{"']/.test(written)) return [withoutTilde(written, home)];
  const text = written
    .replace(
      /\$\(\s*(?:echo|printf|realpath|readlink)\s+([^()\s]+)\s*\)|`\s*(?:echo|printf|realpath|readlink)\s+([^`\s]+)\s*`/g,
      '$1$2',
    )
    .replace(/\$\{(?!HOME|PWD)[A-Za-z_]\w*:?[-=]([^{}]*)\}/g, '$1')
    .replace(/["']/g, '')
    .replace(HOME_PARENT, MARKS.above)
    .replace(HOME, MARKS.home)
    .replace(USER, MARKS.user)
    .replace(/\$\(\s*dirname\s+(?:--\s+)?\$(?:PWD|\{PWD\}|\(pwd\))\s*\)/g, directory === null ? '$$PWD' : MARKS.parent)
    .replace(/\$(?:PWD(?!\w)|\{PWD\}|\(pwd\))/g, directory === null ? '$$PWD' : MARKS.directory);
  const known = (one: string) =>
    one
      .replaceAll(MARKS.home, () => home)
      .replaceAll(MARKS.above, () => posix.dirname(home))
      .replaceAll(MARKS.user, () => posix.basename(home))
      .replaceAll(MARKS.parent, () => posix.dirname(directory ?? ''))
      .replaceAll(MARKS.directory, () => directory ?? '');
  return braceWords(text).flatMap((one) => (one.includes('$') || one.includes('`') ? [] : [withoutTilde(known(one), home)]));
}

/** Placeholders for folders whose names may contain `$`, braces or quotes: they are replaced when the rest of a text has been read. */
const MARKS = { home: '\u0001', user: '\u0002', parent: '\u0003', directory: '\u0004', above: '\u0005' } as const;

/**
 * `~` is the home directory. `~name` alone is some user's home directory and is treated as ours. `~+` and `~-` are folders of the
 * shell and stay unchanged.
 */
function withoutTilde(text: string, home: string): string {
  const name = /^~([A-Za-z_][\w.-]*)?(?=\/|$)/.exec(text);
  if (name === null) return text;
  const rest = text.slice(name[0].length);
  if (name[1] === undefined) return `${home}${rest}`;
  return withoutTrail(`/x${rest}`, true) === '/x' ? home : `/home/${name[1]}${rest}`;
}

/** Expands brace lists (`/{etc,usr}`) into at most 64 words; a text without one gives itself. */
export function braceWords(text: string): readonly string[] {
  let words = [text];
  for (let round = 0; round < 8; round += 1) {
    const next = words.flatMap((word) => {
      // The innermost list, or a sequence of characters.
      const list = /\{([^{}]*,[^{}]*)\}|\{(\w)\.\.(\w)(?:\.\.-?\d+)?\}/.exec(word);
      if (list === null) return [word];
      const [before, rest] = [word.slice(0, list.index), word.slice(list.index + list[0].length)];
      const items = list[1]?.split(',') ?? charactersBetween(list[2] ?? '', list[3] ?? '');
      return items.map((item) => `${before}${item}${rest}`);
    });
    if (next.length === words.length || next.length > MOST_BRACE_WORDS) return next.slice(0, MOST_BRACE_WORDS);
    words = next;
  }
  return words;
}

/** `{a..e}`, also in descending order. */
function charactersBetween(first: string, last: string): readonly string[] {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => String.fromCharCode(from + step * at));
}

/** Recognises options in a cluster (`-fR`) and abbreviated (`--recurs`, `--exec=sh`) too. */
export function hasOption(words: readonly ShellWord[], options: readonly string[]): boolean {
  return words.some((word) => options.some((option) => isOption(word.value ?? word.text, option)));
}

function isOption(text: string, option: string): boolean {
  if (text === option) return true;
  if (text.startsWith('--')) {
    const end = text.indexOf('=');
    const name = end < 0 ? text : text.slice(0, end);
    return name.length > 2 && option.startsWith(name);
  }
  return option.length === 2 && option.startsWith('-') && /^-[A-Za-z]{2,}$/.test(text) && text.includes(option.charAt(1));
}

/** Whether the words contain `-rf`, in any spelling. */
export function removesTrees(words: readonly ShellWord[]): boolean {
  return hasOption(words, ['-r', '-R', '--recursive']) && hasOption(words, ['-f', '--force']);
}
