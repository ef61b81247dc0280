/** What the built-in denials call a command, and the commands of a line with all that they wrap. */
import { posix } from 'node:path';
import { foldedName } from './called-name.js';
import type { Command } from './command.js';

/** Name as the built-in denials compare it: the last part of whatever path was written, in lower case; null when only the shell knows it. */
export function baseName(command: Command): string | null {
  const name = calledAs(command);
  return name === null ? null : foldedName(name);
}

/** The last part of the command's name as it was written; null when only the shell knows it. */
export function calledAs(command: Command): string | null {
  const value = command.invocation.argv[0]?.value;
  if (value === null || value === undefined || value === '') return null;
  return value.includes('/') ? posix.basename(value) : value;
}

/** All commands, wrapped ones included. */
export function flatten(commands: readonly Command[]): Command[] {
  return commands.flatMap((command) => [command, ...flatten(command.inner)]);
}

/** The first command that is wanted, wrapped ones included; null when there is none. */
export function findCommand(commands: readonly Command[], wanted: (command: Command) => boolean): Command | null {
  for (const command of commands) {
    const found = wanted(command) ? command : command.inner.length > 0 ? findCommand(command.inner, wanted) : null;
    if (found !== null) return found;
  }
  return null;
}
