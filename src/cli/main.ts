/** The command `policy`: finds the named command, runs it, and ends with its exit code. Never prints a stack trace. */
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { VERSION } from '../generated/build.js';
import { nearestWord } from '../policy/nearest.js';
import { damagedCommand } from '../policy/read/damaged-program.js';
import { commands } from './commands.js';
import { EXIT, UsageError } from './terminal/exit.js';
import { chooseColor, endQuietlyOnClosedPipe, finishUnread, print, textOptions, warn } from './terminal/terminal.js';
import { switchFlag } from './words/arguments.js';
import { type CommandEntry, nameOf } from './words/command.js';
import { declaredBy } from './words/declared.js';
import { commandHelp, overview } from './words/help-text.js';
import { isOurs, parseWords, wantsHelp } from './words/parse.js';

/** Words that print the version. */
const VERSION_WORDS: ReadonlySet<string> = new Set(['--version', '-V', '-v', 'version']);

/** Flags that are allowed before the command. */
const COLOR_FLAGS: ReadonlySet<string> = new Set(['--color', '--no-color']);

/** Runs the command line of this process and sets its exit code. */
export async function main(words: readonly string[]): Promise<void> {
  endQuietlyOnClosedPipe();
  process.exitCode = EXIT.error;
  process.exitCode = await run(words);
}

/** Runs one command line; returns the exit code. Every error is one sentence on stderr and exit code 3. */
async function run(given: readonly string[]): Promise<number> {
  try {
    const args = withoutLeading(COLOR_FLAGS, given);
    heedColor(given.slice(0, given.length - args.length));
    // The user's files would otherwise be written to whatever folder the command runs in.
    if (!isAbsolute(homedir())) throw new UsageError('HOME is not an absolute path');
    const [name, ...words] = args[0] === 'agents' && args[1] === 'run' ? args.slice(1) : args;
    const entry = commands.find((command) => nameOf(command) === name);
    return entry === undefined ? await withoutCommand(name, words) : await runCommand(entry, words);
  } catch (error) {
    return tellError(error);
  }
}

/** Prints the error; returns the exit code. */
function tellError(error: unknown): number {
  // A reader that closes the pipe after the first of these lines must not change the exit code.
  finishUnread();
  for (const line of sentences(error)) warn(line);
  return EXIT.error;
}

/** Handles the color flags in words that no command parses. */
function heedColor(words: readonly string[]): void {
  for (const word of words) if (COLOR_FLAGS.has(word)) chooseColor(word === '--color');
}

/** Returns the words after those that are one of `flags`: people also put these before the command. */
function withoutLeading(flags: ReadonlySet<string>, words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !flags.has(word));
  return first < 0 ? [] : words.slice(first);
}

/** Runs one command, or prints its help; loads its file only here. */
async function runCommand(entry: CommandEntry, words: readonly string[]): Promise<number> {
  const file = await entry.load();
  if (wantsHelp(words)) {
    heedColor(words);
    const { width, color } = textOptions();
    await print(commandHelp(entry, file, width, color));
    return EXIT.allow;
  }
  const args = await parseWords(nameOf(entry), words, declaredBy(entry, file));
  if (args.color !== undefined) chooseColor(true);
  if (args['no-color'] !== undefined) chooseColor(false);
  if (switchFlag(args, 'yes')) finishUnread();
  return file.run(args, commands);
}

/** Handles a first word that is no command: help, version, or a suggestion of the probable command. */
async function withoutCommand(word: string | undefined, words: readonly string[]): Promise<number> {
  heedColor(words);
  if (word === '--help' || word === '-h') await print(overview(commands, textOptions().width, textOptions().color));
  else if (word !== undefined && VERSION_WORDS.has(word)) await print(`${VERSION}\n`);
  else throw new UsageError(word === undefined ? 'Name a command; `policy --help` lists them.' : unknownCommand(word));
  return EXIT.allow;
}

function unknownCommand(word: string): string {
  const known = [...commands.map(nameOf), '--help', '--version'];
  const near = nearestWord(word, known);
  const what = word.startsWith('-') ? 'option' : 'command';
  return `Unknown ${what}: ${word}; ${near === null ? '`policy --help` lists the commands' : `did you mean ${near}?`}`;
}

/** Returns the lines to print for an error: its sentences with places if it has some, else its message on one line. */
function sentences(error: unknown): readonly string[] {
  if (error instanceof UsageError) return error.lines;
  const damage = damagedCommand(error);
  if (damage !== null) return [damage];
  const message = error instanceof Error ? error.message : String(error);
  return [isOurs(error) ? `policy: internal error: ${message}` : message];
}
