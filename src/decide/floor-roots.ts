/** Which operands mean a whole root folder, in every way of writing it: `/`, `~/*`, `/et*`, `{/etc,/usr}`, `${X:-/}`, `$(echo /)`. */
import { posix } from 'node:path';
import { globMatch, withoutLists } from '../rule/wildcard.js';
import type { ShellWord } from '../shell/command-line.js';

/** Where a command is judged: what `~` and relative operands mean; `directory` is null when unknown. */
export interface FloorPlace {
  readonly home: string;
  readonly directory: string | null;
}

/** More than this many words out of one brace list are not looked at: a list that long is no slip of the hand. */
const MOST_BRACE_WORDS = 64;
/** Longer words name no root folder. */
const LONGEST_WORD = 1024;

/** True when the word may mean one of the folders, or the home folder, or all that is in one of them. */
export function meansFolder(word: ShellWord, folders: ReadonlySet<string>, place: FloorPlace): boolean {
  if (word.text.length > LONGEST_WORD) return false;
  if (word.value !== null && !word.tilde) return isFolder(word.value, word.glob, folders, place);
  return readings(word, place).some((text) => isFolder(text, true, folders, place));
}

/** `/etc`, `/etc/`, `/etc/.`, `/etc/*`, `../../..` up to a folder, or a pattern that meets one (`/e?c`). */
function isFolder(text: string, glob: boolean, folders: ReadonlySet<string>, place: FloorPlace): boolean {
  if (text === '' || text.startsWith('-')) return false;
  const absolute = text.startsWith('/');
  if (!absolute && place.directory === null) return false;
  const whole = withoutTrail(absolute ? text : `${place.directory ?? ''}/${text}`, glob);
  if (folders.has(whole) || whole === place.home) return true;
  if (!glob || !/[*?[]/.test(whole)) return false;
  const pattern = withoutLists(whole);
  if (meetsPath(pattern, place.home)) return true;
  for (const folder of folders) if (meetsPath(pattern, folder)) return true;
  return false;
}

/** The path without what says "all of it": closing slashes, `.`, and as a pattern `*` and `.*`. */
function withoutTrail(path: string, glob: boolean): string {
  const normal = posix.normalize(path).replace(/(.)\/$/, '$1');
  return glob && /\/(?:\.?\*+|\.\[!?\^?\.\]\*)$/.test(normal) ? normal.slice(0, normal.lastIndexOf('/')) || '/' : normal;
}

/** A pattern meets a path part by part: `*` does not cross a slash. */
function meetsPath(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const parts = path.split('/');
  return wanted.length === parts.length && wanted.every((part, at) => globMatch(part, parts[at] ?? ''));
}

/** What a word that only the shell can finish may become, as far as its text tells. */
function readings(word: ShellWord, { home, directory }: FloorPlace): readonly string[] {
  const text = word.text
    .replace(
      /\$\(\s*(?:echo|printf|realpath|readlink)\s+([^()\s]+)\s*\)|`\s*(?:echo|printf|realpath|readlink)\s+([^`\s]+)\s*`/g,
      '$1$2',
    )
    .replace(/\$\{(?!HOME|PWD)[A-Za-z_]\w*:?[-=]([^{}]*)\}/g, '$1')
    .replace(/["']/g, '')
    .replace(/\$(?:HOME(?!\w)|\{HOME(?::?[-?=][^{}]*)?\})/g, () => home)
    .replace(/\$(?:PWD(?!\w)|\{PWD\}|\(pwd\))/g, () => directory ?? '$PWD');
  return braceWords(text).flatMap((one) => (one.includes('$') || one.includes('`') ? [] : [withoutTilde(one, home)]));
}

/** `~` is the home; `~name` alone is somebody's home, and as good as ours. `~+` and `~-` are folders of the shell, left as they are. */
function withoutTilde(text: string, home: string): string {
  const name = /^~([A-Za-z_][\w.-]*)?(?=\/|$)/.exec(text);
  if (name === null) return text;
  const rest = text.slice(name[0].length);
  if (name[1] === undefined) return `${home}${rest}`;
  return withoutTrail(`/x${rest}`, true) === '/x' ? home : `/home/${name[1]}${rest}`;
}

/** The words of a text with brace lists (`/{etc,usr}`), at most 64; a text without one is its only word. */
export function braceWords(text: string): readonly string[] {
  let words = [text];
  for (let round = 0; round < 8; round += 1) {
    const next = words.flatMap((word) => {
      const list = /^([^{}]*)\{([^{}]*,[^{}]*)\}/.exec(word);
      if (list === null) return [word];
      const rest = word.slice(list[0].length);
      return (list[2] ?? '').split(',').map((item) => `${list[1]}${item}${rest}`);
    });
    if (next.length === words.length || next.length > MOST_BRACE_WORDS) return next.slice(0, MOST_BRACE_WORDS);
    words = next;
  }
  return words;
}

/** Options also in a cluster (`-fR`) and abbreviated (`--recurs`, `--exec=sh`). */
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
