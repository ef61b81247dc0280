/** `policy help [COMMAND]`: the same as `policy --help` and `policy COMMAND --help`. */
import { nearestWord } from '../../policy/nearest.js';
import type { TextOptions } from '../../report/printing/paint.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, textOptions } from '../terminal/terminal.js';
import { type Arguments, textFlag } from '../words/arguments.js';
import { type CommandEntry, nameOf, type Takes } from '../words/command.js';
import { commandHelp, overview } from '../words/help-text.js';

export const takes: Takes = {
  arguments: { command: { value: 'COMMAND', describe: 'A command; without it, all are listed' } },
  options: {},
};

/** Throws UsageError for a command that does not exist. */
export async function run(args: Arguments, commands: readonly CommandEntry[]): Promise<ExitCode> {
  const name = textFlag(args, 'command');
  const options = textOptions();
  await print(name === undefined ? overview(commands, options.width, options.color) : await helpOf(name, commands, options));
  return EXIT.allow;
}

async function helpOf(name: string, commands: readonly CommandEntry[], { width, color }: TextOptions): Promise<string> {
  const entry = commands.find((command) => nameOf(command) === name);
  if (entry !== undefined) return commandHelp(entry, await entry.load(), width, color);
  const near = nearestWord(name, commands.map(nameOf));
  throw new UsageError(
    `There is no command ${name}; ${near === null ? '`policy help` lists the commands' : `did you mean ${near}?`}`,
  );
}
