/** The command `policy`: finds the command that was named, runs it, and ends with its exit code. Never a stack trace. */
import yargs, { type Argv } from 'yargs';
import { nearestWord } from '../policy/nearest.js';
import type { Arguments } from './arguments.js';
import { type CommandEntry, commands } from './commands.js';
import { EXIT, UsageError } from './exit.js';
import { endQuietlyOnClosedPipe, warn } from './terminal.js';
import { version } from './version.js';

endQuietlyOnClosedPipe();
process.exitCode = EXIT.error;
process.exitCode = await run(process.argv.slice(2));

/** Runs one command line; the exit code. Whatever goes wrong is one sentence on stderr and exit code 3. */
async function run(args: readonly string[]): Promise<number> {
  try {
    const entry = commands.find(({ command }) => nameOf(command) === args[0]);
    if (entry !== undefined) return await runCommand(entry, args.slice(1));
    await overview(args).parseAsync();
    return EXIT.allow;
  } catch (error) {
    for (const line of sentences(error)) warn(line);
    return EXIT.error;
  }
}

/** `check [tool] [input]` → `check` */
function nameOf(command: string): string {
  return command.split(' ')[0] ?? '';
}

/**
 * Runs one command; its file is loaded only here. To yargs it is the default command of a program of its own: for a command
 * among others, yargs renders the whole help text even when nobody wants it, which takes longer than a check.
 */
async function runCommand({ command, load }: CommandEntry, args: readonly string[]): Promise<number> {
  const file = await load();
  const chosen: { run: () => Promise<number> } = { run: async () => EXIT.allow };
  await program(args)
    .usage(file.usage)
    .command({
      command: command.replace(nameOf(command), '$0'),
      describe: false,
      builder: (options) => file.options(options).group(['help'], 'Other:'),
      handler: (parsed) => {
        chosen.run = () => file.run({ ...parsed, ...wordsAfterDashes(command, parsed) });
      },
    })
    .parseAsync();
  return chosen.run();
}

/** yargs leaves the words after `--` aside; they are the arguments that are still missing. Throws UsageError for one too many. */
function wordsAfterDashes(command: string, parsed: Arguments): Arguments {
  const missing = [...command.matchAll(/[[<](\w+)[\]>]/g)].flatMap(([, name = '']) => (parsed[name] === undefined ? [name] : []));
  const words = Array.isArray(parsed._) ? parsed._.map(String) : [];
  const [extra] = words.slice(missing.length);
  if (extra !== undefined) throw new UsageError(`Unknown argument: ${extra}`);
  return Object.fromEntries(words.map((word, index) => [missing[index] ?? word, word]));
}

/** What `policy` alone does: help, version, and the answer to a command that does not exist. */
function overview(args: readonly string[]): Argv {
  const all = program(args)
    .usage('$0 <command>\n\nOne policy for every coding agent: what may a tool call do, and why.')
    .demandCommand(1, 'Name a command; `policy --help` lists them.')
    .epilogue('Exit codes of `policy check`: 0 allow, 1 deny, 2 ask, 3 wrong usage or configuration.')
    .version(version())
    .group(['help', 'version'], 'Other:');
  for (const { command, describe } of commands) all.command({ command, describe, handler: () => undefined });
  return all;
}

/** A parser that takes words as they are, knows its flags exactly, and leaves ending the process to us. */
function program(args: readonly string[]): Argv {
  const strict = yargs([...args], process.cwd())
    .scriptName('policy')
    .parserConfiguration({
      'dot-notation': false,
      'boolean-negation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .detectLocale(false)
    .exitProcess(false)
    .strict()
    .version(false)
    .help()
    .alias('help', 'h')
    .wrap(Math.min(process.stdout.columns ?? 80, 100))
    .showHelpOnFail(false)
    .fail((message, error) => {
      throw isOurs(error) ? error : new UsageError(withSuggestion(message ?? error.message, strict));
    });
  return strict;
}

/** yargs names the unknown flag or command; people want to know which one they meant. */
function withSuggestion(message: string, program: Argv): string {
  const sentence = message.split('\n').join(' ');
  const unknown = /^Unknown (?:argument|command)s?: ([^,\n]+)/.exec(message)?.[1]?.trim();
  if (unknown === undefined) return sentence;
  const near = nearestWord(unknown, [...flagsOf(program), ...commands.map(({ command }) => nameOf(command))]);
  if (near === null) return sentence;
  return `${sentence}; did you mean ${flagsOf(program).includes(near) ? `--${near}` : near}?`;
}

/** The long flags that a parser knows; yargs has them, its types do not say so. */
function flagsOf(program: Argv): readonly string[] {
  const known = program as unknown as { getOptions(): { readonly key: Readonly<Record<string, unknown>> } };
  return Object.keys(known.getOptions().key).filter((flag) => flag.length > 1);
}

/** Tells an error of a command from what yargs objects to. */
function isOurs(error: unknown): boolean {
  return error instanceof Error && error.name !== 'YError';
}

/** What to print for an error: its located sentences when it has some, else its message on one line. */
function sentences(error: unknown): readonly string[] {
  if (error instanceof UsageError) return error.lines;
  const message = error instanceof Error ? error.message : String(error);
  if (!isOurs(error)) return [message];
  return [`policy: internal error: ${message}`];
}
