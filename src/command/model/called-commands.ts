/** The names by which the built-in denials know commands, and the commands of a line with everything they wrap. */
import { posix } from 'node:path';
import { foldedName } from './called-name.js';
import type { Command } from './command.js';

/** The name as the built-in denials compare it: the last part of any path, in lower case; null when it cannot be analysed. */
export function baseName(command: Command): string | null {
  const name = calledAs(command);
  return name === null ? null : foldedName(name);
}

/** The last part of the command's name, as written; null when it cannot be analysed. */
export function calledAs(command: Command): string | null {
  const value = command.invocation.argv[0]?.value;
  if (value === null || value === undefined || value === '') return null;
  return value.includes('/') ? posix.basename(value) : value;
}

/** All commands, including wrapped ones. */
export function flatten(commands: readonly Command[]): Command[] {
  return commands.flatMap((command) => [command, ...flatten(command.inner)]);
}

/** The first command that `wanted` accepts, including wrapped ones; null if there is none. */
export function findCommand(commands: readonly Command[], wanted: (command: Command) => boolean): Command | null {
  for (const command of commands) {
    const found = wanted(command) ? command : command.inner.length > 0 ? findCommand(command.inner, wanted) : null;
    if (found !== null) return found;
  }
  return null;
}
