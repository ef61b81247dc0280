/**
 * Counts the calls of a session, exactly and without a lock: each call appends one line to the session's file, and its position
 * among the lines is its number. The first line contains the time when the session began.
 */
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { elapsed, type Timestamp } from './moment.js';
import { checkOwnFile, systemWord } from './own-file.js';
import { RunError } from './run-error.js';

export interface SpentCalls {
  readonly calls: number;
  /** Milliseconds since the first call. */
  readonly milliseconds: number;
}

const WHAT = 'the count of calls';
/** No session makes this many calls; a longer file is not the program's own. */
const LARGEST = 64 * 1024 * 1024;
const { O_APPEND, O_CREAT, O_RDWR } = constants;
const FLAGS = O_RDWR | O_APPEND | O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Counts this call. Simultaneous calls get different numbers; denied calls are counted too. Throws RunError if the file cannot be
 * read or written, because the remaining budget is then unknown.
 * @param mark unique to this call
 */
export function spendCall(file: string, now: Timestamp, mark: string): SpentCalls {
  const line = Buffer.from(`${mark} ${JSON.stringify(now)}\n`);
  const lines = appendAndRead(file, line).split('\n');
  // A line cut off by a full disk has no line break: the next record continues that line, but its mark is still found.
  const place = lines.findIndex((one) => one.includes(`${mark} {`));
  const first = /\{[^{]*\}$/.exec(lines[0] ?? '');
  const began = first === null ? null : momentIn(first[0]);
  if (place < 0 || began === null) throw new RunError(`${WHAT} ${file} is damaged; remove it`);
  return { calls: place, milliseconds: elapsed(began, now) };
}

function appendAndRead(file: string, line: Uint8Array): string {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, FLAGS, 0o600);
    const stat = fstatSync(descriptor);
    checkOwnFile(WHAT, file, stat);
    if (stat.size > LARGEST) throw new RunError(`${WHAT} ${file} is too long; remove it`);
    if (writeSync(descriptor, line) !== line.length)
      throw new RunError(`${WHAT} ${file} was only partly written; free space and check its limits`);
    return readWhole(descriptor);
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw new RunError(`${WHAT} ${file} cannot be kept (${systemWord(error)}); make it writable or remove it`);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function readWhole(descriptor: number): string {
  const chunks: Buffer[] = [];
  for (let size = 0; ; ) {
    const chunk = Buffer.allocUnsafe(65_536);
    const got = readSync(descriptor, chunk, 0, chunk.length, size);
    if (got === 0) return Buffer.concat(chunks).toString('latin1');
    chunks.push(chunk.subarray(0, got));
    size += got;
  }
}

function momentIn(text: string): Timestamp | null {
  try {
    const { at, up, boot } = JSON.parse(text) as Partial<Timestamp>;
    return typeof at === 'number' && typeof up === 'number' && typeof boot === 'string' ? { at, up, boot } : null;
  } catch {
    return null;
  }
}
