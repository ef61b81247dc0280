/**
 * The commands of a line with values from the line filled in: `f=.gi?; rm -rf $f`, `a=(.env x); cat "${a[@]}"`, `cd .git; touch
 * x`. Each word becomes its value at that position, and its command is read again. Values that a word might have from any text of
 * the line, whether or not it runs, are in possible-values.ts; they are for questions about commands that cannot be analysed.
 */
import { posix } from 'node:path';
import type { Shell } from '../../call/tool-call.js';
import { flatten } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import { readCommands } from '../../command/tree.js';
import { readCommandLine } from '../../shell/read.js';
import { certainSteps } from '../../shell/scope/cwd.js';
import type { Invocation, ShellWord } from '../../shell/syntax/types.js';
import { type ConstantCommands, isShell, propagateConstants, scriptAt } from './constants.js';
import { namesFolder, printsFolders } from './cwd-paths.js';
import { mayLeaveLink, NAMED } from './directories.js';
import { listerBefore } from './listings.js';
import { commandsInMounts } from './mounts.js';
import { appends, isNew, lineWith, standingFor, stdinAsWord, wordsOf } from './stdin.js';

const NOTHING: readonly Command[] = [];

/** At most this many folders that a line enters, and this many commands after them, are judged. */
const MOST_ENTERED = 8;
const MOST_MOVED = 64;
/** Commands with more words are skipped. */
const MOST_WORDS = 64;

/**
 * Returns the commands of a line with the values that the line gives to unknown words, and in the folders that it enters. For
 * guards and for ask and deny rules only: no allow follows from them, because the real words and folders may differ.
 * @param constants the constants of this line, if it can have any
 */
export function propagatedCommands(
  source: string,
  commands: readonly Command[],
  constants: ConstantCommands | null,
  shell: Shell,
): readonly Command[] {
  const given = source.includes('$') ? constants : null;
  const moved = source.includes('cd') || source.includes('pushd') ? movedCommands(commands, given, []) : NOTHING;
  const filled: Command[] = given === null ? [] : given.filled.map(({ command }) => command);
  if (source.includes('-v') || source.includes('--mount')) filled.push(...commandsInMounts(commands));
  if (source.includes('xargs') || source.includes('parallel')) filled.push(...stdinCommands(commands, shell));
  if (source.includes('-exec') || source.includes('-ok')) filled.push(...foundCommands(commands, shell));
  const scripts = given !== null && source.includes('c "') ? scriptCommands(commands, shell) : NOTHING;
  const possible = given === null ? moved : [...moved, ...assignedCommands(given, commands, shell), ...scripts];
  if (filled.length === 0) return possible;
  const invocations = filled.map(({ invocation }) => withKnownWords(invocation));
  const settled = readCommands({ source, invocations, opaque: [] }, shell).commands;
  return [...settled, ...possible];
}

/** `pwd | xargs rm -rf`: the command that xargs runs, with a command that prints folder names in place of its standard input. */
function stdinCommands(commands: readonly Command[], shell: Shell): readonly Command[] {
  const seen = new Set<string>();
  return commands.flatMap((command, at) => {
    if (!appends(command)) return [];
    const { piped } = command.invocation;
    const before = piped ? commands[at - 1] : undefined;
    const printed = (before?.invocation.piped === false ? printedText(before) : null) ?? stdinAsWord(commands, at);
    const text = printed === null ? null : lineWith(command, printed);
    if (text === null || !isNew(text, command, seen)) return [];
    return commandsOf(text, command, shell);
  });
}

/** Commands that print only the name of a folder. */
const PRINTERS: ReadonlySet<string> = new Set(['pwd', 'dirname', 'realpath', 'readlink', 'echo', 'printf', 'git']);

/** A word that stands for a command's output: `*` for `ls` (of another folder it would print names that do not exist here). */
function printedText(command: Command): string | null {
  const words = wordsOf(command);
  if (/^ls(?:\s+-[1rtSUpF]+)*(?:\s+\.\/?)?$/.test(words)) return '*';
  return PRINTERS.has(command.name ?? '') || printsFolders(words) ? `$(${words})` : null;
}

/** `find . -exec rm -rf {} +`: the first command that find runs, with find's listing in place of the files it passes. */
function foundCommands(commands: readonly Command[], shell: Shell): readonly Command[] {
  const seen = new Set<string>();
  return flatten(commands).flatMap((command) => {
    const { argv } = command.invocation;
    const [first] = command.inner;
    if (command.name !== 'find' || first === undefined || argv.length > MOST_WORDS) return [];
    const at = argv.findIndex(({ value }) => value !== null && EXECUTING.test(value));
    if (at < 0 || listerBefore([command], 1) === null) return [];
    const listing = argv.slice(0, at).map(({ text }) => text);
    const words = wordsOf(first);
    const isGiven = first.appended || argv.some(({ value }) => value === '{}');
    const text = (words.includes('{}') || !isGiven ? words : `${words} {}`).replaceAll('{}', () => `$(${listing.join(' ')})`);
    return isNew(text, command, seen) ? commandsOf(text, command, shell) : [];
  });
}

/** `bash -c "rm -rf $PWD"`: the commands in a script, with the folders that the outer shell fills in. */
function scriptCommands(commands: readonly Command[], shell: Shell): readonly Command[] {
  const seen = new Set<string>();
  return flatten(commands).flatMap((command) => {
    const word = isShell(command) ? command.invocation.argv[scriptAt(command)] : undefined;
    const text = word?.value === null ? (/^"([^"\\`]{1,512})"$/.exec(word.text)?.[1] ?? '') : '';
    return text !== '' && isNew(text, command, seen) ? assignedBy(text, command, shell) : [];
  });
}

const EXECUTING = /^-(?:exec|ok)(?:dir)?$/;

/** `x='rm -rf ..'; $x`: the commands in a text that the line uses as a command. */
function commandsOf(text: string, at: Command, shell: Shell): readonly Command[] {
  const { commands } = readCommands(readCommandLine(text, shell), shell);
  const filled = /\$["{]?[@*1-9]/.test(text) ? propagateConstants(text, commands).filled.map(({ command }) => command) : NOTHING;
  return [...commands, ...filled].map((one) => standingFor(one, at));
}

function assignedCommands({ texts }: ConstantCommands, commands: readonly Command[], shell: Shell): readonly Command[] {
  const seen = new Set<string>();
  return texts.flatMap(({ at, text }) => {
    const command = commands[at];
    return command !== undefined && isNew(text, command, seen) ? assignedBy(text, command, shell) : [];
  });
}

function assignedBy(text: string, at: Command, shell: Shell): readonly Command[] {
  const read = commandsOf(text, at, shell);
  return text.includes('cd') ? [...read, ...movedCommands(read, null, [])] : read;
}

/** `cd .git; touch x`: the `cd` may or may not succeed, so the second command runs in either folder. */
function movedCommands(commands: readonly Command[], given: ConstantCommands | null, moved: Command[]): readonly Command[] {
  const entered: (readonly string[])[] = [];
  for (const [at, command] of commands.entries()) {
    const directory = certainSteps(command.invocation.directory);
    const places = directory === null ? entered : directory.some(mayLeaveLink) ? [directory.map(asWritten)] : [];
    for (const steps of places) if (moved.length < MOST_MOVED) moved.push(inFolder(command, steps));
    if (command.inner.length > 1) movedCommands(command.inner, null, moved);
    if (entered.length >= MOST_ENTERED || !movesShell(command)) continue;
    const bases = directory === null ? [[], ...entered] : [directory];
    for (const one of given === null ? [command] : [command, ...givenAt(at, given)]) {
      const step = stepOf(one);
      if (step !== null) entered.push(...bases.map((base) => [...base, step]).slice(0, MOST_ENTERED - entered.length));
    }
  }
  return moved;
}

/** The command at an index with the line's values filled in, including variables that are certainly empty. */
function givenAt(at: number, { filled, emptied }: ConstantCommands): readonly Command[] {
  const surely = emptied.filter(({ perhaps }) => !perhaps);
  return [...filled, ...surely].flatMap((one) => (one.at === at ? [one.command] : []));
}

/** `cd link/../x` as the shell tries it first: as if no part were a symlink. */
function asWritten(step: string): string {
  return mayLeaveLink(step) ? posix.normalize(step) : step;
}

function movesShell(command: Command): boolean {
  const name = wordsOfMove(command)[0]?.value;
  return name === 'cd' || name === 'pushd';
}

/** `builtin cd ..` and `command cd ..` are equivalent to `cd ..`. */
function wordsOfMove({ invocation: { argv } }: Command): readonly ShellWord[] {
  const name = argv[0]?.value;
  return name === 'builtin' || name === 'command' ? argv.slice(1) : argv;
}

/** The step to the folder that a `cd` names, directly or relative to another folder; null if the line does not determine it. */
function stepOf(command: Command): string | null {
  const argv = wordsOfMove(command);
  const operand = argv.slice(1).find(({ text }) => !text.startsWith('-'));
  if (operand === undefined) return argv.length === 1 && argv[0]?.value === 'cd' ? '~' : null;
  const folder = knownWord(operand);
  if (folder.value !== null) return folder.glob ? null : asWritten(folder.value || '.');
  return namesFolder(folder.text) ? NAMED + folder.text : null;
}

function inFolder(command: Command, steps: readonly string[]): Command {
  const { invocation, inner } = command;
  const own = certainSteps(invocation.directory);
  const directory = own === null || own.some(mayLeaveLink) ? steps : own;
  return { ...command, invocation: { ...invocation, directory }, inner: inner.map((one) => inFolder(one, steps)) };
}

function withKnownWords(invocation: Invocation): Invocation {
  return {
    ...invocation,
    argv: invocation.argv.map(knownWord),
    redirections: invocation.redirections.map((one) => ({ ...one, target: one.target && knownWord(one.target) })),
  };
}

/** The word's value if no expansion except a pattern is left in it; otherwise the word unchanged. */
function knownWord(word: ShellWord): ShellWord {
  if (word.value !== null && !/[*?[]/.test(word.text)) return word;
  const { text, span } = word;
  const quoted = /^"([^"$`\\]*)"$|^'([^']*)'$/.exec(text);
  if (quoted === null && /[$`"'\\{]/.test(text)) return word;
  const value = quoted?.[1] ?? quoted?.[2] ?? text;
  const glob = quoted === null && /[*?[]/.test(value);
  const literalPrefix = glob ? value.slice(0, value.search(/[*?[]/)) : value;
  return { text, value, span, glob, tilde: quoted === null && value.startsWith('~'), literalPrefix };
}
