/**
 * The commands of a line with what the line gives them: `f=.gi?; rm -rf $f`, `a=(.env x); cat "${a[@]}"`, `cd .git; touch x`. Here a word
 * becomes what it would be where it stands, and its command is read anew; what it might be by any text of the line, whatever
 * runs, is known to said-values.ts, and is for questions about commands that cannot be read.
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

/** A line that enters more folders, or has more commands behind that, is judged by the first ones. */
const MOST_ENTERED = 8;
const MOST_MOVED = 64;
/** Of a command with more words nothing is made. */
const MOST_WORDS = 64;

/**
 * The commands of a line as they are with what the line itself puts into the words that only the shell knows, and in the folders that it
 * enters. For guards, ask and deny rules alone: no allow follows from them, since the words and folders may be others, too.
 * @param constants of this line, where it can hold any
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

/** `pwd | xargs rm -rf`: what xargs runs, with what prints a folder in the place of its standard input. */
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

/** What prints the name of a folder and nothing else. */
const PRINTERS: ReadonlySet<string> = new Set(['pwd', 'dirname', 'realpath', 'readlink', 'echo', 'printf', 'git']);

/** A word for what a command prints: `ls` what `*` stands for (of another folder it prints names that are none here). */
function printedText(command: Command): string | null {
  const words = wordsOf(command);
  if (/^ls(?:\s+-[1rtSUpF]+)*(?:\s+\.\/?)?$/.test(words)) return '*';
  return PRINTERS.has(command.name ?? '') || printsFolders(words) ? `$(${words})` : null;
}

/** `find . -exec rm -rf {} +`: the first that find runs, with what find lists in the place of what it is given. */
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

/** `bash -c "rm -rf $PWD"`: the commands of a text with folders in it that the shell around it names. */
function scriptCommands(commands: readonly Command[], shell: Shell): readonly Command[] {
  const seen = new Set<string>();
  return flatten(commands).flatMap((command) => {
    const word = isShell(command) ? command.invocation.argv[scriptAt(command)] : undefined;
    const text = word?.value === null ? (/^"([^"\\`]{1,512})"$/.exec(word.text)?.[1] ?? '') : '';
    return text !== '' && isNew(text, command, seen) ? assignedBy(text, command, shell) : [];
  });
}

const EXECUTING = /^-(?:exec|ok)(?:dir)?$/;

/** `x='rm -rf ..'; $x`: what the shell makes of a text that the line gives it, where a command stands. */
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

/** `cd .git; touch x`: whether the first succeeds is not known, so the second runs in the one folder or in the other. */
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

/** What the line makes of the command at a place, also where a variable is certainly empty. */
function givenAt(at: number, { filled, emptied }: ConstantCommands): readonly Command[] {
  const surely = emptied.filter(({ perhaps }) => !perhaps);
  return [...filled, ...surely].flatMap((one) => (one.at === at ? [one.command] : []));
}

/** `cd link/../x` where no link is, as the shell tries it first. */
function asWritten(step: string): string {
  return mayLeaveLink(step) ? posix.normalize(step) : step;
}

function movesShell(command: Command): boolean {
  const name = wordsOfMove(command)[0]?.value;
  return name === 'cd' || name === 'pushd';
}

/** `builtin cd ..` and `command cd ..` are `cd ..`. */
function wordsOfMove({ invocation: { argv } }: Command): readonly ShellWord[] {
  const name = argv[0]?.value;
  return name === 'builtin' || name === 'command' ? argv.slice(1) : argv;
}

/** The step to the folder that a `cd` names, written out or by way of another one; null for those that the line does not tell. */
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

/** What the shell makes of a word with nothing left in it that it would expand, but for a pattern; else the word as it is. */
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
