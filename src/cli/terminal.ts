/** What the CLI writes to: standard output and standard error, as terminals or as pipes. */
import { escapeText } from '../report/escape.js';
import { columns } from '../report/table.js';
import type { TextOptions } from '../report/text.js';
import { fold } from '../report/wrap.js';
import { EXIT } from './exit.js';
import { clearProgress } from './progress.js';

/** True once nothing that is printed is read any more; only a command that goes on all the same sees it. */
let unread = false;
/** Ends the waiting for room on standard output. */
let goOn: () => void = () => {};
/** Until there is room on standard output: all that wait share it. */
let room: Promise<void> | null = null;

/** Writes to standard output; resolves when there is room for more, so that memory stays bounded. */
export async function print(text: string): Promise<void> {
  if (process.stdout.isTTY === true) clearProgress();
  if (unread || process.stdout.write(text)) return;
  room ??= new Promise<void>((resolve) => {
    goOn = () => {
      room = null;
      resolve();
    };
    process.stdout.once('drain', goOn);
  });
  await room;
}

/** Writes sentences: on a terminal their lines are broken at words; whoever reads a pipe gets each as it is. */
export async function printProse(text: string): Promise<void> {
  await print(process.stdout.isTTY === true ? fold(text, widthOf(process.stdout)) : text);
}

/** One line on standard error; unprintable characters become visible. */
export function warn(line: string): void {
  clearProgress();
  const { stderr } = process;
  const text = escapeText(line);
  stderr.write(`${stderr.isTTY === true ? fold(text, widthOf(stderr)) : text}\n`);
}

/** A terminal that does not know its size says 0. */
function widthOf({ columns: known }: { readonly columns?: number }): number {
  return Math.min(known || 80, 120);
}

/** What `--color` or `--no-color` says; null without them. */
let chosen: boolean | null = null;

/** For `--color` and `--no-color`: all has colour from here on, or nothing. */
export function chooseColor(color: boolean): void {
  chosen = color;
}

/**
 * Whether a stream gets colour: as the flag says; else never with NO_COLOR (https://no-color.org), always with FORCE_COLOR (but for
 * 0 and false, which forbid it), and without either on terminals other than TERM=dumb.
 */
function hasColor({ isTTY }: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = process.env;
  if (chosen !== null) return chosen;
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTTY === true && TERM !== 'dumb';
}

/** How text on standard output looks. */
export function textOptions(): TextOptions {
  return { color: hasColor(process.stdout), width: widthOf(process.stdout) };
}

/** How the same text looks in a file: in 80 columns, without colour. */
export const FILE_TEXT: TextOptions = { color: false, width: 80 };

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
