/** The command `policy`: finds the command that was named, runs it, and ends with its exit code. Never a stack trace. */
import { readFileSync } from 'node:fs';
import yargs, { type Argv } from 'yargs';
import { nearestWord } from '../policy/nearest.js';
import { commands } from './commands.js';
import { EXIT, UsageError } from './exit.js';
import { endQuietlyOnClosedPipe, warn } from './terminal.js';

endQuietlyOnClosedPipe();
process.exitCode = EXIT.error;
process.exitCode = await run(process.argv.slice(2));

/** Runs one command line; the exit code. Whatever goes wrong is one sentence on stderr and exit code 3. */
async function run(args: readonly string[]): Promise<number> {
  const chosen: { command: (() => Promise<number>) | null } = { command: null };
  try {
    await parser(args, (command) => {
      chosen.command = command;
    }).parseAsync();
    return chosen.command === null ? EXIT.allow : await chosen.command();
  } catch (error) {
    for (const line of sentences(error)) warn(line);
    return EXIT.error;
  }
}

/**
 * The parser with all commands; a command's own file is loaded only when it is the one that runs. The command is handed to
 * `choose` and not run by yargs, which would render the whole help text for a handler that returns a promise.
 */
function parser(args: readonly string[], choose: (command: () => Promise<number>) => void): Argv {
  const program = yargs([...args], process.cwd())
    .scriptName('policy')
    .usage('$0 <command>\n\nOne policy for every coding agent: what may a tool call do, and why.')
    .parserConfiguration({
      'dot-notation': false,
      'boolean-negation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .detectLocale(false)
    .exitProcess(false)
    .strict()
    .demandCommand(1, 'Name a command; `policy --help` lists them.')
    .version(version())
    .help()
    .alias('help', 'h')
    .wrap(Math.min(process.stdout.columns ?? 80, 100))
    .group(['help', 'version'], 'Other:')
    .epilogue('Exit codes of `policy check`: 0 allow, 1 deny, 2 ask, 3 wrong usage or configuration.')
    .showHelpOnFail(false)
    .fail((message, error) => {
      throw isOurs(error) ? error : new UsageError(withSuggestion(message ?? error.message, program));
    });
  for (const { command, describe, load } of commands)
    program.command({
      command,
      describe,
      builder: async (options) => (await load()).options(options),
      handler: (parsed) => choose(async () => (await load()).run(parsed)),
    });
  return program;
}

/** yargs names the unknown flag or command; people want to know which one they meant. */
function withSuggestion(message: string, program: Argv): string {
  const sentence = message.split('\n').join(' ');
  const unknown = /^Unknown (?:argument|command)s?: ([^,\n]+)/.exec(message)?.[1]?.trim();
  if (unknown === undefined) return sentence;
  const near = nearestWord(unknown, [...flagsOf(program), ...commands.map(({ command }) => command.split(' ')[0] ?? '')]);
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

/** The version of the package that this file belongs to. */
function version(): string {
  try {
    const { version: written } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version?: unknown;
    };
    return String(written);
  } catch {
    return 'unknown';
  }
}
