/** `policy completion SHELL`: a script that lets a shell complete the command line of `policy`. */

import { bashCompletion } from '../completion/bash.js';
import { fishCompletion } from '../completion/fish.js';
import { type OfferedCommand, offersOf } from '../completion/offers.js';
import { powershellCompletion } from '../completion/powershell.js';
import { zshCompletion } from '../completion/zsh.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print } from '../terminal/terminal.js';
import { type Arguments, textFlag } from '../words/arguments.js';
import type { CommandEntry, Takes } from '../words/command.js';

const SHELLS = new Map<string, (commands: readonly OfferedCommand[]) => string>([
  ['bash', bashCompletion],
  ['zsh', zshCompletion],
  ['fish', fishCompletion],
  ['powershell', powershellCompletion],
]);

export const takes: Takes = {
  arguments: { shell: { choices: [...SHELLS.keys()], describe: 'The shell' } },
  options: {},
};

/** Throws UsageError for a shell without completion. */
export async function run(args: Arguments, commands: readonly CommandEntry[]): Promise<ExitCode> {
  const scriptFor = SHELLS.get(textFlag(args, 'shell') ?? '');
  if (scriptFor === undefined) throw new UsageError(`Name a shell: ${[...SHELLS.keys()].join(', ')}`);
  await print(scriptFor(await offersOf(commands)));
  return EXIT.allow;
}
