/** What a line gives its own commands: `set -- /; rm -rf "$1"`, `f() { rm -rf "$@"; }; f /`, `a=(/); rm -rf "${a[@]}"`, `x='rm -rf /'; $x`. */
import type { Command } from '../command/command.js';
import type { ShellWord } from '../shell/command-line.js';
import { floor } from './floor-entries.js';
import { fedWord, namesRead } from './floor-fed.js';
import { baseName, flatten } from './floor-names.js';
import { definitionsIn } from './floor-shells.js';

/** Shell texts by the name they are given: a variable, an array, or `1`, `2`, …, `@` for the arguments of a function or of `set`. */
type Given = ReadonlyMap<string, readonly string[]>;

/** More texts than this one word is not taken to mean. */
const MOST_TEXTS = 32;
/** Words of a command behind these are not looked at. */
const MOST_WORDS = 64;
/** Functions of a line behind these are not followed. */
const MOST_FUNCTIONS = 64;
/** A value may name a value: `local p=$1`. */
const MOST_ROUNDS = 3;

const DECLARATIONS: ReadonlySet<string> = new Set(['export', 'local', 'declare', 'typeset', 'readonly']);
const SETTING: ReadonlySet<string> = new Set([...DECLARATIONS, 'read', 'mapfile', 'readarray', 'getopts', 'printf', 'unset']);

/** More commands of a line than this are not filled, nor more texts read: a line that long is no slip of the hand. */
const MOST_FILLED = 16;
/** Longer values name no folder and no short command. */
const LONGEST_VALUE = 512;

/** What the commands of a line become with what the line gives them, each with the place in the line of the one it comes from. */
export interface GivenCommands {
  readonly filled: readonly { readonly at: number; readonly command: Command }[];
  /** Lines that the shell would read, or xargs make: `eval "$x"`, `$x /`. */
  readonly texts: readonly { readonly at: number; readonly text: string }[];
}

/** The commands of which only the shell would know a word, had the line not said what it is. */
export function givenBy(source: string, commands: readonly Command[]): GivenCommands {
  const found: { filled: { at: number; command: Command }[]; texts: { at: number; text: string }[] } = { filled: [], texts: [] };
  if (!commands.some(isUncertain)) return found;
  const variables = variablesOf(source, commands);
  const definitions = definitionsIn(source).slice(0, MOST_FUNCTIONS);
  const calls = new Map<string, string[][]>(definitions.map(({ name }) => [name, []]));
  for (const command of flatten(commands)) calls.get(command.invocation.argv[0]?.value ?? '')?.push(argumentsOf(command));
  const set = setArguments(commands);
  for (const [at, command] of commands.entries()) {
    if (found.filled.length + found.texts.length >= MOST_FILLED) break;
    const { enclosures, span } = command.invocation;
    const within = enclosures.includes('function') ? definitions.findLast((one) => one.at < span.start) : undefined;
    const given = withArguments(variables, within === undefined ? set : (calls.get(within.name) ?? []), source);
    if (given.size === 0 && command.inner.length === 0) continue;
    const into: Filled = { filled: [], texts: [] };
    fill(command, given, into);
    found.filled.push(...into.filled.map((one) => ({ at, command: one })));
    found.texts.push(...into.texts.map((text) => ({ at, text })));
  }
  return found;
}

interface Filled {
  readonly filled: Command[];
  readonly texts: string[];
}

function isUncertain({ invocation, inner }: Command): boolean {
  return invocation.argv.some(({ value }) => value === null) || inner.some(isUncertain);
}

/** The command and what it wraps; `bash -c 'rm -rf "$1"' _ /` gives arguments too. */
function fill(command: Command, given: Given, into: Filled): void {
  if (into.filled.length + into.texts.length >= MOST_FILLED) return;
  const { argv } = command.invocation;
  const words = argv.slice(0, MOST_WORDS).flatMap((word) => filledWord(word, given));
  const [first] = argv;
  if (words.some((word, at) => word !== argv[at])) {
    if (first?.value === null) into.texts.push(words.map(plainText).join(' '));
    else if (first?.value === 'eval') into.texts.push(words.slice(1).map(plainText).join(' '));
    else into.filled.push({ ...command, invocation: { ...command.invocation, argv: words, redirections: [] } });
  }
  const script = isShell(command) ? argv.findIndex(({ value }) => value !== null && /^-[a-z]*c$/.test(value)) : -1;
  const [own, ...others] = script < 0 ? [] : argv.slice(script + 2).map(textOf);
  const handed = own === undefined ? given : new Map([...withArguments(given, [others], ''), ['0', [own]]]);
  for (const inner of command.inner) fill(inner, handed, into);
}

function plainText({ text, value }: ShellWord): string {
  return value ?? text.replace(/["']/g, '');
}

function isShell(command: Command): boolean {
  return floor().shellEntries.some(({ shells }) => shells?.includes(baseName(command) ?? ''));
}

function textOf({ text, value, tilde }: ShellWord): string {
  return tilde ? text : (value ?? text);
}

function argumentsOf({ invocation }: Command): string[] {
  return invocation.argv.slice(1).map(textOf);
}

/** The arguments of the one `set` that has some; a line with more of them is not followed. */
function setArguments(commands: readonly Command[]): string[][] {
  const calls = commands.flatMap((command) => {
    if (command.invocation.argv[0]?.value !== 'set') return [];
    const words = argumentsOf(command);
    const first = words.findIndex((word) => word === '--' || !/^[-+]/.test(word));
    return first < 0 ? [] : [words.slice(words[first] === '--' ? first + 1 : first)];
  });
  return calls.length === 1 ? calls : [];
}

/** `shift` moves them all: then nothing is said about any. */
function withArguments(given: Given, calls: readonly (readonly string[])[], source: string): Given {
  if (calls.length === 0 || calls.length > MOST_TEXTS || source.includes('shift')) return given;
  const all = new Map(given);
  const add = (name: string, text: string) => all.set(name, [...(all.get(name) ?? []), text]);
  for (const words of calls) {
    for (const [at, word] of words.slice(0, MOST_TEXTS).entries()) {
      if (at < 9) add(String(at + 1), word);
      add('@', word);
    }
  }
  return all;
}

/** Variables and arrays that the line names once, where it sets them; any other may hold something else where it is used. */
function variablesOf(source: string, commands: readonly Command[]): Map<string, readonly string[]> {
  const variables = new Map<string, readonly string[]>();
  const set = (name: string, value: string) => {
    if (variables.size < MOST_TEXTS && value.length <= LONGEST_VALUE && isNamedOnce(source, name))
      variables.set(name, elements(value));
  };
  const setByLoop = (name: string, words: readonly string[]) => {
    if (variables.size < MOST_TEXTS && words.length > 0 && isSetOnce(source, commands, name)) variables.set(name, words);
  };
  for (const [at, command] of commands.entries()) {
    const names = namesRead(command);
    const fed = names.length === 0 ? null : fedWord(commands, at);
    if (fed !== null) for (const name of names) setByLoop(name, [fed]);
  }
  for (const [, name = '', list = ''] of source.matchAll(LOOP)) setByLoop(name, wordsOfLoop(list));
  for (const { invocation } of flatten(commands)) {
    const { argv, assignments } = invocation;
    if (argv.length === 0)
      for (const { name, value, span } of assignments)
        set(name, value ?? source.slice(span.start, span.end).replace(/^\w+\+?=/, ''));
    else if (DECLARATIONS.has(argv[0]?.value ?? ''))
      for (const word of argv.slice(1)) {
        const named = /^([A-Za-z_]\w*)=/.exec(word.text);
        if (named?.[1] !== undefined) set(named[1], textOf(word).slice(named[0].length));
      }
  }
  return variables;
}

/** `for f in ~/* "$(ls /)"; do`. */
const LOOP = /\bfor[ \t]+([A-Za-z_]\w{0,63})[ \t]+in[ \t]+([^;\n]{1,512})/g;

/** Patterns of the current folder are left out: the loop's own words say what they are, and behind another folder they are something else. */
function wordsOfLoop(list: string): readonly string[] {
  return (isSubstituted(list) ? [list] : list.split(/[ \t]+/)).filter((word) => /^[/~$`"']/.test(word)).slice(0, MOST_TEXTS);
}

/** Nothing else in the line sets the variable of a loop; it may well be named elsewhere (`find -type f | while read f`). */
function isSetOnce(source: string, commands: readonly Command[], name: string): boolean {
  const isSetBy = ({ invocation: { argv, assignments } }: Command): boolean => {
    if (assignments.some((one) => one.name === name)) return true;
    const [first, ...others] = argv;
    return SETTING.has(first?.value ?? '') && others.some(({ text }) => text === name || text.startsWith(`${name}=`));
  };
  const loops = Array.from(source.matchAll(LOOP)).filter((match) => match[1] === name);
  return flatten(commands).filter(isSetBy).length + loops.length <= 1;
}

/** `(/ "/etc")` holds two words; any other value is one. */
function elements(value: string): readonly string[] {
  const list = /^\(([\s\S]*)\)$/.exec(value.trim())?.[1];
  if (list === undefined) return [value];
  return isSubstituted(list) ? [list] : list.split(/\s+/).filter((word) => word !== '');
}

/** Blanks in it part no words. */
function isSubstituted(text: string): boolean {
  return /[(`]/.test(text);
}

/** The name stands once in the line without `$` or `${` before it. */
function isNamedOnce(source: string, name: string): boolean {
  let count = 0;
  for (let at = source.indexOf(name); at >= 0; at = source.indexOf(name, at + name.length)) {
    if (/[-\w$]/.test(source.charAt(at - 1)) || /\w/.test(source.charAt(at + name.length))) continue;
    if (source.charAt(at - 1) === '{' && source.charAt(at - 2) === '$') continue;
    count += 1;
  }
  return count === 1;
}

/** `$d`, `${d}`, `${d:-x}`, `$1`, `"$@"`, `$*`, `${a[@]}`. */
const EXPANSION = /\$(?:([A-Za-z_]\w*|[0-9@*])|\{([A-Za-z_]\w*|[0-9@*])(?:\[[@*\d]+\])?(?::?[-?=+][^{}]*)?\})/g;

/** The words that a word may become; the word itself where the line does not say. */
function filledWord(word: ShellWord, given: Given): readonly ShellWord[] {
  if (word.value !== null) return [word];
  let texts: readonly string[] = [word.text];
  for (let round = 0; round < MOST_ROUNDS; round += 1)
    texts = texts.flatMap((text) => replaced(text, given)).slice(0, MOST_TEXTS);
  if (texts[0] === word.text) return [word];
  // Unquoted, a value is taken apart at its blanks.
  const parts = word.text.startsWith('"') ? texts : texts.flatMap((text) => (isSubstituted(text) ? [text] : text.split(/\s+/)));
  return parts.map((text) => ({ ...word, text, value: /[$`*?[{~"']/.test(text) ? null : text, tilde: text.startsWith('~') }));
}

/** The text with its first expansion that the line knows replaced. */
function replaced(text: string, given: Given): readonly string[] {
  for (const found of text.matchAll(EXPANSION)) {
    const name = found[1] ?? found[2] ?? '';
    const values = given.get(name === '*' ? '@' : name);
    if (values === undefined) continue;
    return values.map((value) => text.slice(0, found.index) + value + text.slice(found.index + found[0].length));
  }
  return [text];
}
