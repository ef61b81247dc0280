/** What the CLI writes to: standard output and standard error, as terminals or as pipes. */
import { escapeText } from '../report/escape.js';
import { columns } from '../report/table.js';
import type { TextOptions } from '../report/text.js';
import { EXIT } from './exit.js';

/** True once nothing that is printed is read any more; only a command that goes on all the same sees it. */
let unread = false;
/** Ends the waiting for room on standard output. */
let goOn: () => void = () => {};

/** Writes to standard output; resolves when there is room for more, so that memory stays bounded. */
export async function print(text: string): Promise<void> {
  if (unread || process.stdout.write(text)) return;
  await new Promise<void>((resolve) => {
    goOn = resolve;
    process.stdout.once('drain', resolve);
  });
}

/** One line on standard error; unprintable characters become visible. */
export function warn(line: string): void {
  process.stderr.write(`${escapeText(line)}\n`);
}

let colorless = false;

/** For `--no-color`: nothing has colour from here on. */
export function neverColor(): void {
  colorless = true;
}

/** Colour on a terminal only, and never with NO_COLOR (https://no-color.org) or TERM=dumb. */
export function textOptions(): TextOptions {
  const { NO_COLOR, TERM } = process.env;
  const wanted = !colorless && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb';
  // A terminal that does not know its size says 0.
  return { color: wanted && process.stdout.isTTY === true, width: Math.min(process.stdout.columns || 80, 120) };
}

/** What a shell reports for a program that SIGPIPE has ended; node ignores that signal. */
const ENDED_BY_CLOSED_PIPE = 141;

/** What a person agreed to is done as a whole, whether or not what it prints can be written. */
let finishes = false;

/** From here on the command goes on when its reader goes away; its exit code says how it ended. */
export function finishUnread(): void {
  finishes = true;
}

/** A reader that goes away (`| head`) ends us quietly; the code is none of the answers, since nobody got to see ours. */
export function endQuietlyOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!finishes) process.exit(error.code === 'EPIPE' ? ENDED_BY_CLOSED_PIPE : EXIT.error);
      if (stream === process.stdout) unread = true;
      goOn();
    });
}

/** Rows in columns on standard output. */
export async function printTable(rows: readonly (readonly string[])[]): Promise<void> {
  await print(columns(rows, textOptions().width));
}
