/** The files of a decision log, and their lines: forwards or backwards, in chunks, never more than one line in memory. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { logDirectory } from './directory.js';
import { LogError, systemCode } from './log-error.js';

export interface LogFile {
  readonly path: string;
  /** The day of its records, `2026-01-31`. */
  readonly day: string;
  readonly part: number;
}

/** A line, where in its file it begins, and whether it ended in a line break. */
export interface LogLine {
  /** Null when the line is longer than any record. */
  readonly text: string | null;
  readonly offset: number;
  /** Byte behind its line break, or behind its last byte when it has none. */
  readonly end: number;
  readonly ended: boolean;
}

const NAME = /^decisions-(\d{4}-\d{2}-\d{2})(?:-([1-9]\d{0,4}))?\.jsonl$/;
const CHUNK = 65_536;
const LONGEST_LINE = 262_144;
const NEWLINE = 0x0a;

/** The files of a state directory's log, oldest first; none when nothing was logged yet. Throws LogError when it cannot be read. */
export function logFiles(stateDirectory: string): LogFile[] {
  const folder = logDirectory(stateDirectory);
  return namesIn(folder)
    .flatMap((name) => {
      const [, day, part] = NAME.exec(name) ?? [];
      return day === undefined ? [] : [{ path: join(folder, name), day, part: Number(part ?? 0) }];
    })
    .sort((a, b) => (a.day === b.day ? a.part - b.part : a.day < b.day ? -1 : 1));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw new LogError('log/directory', `The decision log ${folder} cannot be read (${systemCode(error)}).`);
  }
}

/** The lines of a file that begin before `end` (default: all), last line first. Throws LogError for what is no readable file. */
export function* linesBackward(path: string, end?: number): Generator<LogLine> {
  const descriptor = openLog(path);
  try {
    const size = Math.min(end ?? Number.POSITIVE_INFINITY, fstatSync(descriptor).size);
    let held: Held = { parts: [], length: 0 };
    let ended = false;
    for (let position = size; position > 0; ) {
      const chunk = readChunk(descriptor, Math.max(0, position - CHUNK), Math.min(CHUNK, position));
      position -= chunk.length;
      let to = chunk.length;
      for (let at = chunk.lastIndexOf(NEWLINE); at !== -1; at = at === 0 ? -1 : chunk.lastIndexOf(NEWLINE, at - 1)) {
        held = before(chunk.subarray(at + 1, to), held);
        if (held.length > 0) yield lineOf(held, position + at + 1, ended);
        held = { parts: [], length: 0 };
        ended = true;
        to = at;
      }
      held = before(chunk.subarray(0, to), held);
    }
    if (held.length > 0) yield lineOf(held, 0, ended);
  } finally {
    closeSync(descriptor);
  }
}

/** The lines of a file that end in a line break, from byte `start` on, in order. */
export function* linesForward(path: string, start: number): Generator<LogLine> {
  const descriptor = openLog(path);
  try {
    let held: Held = { parts: [], length: 0 };
    let offset = start;
    for (let position = start; ; ) {
      const chunk = readChunk(descriptor, position, CHUNK);
      if (chunk.length === 0) return;
      position += chunk.length;
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        held = after(held, chunk.subarray(from, at));
        const line = lineOf(held, offset, true);
        yield line;
        offset = line.end;
        held = { parts: [], length: 0 };
        from = at + 1;
      }
      held = after(held, chunk.subarray(from));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** The bytes of a line so far; of one that is too long only the length is kept. */
interface Held {
  readonly parts: readonly Uint8Array[];
  readonly length: number;
}

function before(part: Uint8Array, { parts, length }: Held): Held {
  const total = length + part.length;
  return { parts: total > LONGEST_LINE ? [] : [part, ...parts], length: total };
}

function after({ parts, length }: Held, part: Uint8Array): Held {
  const total = length + part.length;
  return { parts: total > LONGEST_LINE ? [] : [...parts, part], length: total };
}

function lineOf({ parts, length }: Held, offset: number, ended: boolean): LogLine {
  return {
    text: length > LONGEST_LINE ? null : Buffer.concat(parts).toString('utf8'),
    offset,
    end: offset + length + (ended ? 1 : 0),
    ended,
  };
}

function openLog(path: string): number {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    if (fstatSync(descriptor).isFile()) return descriptor;
    closeSync(descriptor);
  } catch (error) {
    throw new LogError('log/file', `The decision log ${path} cannot be read (${systemCode(error)}).`);
  }
  throw new LogError('log/file', `The decision log ${path} is not a regular file.`);
}

/** Up to `length` bytes at `position`; fewer only at the end of the file. */
function readChunk(descriptor: number, position: number, length: number): Buffer {
  const chunk = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const got = readSync(descriptor, chunk, filled, length - filled, position + filled);
    if (got === 0) break;
    filled += got;
  }
  return chunk.subarray(0, filled);
}
