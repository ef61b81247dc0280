/** The words that a listing command can be replaced by: `$(ls)` is like `*`, `$(find / | sort)` like `/*`, `$(echo /)` like `/`. */

import { baseName } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import { readCommands } from '../../command/tree.js';
import { readCommandLine } from '../../shell/read.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import { builtinDenials, type ListingCommands } from './entries.js';
import { hasOption, possiblePaths, type RootPlace, withoutTrail } from './possible-paths.js';

/** Longer words are not searched for a listing. */
const LONGEST_WORD = 10_000;
/** At most this many words of a listing are examined. */
const MOST_WORDS = 1024;

/** A substitution with its content; a second one in the same word is treated as part of the first. */
const SUBSTITUTION = /\$\((?!\()([\s\S]*)\)|`([\s\S]*)`/;

/** Patterns that a word may become through what a substitution in it lists; none if it lists nothing or only selected files. */
export function listedWords(text: string, place: RootPlace): readonly string[] {
  return text.length > LONGEST_WORD || !/\$\(|`/.test(text) ? NONE : readListed(text, place);
}

const NONE: readonly string[] = [];

function readListed(text: string, place: RootPlace): readonly string[] {
  const found = SUBSTITUTION.exec(text);
  if (found === null) return [];
  const inside = found[1] ?? found[2] ?? '';
  const { names } = builtinDenials().listings;
  if (!names.some((name) => inside.includes(name))) return [];
  const { commands } = readCommands(readCommandLine(inside, 'union'), 'union');
  const lister = listerBefore(commands, commands.length);
  if (lister === null) return [];
  const after = text.slice(found.index + found[0].length).replace(/["']/g, '');
  return possiblePaths(text.slice(0, found.index), place).flatMap((before) =>
    listedBy(lister, before, place).map((path) => `${path}${after}`),
  );
}

/** A listing command, found through `sudo` and similar wrappers, and its index. */
interface Lister {
  readonly command: Command;
  readonly at: number;
}

/**
 * Returns the lister whose output is piped to the command at `end`, also through `| sort`; null if only selected files get
 * through (`-name`, `| head`).
 */
export function listerBefore(commands: readonly Command[], end: number): Lister | null {
  const { listings } = builtinDenials();
  let at = end - 1;
  while (at > 0 && commands[at]?.invocation.piped && carries(commands[at], listings)) at -= 1;
  let command = commands[at];
  while (command?.inner.length === 1 && command.wrapper !== null && THROUGH.has(command.wrapper.kind)) command = command.inner[0];
  const name = command === undefined ? null : baseName(command);
  if (command === undefined || name === null || !listings.names.includes(name)) return null;
  const words = command.invocation.argv.slice(1);
  const chooses = words.some(({ value }, index) => listings.filters.has(value ?? '') && !NOT.has(words[index - 1]?.value ?? ''));
  return chooses ? null : { command, at };
}

const THROUGH: ReadonlySet<string> = new Set(['transparent', 'privilege']);
const NOT: ReadonlySet<string> = new Set(['!', '-not']);

/** Whether a command passes on all or most of its input (`grep -v`). */
function carries(command: Command | undefined, { carriers }: ListingCommands): boolean {
  const name = command === undefined ? null : baseName(command);
  const needed = name === null ? undefined : carriers.get(name);
  if (command === undefined || needed === undefined) return false;
  return needed.length === 0 || hasOption(command.invocation.argv.slice(1), needed);
}

/** The paths that the listing produces after the text `before` it. */
function listedBy({ command }: Lister, before: string, place: RootPlace): readonly string[] {
  const words = command.invocation.argv.slice(1, MOST_WORDS);
  const printed = words.flatMap((word) => pathsOf(word, place));
  if (builtinDenials().listings.printers.has(baseName(command) ?? '')) return printed.map((path) => `${before}${path}`);
  const folders = listsHere(command, words) ? (place.directory === null ? [] : [place.directory]) : printed;
  return folders.flatMap((folder) => {
    if (before === '' || (isSame(before, '/') && folder.startsWith('/'))) return [folder, `${folder}/*`];
    // Names listed without their folder, appended to another folder, name other files.
    return isSame(before, absolute(folder, place)) ? [`${before}*`] : [];
  });
}

/** The word as the program receives it; for `printf '/\n'`, without the newline. */
function pathsOf({ value, tilde, text }: ShellWord, place: RootPlace): readonly string[] {
  const paths = value !== null && !tilde ? [value] : possiblePaths(text, place);
  return paths.map((path) => path.replace(/\\[n0]$/, ''));
}

/** `ls -A`, `find -type f`: without a folder they list the current directory. */
function listsHere(command: Command, words: readonly ShellWord[]): boolean {
  const isOption = ({ text }: ShellWord) => text.startsWith('-');
  const [first] = words;
  return words.every(isOption) || (first !== undefined && baseName(command) === 'find' && isOption(first));
}

function absolute(path: string, { directory }: RootPlace): string {
  return path.startsWith('/') || directory === null ? path : `${directory}/${path}`;
}

function isSame(one: string, other: string): boolean {
  return withoutTrail(one, true) === withoutTrail(other, true);
}
