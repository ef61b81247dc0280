/** The command `policy`: finds the command that was named, runs it, and ends with its exit code. Never a stack trace. */
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { nearestWord } from '../policy/nearest.js';
import { switchFlag } from './arguments.js';
import { type CommandEntry, nameOf } from './command.js';
import { commands } from './commands.js';
import { declaredBy } from './declared.js';
import { EXIT, UsageError } from './exit.js';
import { commandHelp, overview } from './help-text.js';
import { isOurs, parseWords, wantsHelp } from './parse.js';
import { endQuietlyOnClosedPipe, finishUnread, neverColor, print, textOptions, warn } from './terminal.js';
import { version } from './version.js';

/** What people type to learn the version. */
const VERSION_WORDS: ReadonlySet<string> = new Set(['--version', '-V', '-v', 'version']);

endQuietlyOnClosedPipe();
process.exitCode = EXIT.error;
process.exitCode = await run(process.argv.slice(2));

/** Runs one command line; the exit code. Whatever goes wrong is one sentence on stderr and exit code 3. */
async function run(given: readonly string[]): Promise<number> {
  try {
    const args = withoutLeading('--no-color', given);
    if (args.length < given.length) neverColor();
    // What is kept for the user would lie in whatever folder the command is run in.
    if (!isAbsolute(homedir())) throw new UsageError('HOME is not an absolute path');
    const [name, ...words] = args;
    const entry = commands.find((command) => nameOf(command) === name);
    return entry === undefined ? await withoutCommand(name) : await runCommand(entry, words);
  } catch (error) {
    for (const line of sentences(error)) warn(line);
    return EXIT.error;
  }
}

/** The words behind those that are `flag`: people put it before the command, too. */
function withoutLeading(flag: string, words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => word !== flag);
  return first < 0 ? [] : words.slice(first);
}

/** Runs one command, or prints its help; its file is loaded only here. */
async function runCommand(entry: CommandEntry, words: readonly string[]): Promise<number> {
  const file = await entry.load();
  if (wantsHelp(words)) {
    await print(commandHelp(entry, file, textOptions().width));
    return EXIT.allow;
  }
  const args = await parseWords(nameOf(entry), words, declaredBy(entry, file));
  if (args['no-color'] !== undefined) neverColor();
  if (switchFlag(args, 'yes')) finishUnread();
  return file.run(args, commands);
}

/** What `policy` does when the first word is no command: help, version, or the command that was probably meant. */
async function withoutCommand(word: string | undefined): Promise<number> {
  if (word === '--help' || word === '-h') await print(overview(commands, textOptions().width));
  else if (word !== undefined && VERSION_WORDS.has(word)) await print(`${version()}\n`);
  else throw new UsageError(word === undefined ? 'Name a command; `policy --help` lists them.' : unknownCommand(word));
  return EXIT.allow;
}

function unknownCommand(word: string): string {
  const known = [...commands.map(nameOf), '--help', '--version'];
  const near = nearestWord(word, known);
  const what = word.startsWith('-') ? 'option' : 'command';
  return `Unknown ${what}: ${word}; ${near === null ? '`policy --help` lists the commands' : `did you mean ${near}?`}`;
}

/** What to print for an error: its located sentences when it has some, else its message on one line. */
function sentences(error: unknown): readonly string[] {
  if (error instanceof UsageError) return error.lines;
  const message = error instanceof Error ? error.message : String(error);
  return [isOurs(error) ? `policy: internal error: ${message}` : message];
}
