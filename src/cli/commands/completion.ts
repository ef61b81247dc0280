/** `policy completion SHELL`: a script that lets a shell complete the command line of `policy`. */

import { bashCompletion } from '../completion/bash.js';
import { fishCompletion } from '../completion/fish.js';
import { type OfferedCommand, offersOf } from '../completion/offers.js';
import { powershellCompletion } from '../completion/powershell.js';
import { zshCompletion } from '../completion/zsh.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print } from '../terminal/terminal.js';
import { type Arguments, textFlag } from '../words/arguments.js';
import type { CommandEntry, CommandHelp, Takes } from '../words/command.js';

const SHELLS = new Map<string, (commands: readonly OfferedCommand[]) => string>([
  ['bash', bashCompletion],
  ['zsh', zshCompletion],
  ['fish', fishCompletion],
  ['powershell', powershellCompletion],
]);

export const usage = `$0 completion bash
$0 completion zsh
$0 completion fish
$0 completion powershell

Prints a script with which a shell completes commands, options and their values. The script is constant text: while you type, it starts no
program and evaluates nothing from files or from the command line.

For bash: policy completion bash > ~/.local/share/bash-completion/completions/policy

For zsh, where DIR is a folder of $fpath: policy completion zsh > DIR/_policy

For fish: policy completion fish > ~/.config/fish/completions/policy.fish

For PowerShell: policy completion powershell >> $PROFILE`;

export const help: CommandHelp = {
  exitCodes: [
    [0, 'printed'],
    [3, 'wrong usage'],
  ],
  files: [],
  examples: [
    {
      says: 'Try it in this bash',
      line: 'source <(policy completion bash); complete -p policy',
      exit: 0,
      prints: ['complete -F _policy policy'],
    },
    {
      says: 'Install it for fish',
      line: 'mkdir -p ~/.config/fish/completions; policy completion fish > ~/.config/fish/completions/policy.fish',
      exit: 0,
      prints: [],
    },
  ],
};

export const takes: Takes = {
  arguments: { shell: { choices: [...SHELLS.keys()], describe: 'The shell' } },
  options: {},
};

/** Throws UsageError for a shell that has no completion. */
export async function run(args: Arguments, commands: readonly CommandEntry[]): Promise<ExitCode> {
  const scriptFor = SHELLS.get(textFlag(args, 'shell') ?? '');
  if (scriptFor === undefined) throw new UsageError(`Name a shell: ${[...SHELLS.keys()].join(', ')}`);
  await print(scriptFor(await offersOf(commands)));
  return EXIT.allow;
}
