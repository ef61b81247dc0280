/** What the CLI writes to: standard output and standard error, as terminals or as pipes. */
import { writeSync } from 'node:fs';
import { escapeText } from '../../report/printing/escape.js';
import type { TextOptions } from '../../report/printing/paint.js';
import { columns } from '../../report/printing/table.js';
import { fold } from '../../report/printing/wrap.js';
import { EXIT, type ExitCode } from './exit.js';
import { clearProgress } from './progress.js';

type Channel = 'stdout' | 'stderr';

/** What nobody reads any more; only a command that goes on all the same sees it. */
const unread = new Set<Channel>();
const waiting: Readonly<Record<Channel, (() => void)[]>> = { stdout: [], stderr: [] };

/** Writes to standard output; resolves when there is room for more, so that memory stays bounded. */
export async function print(text: string): Promise<void> {
  if (process.stdout.isTTY === true) clearProgress();
  await write('stdout', text);
}

async function write(channel: Channel, text: string): Promise<void> {
  if (unread.has(channel) || process[channel].write(text)) return;
  const others = waiting[channel];
  if (others.length === 0) process[channel].once('drain', () => goOn(channel));
  await new Promise<void>((resolve) => {
    others.push(resolve);
  });
}

function goOn(channel: Channel): void {
  for (const resolve of waiting[channel].splice(0)) resolve();
}

/** Writes sentences: on a terminal their lines are broken at words; whoever reads a pipe gets each as it is. */
export async function printProse(text: string): Promise<void> {
  await print(process.stdout.isTTY === true ? fold(text, widthOf(process.stdout)) : text);
}

/** One sentence on standard output, in which unprintable characters become visible; gives the exit code. */
export async function said(line: string, code: ExitCode = EXIT.allow): Promise<ExitCode> {
  await printProse(`${escapeText(line)}\n`);
  return code;
}

/** One line on standard error; unprintable characters become visible. */
export function warn(line: string): void {
  void warned(line);
}

const told = new Set<string>();

/** Says lines that belong together, unless they have been said: what a run is made ready from is looked at before each attempt. */
export function tellOnce(...lines: readonly string[]): void {
  const text = lines.join('\n');
  if (told.has(text)) return;
  told.add(text);
  for (const line of lines) warn(line);
}

/** `warn`, for many lines: resolves when there is room for more. */
export async function warned(line: string): Promise<void> {
  clearProgress();
  const { stderr } = process;
  const text = escapeText(line);
  await write('stderr', `${stderr.isTTY === true ? fold(text, widthOf(stderr)) : text}\n`);
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
export const ENDED_BY_CLOSED_PIPE = 141;

/** What a person agreed to is done as a whole, whether or not what it prints can be written; null: it is not. */
let whenUnread: (() => void) | null = null;

/**
 * From here on the command goes on when its reader goes away; its exit code says how it ended.
 * @param tell called when nobody reads standard output any more
 */
export function finishUnread(tell: () => void = () => {}): void {
  whenUnread = tell;
}

/** One line on standard error, before the program ends. */
function sayAtOnce(line: string): void {
  try {
    writeSync(2, `${line}\n`);
  } catch {
    // Nobody can be told.
  }
}

/** A reader that goes away (`| head`) ends us quietly; the code is none of the answers, since nobody got to see ours. */
export function endQuietlyOnClosedPipe(): void {
  for (const channel of ['stdout', 'stderr'] as const)
    process[channel].on('error', (error: NodeJS.ErrnoException) => {
      if (whenUnread === null) {
        if (error.code === 'EPIPE') process.exit(ENDED_BY_CLOSED_PIPE);
        if (channel === 'stdout') sayAtOnce(`Standard output cannot be written (${error.code})`);
        process.exit(EXIT.error);
      }
      if (unread.has(channel)) return;
      unread.add(channel);
      goOn(channel);
      if (channel === 'stdout') whenUnread();
    });
}

/** Rows in columns on standard output. */
export async function printTable(rows: readonly (readonly string[])[]): Promise<void> {
  await print(columns(rows, textOptions().width));
}
