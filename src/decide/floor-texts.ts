/** Texts of a line that another program reads as commands: `echo 'rm -rf /' | sh`, `… | at now`, `… | crontab -`, `… | make -f -`. */
import type { Command } from '../command/command.js';
import { floor } from './floor-entries.js';
import { baseName, findCommand } from './floor-names.js';

/**
 * The commands that the command at `at` is given by those before it in its pipeline.
 * @returns null when it reads none, or the line does not say what they are
 */
export function commandsRead(commands: readonly Command[], at: number): string | null {
  const reader = commands[at];
  const form = reader === undefined ? null : formOf(reader);
  if (form === null) return null;
  const text = printed(commands, at - 1);
  return text === null ? null : text.split('\n').map(form).join('\n');
}

type Form = (line: string) => string;

const asItIs: Form = (line) => line;
/** `* * * * * command`, `@reboot command`. */
const withoutTime: Form = (line) => line.replace(/^\s*(?:@\w+|(?:\S+\s+){4}\S+)\s/, '');
/** `target: needs; command`, a recipe behind its tab; `@` and `-` before a recipe are for make. */
const withoutTarget: Form = (line) => line.replace(/^[^\t:=]*:[^;]*;/, '').replace(/^\s*[@+-]*/, '');

/** How a command reads its input as commands, line by line; null when it does not. */
function formOf(command: Command): Form | null {
  const reader = findCommand([command], (one) => one.inner.length === 0) ?? command;
  const name = baseName(reader) ?? '';
  const words = reader.invocation.argv.slice(1).map(({ value }) => value);
  const isInput = (word: string | null | undefined) => word === '-' || word === '/dev/stdin';
  if (floor().shellEntries.some(({ shells }) => shells?.includes(name)))
    return words.every((word) => isInput(word) || word === '-s') ? asItIs : null;
  switch (floor().readers.get(name)) {
    case 'lines':
      return words.includes('-f') ? null : asItIs;
    case 'timetable':
      return words.length === 0 || isInput(words.at(-1)) ? withoutTime : null;
    case 'recipes':
      return words.some((word) => word === '-f-' || isInput(word)) ? withoutTarget : null;
    default:
      return null;
  }
}

/** What the command at `at` prints, when that stands in the line. */
function printed(commands: readonly Command[], at: number): string | null {
  const command = commands[at];
  if (command === undefined) return null;
  const { argv, redirections, piped } = command.invocation;
  const words = argv.slice(1).map(({ value }) => value);
  if (words.includes(null)) return null;
  switch (baseName(command)) {
    case 'echo':
    case 'printf':
      return words.join(' ').replace(/\\n/g, '\n').replace(/\\t/g, '\t');
    case 'cat':
      return words.length === 0 ? (redirections.find(({ direction }) => direction === 'here')?.text ?? null) : null;
    case 'base64': {
      const encoded =
        piped && words.some((word) => word === '-d' || word === '-D' || word === '--decode') ? printed(commands, at - 1) : null;
      return encoded === null ? null : Buffer.from(encoded, 'base64').toString();
    }
    default:
      return null;
  }
}
