/**
 * Values that a line gives its own commands: `set -- /; rm -rf "$1"`, `f() { rm -rf "$@"; }; f /`, `a=(/); rm -rf "${a[@]}"`,
 * `x='rm -rf /'; $x`.
 */

import { baseName, flatten } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import type { ShellRedirection, ShellWord } from '../../shell/syntax/types.js';
import { builtinDenials } from './entries.js';
import { definitionsIn } from './shells.js';
import { unsetNames } from './unset.js';
import { isSubstituted, MOST_TEXTS, separators, textOf, variablesOf, withParts } from './variables.js';

/** Shell texts by name: a variable, an array, or `1`, `2`, …, `@` for the arguments of a function or of `set`. */
type Bindings = ReadonlyMap<string, readonly string[]>;

/** At most this many words of a command are examined. */
const MOST_WORDS = 64;
/** At most this many functions of a line are followed. */
const MOST_FUNCTIONS = 64;
/** At most this many rounds of substitution: a value may refer to another value (`local p=$1`). */
const MOST_ROUNDS = 3;

/** At most this many commands of a line are filled in, and texts read: a line that exceeds this is no accident. */
const MOST_FILLED = 16;

/** The commands of a line with the line's own values filled in, each with the index of the command that it comes from. */
export interface ConstantCommands {
  readonly filled: readonly { readonly at: number; readonly command: Command }[];
  /** Lines that the shell would read, or xargs would build: `eval "$x"`, `$x /`. */
  readonly texts: readonly { readonly at: number; readonly text: string }[];
  /** Commands with unset variables replaced by nothing. `perhaps`: the environment may have set them. */
  readonly emptied: readonly { readonly at: number; readonly command: Command; readonly perhaps: boolean }[];
}

/** False for a line without variables or aliases, which cannot fill in its own words. */
export function mayHoldConstants(source: string): boolean {
  return source.includes('$') || source.includes('alias ');
}

/** Fills in the commands with words that would be known only at run time if the line did not assign them. */
export function propagateConstants(source: string, commands: readonly Command[]): ConstantCommands {
  const found = {
    filled: [] as { at: number; command: Command }[],
    texts: [] as { at: number; text: string }[],
    emptied: [] as { at: number; command: Command; perhaps: boolean }[],
  };
  if (source.includes('alias ')) found.texts.push(...textsOfAliases(commands));
  if (!commands.some(isUncertain)) return found;
  const variables = variablesOf(source, commands);
  const definitions = definitionsIn(source).slice(0, MOST_FUNCTIONS);
  const calls = new Map<string, string[][]>(definitions.map(({ name }) => [name, []]));
  for (const command of flatten(commands)) calls.get(command.invocation.argv[0]?.value ?? '')?.push(argumentsOf(command));
  const set = positionalParametersSet(commands);
  const mayDefault = source.includes('${');
  const unset = unsetNames(source, definitions.length > 0);
  for (const [at, command] of commands.entries()) {
    if (found.filled.length + found.texts.length >= MOST_FILLED || found.emptied.length >= MOST_FILLED) break;
    const { enclosures, span } = command.invocation;
    const within = enclosures.includes('function') ? definitions.findLast((one) => one.at < span.start) : undefined;
    const called = within === undefined ? set : (calls.get(within.name) ?? []);
    const given = withPositionalParameters(variables, called, source);
    const lacking = within !== undefined && called.some(({ length }) => length === 0) ? ARGUMENTS : [];
    const unsure = [...unset.perhaps, ...lacking];
    const surely = runsWithout(command) ? [...unset.surely, ...NUMBERED] : unset.surely;
    for (const perhaps of [false, true]) {
      const names = perhaps ? [...surely, ...unsure] : surely;
      if ((perhaps ? unsure : names).length === 0 || !isUncertain(command)) continue;
      const into: Filled = { filled: [], texts: [] };
      fill(command, new Map([...given, ...names.map((name) => [name, NOTHING] as const)]), into);
      found.emptied.push(...into.filled.map((one) => ({ at, command: one, perhaps })));
    }
    if (given.size === 0 && command.inner.length === 0 && !mayDefault) continue;
    const into: Filled = { filled: [], texts: [] };
    fill(command, given, into);
    found.filled.push(...into.filled.map((one) => ({ at, command: one })));
    found.texts.push(...into.texts.map((text) => ({ at, text })));
  }
  return found;
}

/** `alias x='rm -rf'` followed by `x /`. zsh expands aliases in every line, bash only if told to. */
function textsOfAliases(commands: readonly Command[]): { at: number; text: string }[] {
  const aliases = new Map<string, string>();
  const texts: { at: number; text: string }[] = [];
  for (const [at, { invocation }] of commands.entries()) {
    const [first, ...others] = invocation.argv;
    if (texts.length >= MOST_FILLED) break;
    if (first?.value === 'alias')
      for (const { value } of others) {
        const [, name, text] = /^([^=]+)=([\s\S]+)$/.exec(value ?? '') ?? [];
        if (name !== undefined && text !== undefined) aliases.set(name, text);
      }
    let text = others.length === 0 ? undefined : aliases.get(first?.value ?? '');
    for (let round = 1; round < MOST_ROUNDS && text !== undefined; round += 1)
      text = text.replace(/^\S+/, (name) => aliases.get(name) ?? name);
    if (text !== undefined) texts.push({ at, text: [text, ...others.map((word) => word.text)].join(' ') });
  }
  return texts;
}

/** Parameters that are unset in a function, or a script for a shell, that is called without arguments. */
const NUMBERED: readonly string[] = ['1', '2', '3'];
const ARGUMENTS: readonly string[] = [...NUMBERED, '@'];

/** `bash -c 'rm -rf "$1"/*'`: a script for a shell that gets no argument except its name, and sets none itself. */
function runsWithout(command: Command): boolean {
  const script = isShell(command) ? scriptAt(command) : -1;
  const { argv } = command.invocation;
  const name = argv[script + 1];
  const isAlone = argv.length <= script + 2 && (name === undefined || (name.value !== null && !name.glob));
  return script >= 0 && isAlone && !/\bset\b|\bfunction\b|\(\)/.test(argv[script]?.text ?? '');
}

/** The index of the script given to `bash -c`; -1 if there is none. */
export function scriptAt({ invocation: { argv } }: Command): number {
  const option = argv.findIndex(({ value }) => value !== null && /^-[a-z]*c$/.test(value));
  return option < 0 || option + 1 >= argv.length ? -1 : option + 1;
}

/** The value of an unset variable: one empty string. */
const NOTHING: readonly string[] = [''];

interface Filled {
  readonly filled: Command[];
  readonly texts: string[];
}

function isUncertain({ invocation, inner }: Command): boolean {
  return (
    invocation.argv.some(({ value }) => value === null) ||
    invocation.redirections.some(({ target }) => target?.value === null) ||
    inner.some(isUncertain)
  );
}

/** Fills in the command and the commands that it wraps; `bash -c 'rm -rf "$1"' _ /` passes arguments too. */
function fill(command: Command, given: Bindings, into: Filled): void {
  if (into.filled.length + into.texts.length >= MOST_FILLED) return;
  const { argv } = command.invocation;
  const words = argv.slice(0, MOST_WORDS).flatMap((word) => filledWord(word, given));
  const [first] = argv;
  const isFilled = words.length < Math.min(argv.length, MOST_WORDS) || words.some((word, at) => word !== argv[at]);
  const redirections = filledTargets(command.invocation.redirections, given);
  if (isFilled && first?.value === null) into.texts.push(words.map(plainText).join(' '));
  else if (isFilled && first?.value === 'eval') into.texts.push(words.slice(1).map(plainText).join(' '));
  else if (isFilled || redirections.length > 0)
    into.filled.push({ ...command, invocation: { ...command.invocation, argv: words, redirections } });
  const script = isShell(command) ? scriptAt(command) : -1;
  const [own, ...others] = script < 0 ? [] : argv.slice(script + 1).map(textOf);
  const handed = own === undefined ? given : new Map([...withPositionalParameters(given, [others], ''), ['0', [own]]]);
  for (const inner of command.inner) fill(inner, handed, into);
}

/** The redirections whose file the line determines. */
function filledTargets(redirections: readonly ShellRedirection[], given: Bindings): readonly ShellRedirection[] {
  return redirections.slice(0, MOST_WORDS).flatMap((one) => {
    if (one.target === null || one.direction === 'here' || one.direction === 'duplicate') return [];
    const [target] = filledWord(one.target, given);
    return target === undefined || target === one.target ? [] : [{ ...one, target }];
  });
}

function plainText({ text, value }: ShellWord): string {
  return value ?? text.replace(/["']/g, '');
}

export function isShell(command: Command): boolean {
  return builtinDenials().shellEntries.some(({ shells }) => shells?.includes(baseName(command) ?? ''));
}

function argumentsOf({ invocation }: Command): string[] {
  return invocation.argv.slice(1).map(textOf);
}

/** The positional parameters that a line sets for itself (`set -- a b`); none if it sets them more than once. */
function positionalParametersSet(commands: readonly Command[]): string[][] {
  const calls = commands.flatMap((command) => {
    if (command.invocation.argv[0]?.value !== 'set') return [];
    const words = argumentsOf(command);
    const first = words.findIndex((word) => word === '--' || !/^[-+]/.test(word));
    return first < 0 ? [] : [words.slice(words[first] === '--' ? first + 1 : first)];
  });
  return calls.length === 1 ? calls : [];
}

/** Adds the positional parameters. `shift` moves them all, so after it none is known. */
function withPositionalParameters(given: Bindings, calls: readonly (readonly string[])[], source: string): Bindings {
  if (calls.length === 0 || calls.length > MOST_TEXTS || source.includes('shift')) return given;
  const all = new Map(given);
  const parts = separators(source);
  const add = (name: string, text: string) => all.set(name, [...(all.get(name) ?? []), ...withParts([text], parts)]);
  for (const words of calls) {
    for (const [at, word] of words.slice(0, MOST_TEXTS).entries()) {
      if (at < 9) add(String(at + 1), word);
      add('@', word);
    }
  }
  return all;
}

/** `$d`, `${d}`, `${d:-x}`, `$1`, `"$@"`, `$*`, `${a[@]}`, `${d%/}`. */
const EXPANSION =
  /\$(?:([A-Za-z_]\w*|[0-9@*])|\{([A-Za-z_]\w*|[0-9@*])(?:\[[@*\d]+\])?(?:(:?[-?=+])([^{}]*)|([%#/^,][^{}]*))?\})/g;

/** Only `"$1"` or `"${a[@]}"`, with nothing else. */
const LISTED = /^"\$(?:[0-9@*]|\{[0-9@*]\}|\{\w+\[[@*\d]+\]\})"$/;

/** The words that a word may become; the word itself if the line does not determine it. */
function filledWord(word: ShellWord, given: Bindings): readonly ShellWord[] {
  if (word.value !== null) return [word];
  let texts: readonly string[] = [word.text];
  for (let round = 0; round < MOST_ROUNDS; round += 1)
    texts = texts.flatMap((text) => replaced(text, given)).slice(0, MOST_TEXTS);
  if (texts[0] === word.text) return [word];
  // An unquoted value is split at blanks; a pattern in an argument or array element was already expanded.
  const isWhole = word.text.startsWith('"') && !(LISTED.test(word.text) && texts.some((text) => /[*?[]/.test(text)));
  const parts = isWhole
    ? texts
    : texts.map(withoutDoubleQuotes).flatMap((text) => (isSubstituted(text) ? [text] : text.split(/\s+/)));
  const whole = isWhole ? parts : parts.filter((text) => text !== '');
  return whole.map((text) => ({ ...word, text, value: /[$`*?[{~"']/.test(text) ? null : text, tilde: text.startsWith('~') }));
}

function withoutDoubleQuotes(text: string): string {
  return /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text;
}

/** Replaces the first expansion whose value the line determines, or may determine. */
function replaced(text: string, given: Bindings): readonly string[] {
  for (const found of text.matchAll(EXPANSION)) {
    const name = found[1] ?? found[2] ?? '';
    const [operator, operand] = [found[3] ?? '', found[4]];
    const held = given.get(name === '*' ? '@' : name);
    // The result of cutting a known value is not computed, but cutting an empty value gives an empty one.
    if (found[5] !== undefined && held !== NOTHING) continue;
    // The shell stops at `${x:?}` if x is empty.
    if (held === NOTHING && operator.endsWith('?')) continue;
    const isOther = held === undefined || (held === NOTHING && !operator.endsWith('+'));
    const values = isOther && operand ? [operand] : held;
    if (values === undefined) continue;
    const before = text.slice(0, found.index);
    const meant = /^"?$/.test(before) ? values : values.filter((value) => !isPatternHere(value));
    if (meant.length > 0) return meant.map((value) => before + value + text.slice(found.index + found[0].length));
  }
  return [text];
}

/** A pattern for the current folder: after another folder's path, it would match different names than the loop found. */
function isPatternHere(value: string): boolean {
  return /^[^/~$`"'][^$`"']*$/.test(value) && /[*?[]/.test(value);
}
