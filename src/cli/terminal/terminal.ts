/** The output of the CLI: standard output and standard error, as terminals or as pipes. */
import { writeSync } from 'node:fs';
import { escapeText } from '../../report/printing/escape.js';
import type { TextOptions } from '../../report/printing/paint.js';
import { columns } from '../../report/printing/table.js';
import { fold } from '../../report/printing/wrap.js';
import { EXIT, type ExitCode } from './exit.js';
import { clearProgress } from './progress.js';

type Channel = 'stdout' | 'stderr';

/** Channels whose reader is gone; only a command that continues nevertheless uses this. */
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

/** Writes sentences: wraps lines at words on a terminal; a pipe gets each line unchanged. */
export async function printProse(text: string): Promise<void> {
  await print(process.stdout.isTTY === true ? fold(text, widthOf(process.stdout)) : text);
}

/** Writes one sentence to standard output, with unprintable characters made visible; returns the exit code. */
export async function said(line: string, code: ExitCode = EXIT.allow): Promise<ExitCode> {
  await printProse(`${escapeText(line)}\n`);
  return code;
}

/** Writes one line to standard error, with unprintable characters made visible. */
export function warn(line: string): void {
  void warned(line);
}

const told = new Set<string>();

/** Prints lines that belong together, unless they were printed before: the prerequisites of a run are checked before each attempt. */
export function tellOnce(...lines: readonly string[]): void {
  const text = lines.join('\n');
  if (told.has(text)) return;
  told.add(text);
  for (const line of lines) warn(line);
}

/** Like `warn`, for many lines: resolves when there is room for more. */
export async function warned(line: string): Promise<void> {
  clearProgress();
  const { stderr } = process;
  const text = escapeText(line);
  await write('stderr', `${stderr.isTTY === true ? fold(text, widthOf(stderr)) : text}\n`);
}

/** A terminal that does not know its size reports 0. */
function widthOf({ columns: known }: { readonly columns?: number }): number {
  return Math.min(known || 80, 120);
}

/** The choice of `--color` or `--no-color`; null without them. */
let chosen: boolean | null = null;

/** Applies `--color` or `--no-color` to all further output. */
export function chooseColor(color: boolean): void {
  chosen = color;
}

/**
 * Whether a stream gets color: as the flag states; else never with NO_COLOR (https://no-color.org), always with FORCE_COLOR
 * (except 0 and false, which forbid it), and without either on terminals other than TERM=dumb.
 */
function hasColor({ isTTY }: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = process.env;
  if (chosen !== null) return chosen;
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTTY === true && TERM !== 'dumb';
}

/** Returns the format of text on standard output. */
export function textOptions(): TextOptions {
  return { color: hasColor(process.stdout), width: widthOf(process.stdout) };
}

/** The format of the same text in a file: 80 columns, without color. */
export const FILE_TEXT: TextOptions = { color: false, width: 80 };

/** The code that a shell reports for a program ended by SIGPIPE; Node.js ignores that signal. */
export const ENDED_BY_CLOSED_PIPE = 141;

/**
 * Called when standard output has no reader any more, so that a confirmed change is completed nevertheless; null: the process ends instead.
 */
let whenUnread: (() => void) | null = null;

/**
 * From here on the command continues when its reader goes away; its exit code states how it ended.
 * @param tell called when standard output has no reader any more
 */
export function finishUnread(tell: () => void = () => {}): void {
  whenUnread = tell;
}

/** Writes one line to standard error synchronously, before the program ends. */
function sayAtOnce(line: string): void {
  try {
    writeSync(2, `${line}\n`);
  } catch {
    // The message cannot be delivered.
  }
}

/** Ends this process quietly when its reader goes away (`| head`); the exit code is none of the answers, since no one has seen ours. */
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

/** Prints rows in columns on standard output. */
export async function printTable(rows: readonly (readonly string[])[]): Promise<void> {
  await print(columns(rows, textOptions().width));
}
