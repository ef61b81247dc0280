/** What a line gives its own commands: `set -- /; rm -rf "$1"`, `f() { rm -rf "$@"; }; f /`, `a=(/); rm -rf "${a[@]}"`, `x='rm -rf /'; $x`. */
import type { Command } from '../command/command.js';
import type { ShellWord } from '../shell/command-line.js';
import { floor } from './floor-entries.js';
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

/** More commands of a line than this are not filled, nor more texts read: a line that long is no slip of the hand. */
const MOST_FILLED = 16;
/** Longer values name no folder and no short command. */
const LONGEST_VALUE = 512;

/** What the commands of a line become with what the line gives them. */
export interface GivenCommands {
  readonly filled: readonly Command[];
  /** Lines that the shell would read: `eval "$x"`, `$x /`. */
  readonly texts: readonly string[];
}

/** The commands of which only the shell would know a word, had the line not said what it is. */
export function givenBy(source: string, commands: readonly Command[]): GivenCommands {
  const found = { filled: [], texts: [] };
  if (!commands.some(isUncertain)) return found;
  const variables = variablesOf(source, commands);
  const definitions = definitionsIn(source).slice(0, MOST_FUNCTIONS);
  const calls = new Map<string, string[][]>(definitions.map(({ name }) => [name, []]));
  for (const command of flatten(commands)) calls.get(command.invocation.argv[0]?.value ?? '')?.push(argumentsOf(command));
  const set = setArguments(commands);
  for (const command of commands) {
    const { enclosures, span } = command.invocation;
    const within = enclosures.includes('function') ? definitions.findLast(({ at }) => at < span.start) : undefined;
    const given = withArguments(variables, within === undefined ? set : (calls.get(within.name) ?? []), source);
    if (given.size > 0 || command.inner.length > 0) fill(command, given, found);
  }
  return found;
}

function isUncertain({ invocation, inner }: Command): boolean {
  return invocation.argv.some(({ value }) => value === null) || inner.some(isUncertain);
}

/** The command and what it wraps; `bash -c 'rm -rf "$1"' _ /` gives arguments too. */
function fill(command: Command, given: Given, into: { filled: Command[]; texts: string[] }): void {
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

/** `(/ "/etc")` holds two words; any other value is one. */
function elements(value: string): readonly string[] {
  const list = /^\(([^()]*)\)$/.exec(value.trim())?.[1];
  return list === undefined ? [value] : list.split(/\s+/).filter((word) => word !== '');
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
const EXPANSION = /\$(?:([A-Za-z_]\w*|[0-9@*])|\{([A-Za-z_]\w*|[0-9@*])(?:\[[@*\d]+\])?(?::?[-?=+][^{}]*)?\})/;

/** The words that a word may become; the word itself where the line does not say. */
function filledWord(word: ShellWord, given: Given): readonly ShellWord[] {
  if (word.value !== null) return [word];
  let texts: readonly string[] = [word.text];
  for (let round = 0; round < MOST_ROUNDS; round += 1)
    texts = texts.flatMap((text) => replaced(text, given)).slice(0, MOST_TEXTS);
  if (texts[0] === word.text) return [word];
  // Unquoted, a value is taken apart at its blanks.
  const parts = word.text.startsWith('"') ? texts : texts.flatMap((text) => (text.includes('(') ? [text] : text.split(/\s+/)));
  return parts.map((text) => ({ ...word, text, value: /[$`*?[{~"']/.test(text) ? null : text, tilde: text.startsWith('~') }));
}

function replaced(text: string, given: Given): readonly string[] {
  const found = EXPANSION.exec(text);
  if (found === null) return [text];
  const name = found[1] ?? found[2] ?? '';
  const values = given.get(name === '*' ? '@' : name);
  if (values === undefined) return [text];
  return values.map((value) => text.slice(0, found.index) + value + text.slice(found.index + found[0].length));
}
