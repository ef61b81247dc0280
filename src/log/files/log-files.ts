/** The files of a decision log, and their lines: forward or backward, in chunks, with at most one line in memory. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { logDirectory, sealedDirectory } from './directory.js';
import { LogError, systemCode } from './log-error.js';
import { openSegment } from './segment.js';

export interface LogFile {
  readonly path: string;
  /** Its name while it is still written to: `decisions-2026-01-31.jsonl`. */
  readonly name: string;
  /** The day of its records, `2026-01-31`. */
  readonly day: string;
  readonly part: number;
  /** The number that sealing gave it when it was archived; null while it is still written to. */
  readonly serial: number | null;
  readonly packed: boolean;
}

/** A line, its position in the file, and whether it ended in a line break. */
export interface LogLine {
  /** Null if the line is longer than any record. */
  readonly text: string | null;
  readonly offset: number;
  /** Offset after its line break, or after its last byte if it has none. */
  readonly end: number;
  readonly ended: boolean;
}

const NAME = /^(decisions-(\d{4}-\d{2}-\d{2})(?:-([1-9]\d{0,4}))?)(?:\.s([1-9]\d{0,8}))?\.jsonl(\.gz)?$/;
const CHUNK = 65_536;
const LONGEST_LINE = 262_144;
const NEWLINE = 0x0a;

/**
 * Returns the files of a state directory's log, oldest first; none if nothing was logged yet. Throws LogError when the folder
 * cannot be read.
 */
export function logFiles(stateDirectory: string): LogFile[] {
  const files = [...openFiles(stateDirectory), ...sealedFiles(stateDirectory)];
  return files.sort((a, b) => compare(a.day, b.day) || a.part - b.part || (a.serial ?? Infinity) - (b.serial ?? Infinity));
}

/** Returns the files that are still written to. */
export function openFiles(stateDirectory: string): LogFile[] {
  return filesIn(logDirectory(stateDirectory)).filter(({ serial, packed }) => serial === null && !packed);
}

/** Returns the archived files. While a file is being packed, it exists twice: only the unpacked one is returned. */
export function sealedFiles(stateDirectory: string): LogFile[] {
  const found = filesIn(sealedDirectory(stateDirectory)).filter(({ serial }) => serial !== null);
  const plain = new Set(found.filter(({ packed }) => !packed).map(({ path }) => path));
  return found.filter(({ path, packed }) => !packed || !plain.has(path.slice(0, -'.gz'.length)));
}

/** Returns the name of an archived, unpacked file. */
export function sealedName(name: string, serial: number): string {
  return `${name.slice(0, -'.jsonl'.length)}.s${serial}.jsonl`;
}

function filesIn(folder: string): LogFile[] {
  return namesInLogFolder(folder).flatMap((file) => {
    const [, name, day, part, serial, packed] = NAME.exec(file) ?? [];
    if (name === undefined || day === undefined) return [];
    return [
      {
        path: join(folder, file),
        name: `${name}.jsonl`,
        day,
        part: Number(part ?? 0),
        serial: serial === undefined ? null : Number(serial),
        packed: packed !== undefined,
      },
    ];
  });
}

function compare(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Returns the names in a folder of the log; none if it does not exist. Throws LogError when it cannot be read. */
export function namesInLogFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw new LogError('log/directory', `The decision log ${folder} cannot be read (${systemCode(error)}).`);
  }
}

/** Yields the lines of a file that begin before `end` (default: all), last line first. Throws LogError for a file that cannot be read. */
export function* linesBackward(path: string, end?: number): Generator<LogLine> {
  const segment = openSegment(path);
  try {
    const size = Math.min(end ?? Number.POSITIVE_INFINITY, segment.size);
    let held: Held = { parts: [], length: 0 };
    let ended = false;
    for (let position = size; position > 0; ) {
      const chunk = segment.read(Math.max(0, position - CHUNK), Math.min(CHUNK, position));
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
    segment.close();
  }
}

/**
 * Yields the lines of a file that end in a line break, from byte `start` on, in order.
 * @param rest also yield the text after the last line break
 */
export function* linesForward(path: string, start: number, rest = false): Generator<LogLine> {
  const segment = openSegment(path);
  try {
    let held: Held = { parts: [], length: 0 };
    let offset = start;
    for (let position = start; ; ) {
      const chunk = segment.read(position, CHUNK);
      if (chunk.length === 0) {
        if (rest && held.length > 0) yield lineOf(held, offset, false);
        return;
      }
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
    segment.close();
  }
}

/**
 * Calls `visit` for each line that ends in a line break, from byte `start` on, with the position of its first bytes (at most
 * `most`, valid until `visit` returns) and the length of the line including its line break. Stops when `visit` returns false.
 * Much faster than linesForward if the rest of a line does not matter.
 */
export function visitLineHeads(
  path: string,
  start: number,
  most: number,
  visit: (bytes: Uint8Array, from: number, to: number, length: number) => boolean,
): void {
  const segment = openSegment(path);
  try {
    // A chunk, directly preceded by the beginning of the line that it continues.
    const bytes = Buffer.alloc(most + CHUNK);
    let [held, before] = [0, 0];
    for (let position = start; ; ) {
      const got = segment.readInto(bytes, most, position, CHUNK);
      if (got === 0) return;
      const end = most + got;
      let [head, from] = [most - held, most];
      for (let at = bytes.indexOf(NEWLINE, from); at !== -1 && at < end; at = bytes.indexOf(NEWLINE, from)) {
        if (!visit(bytes, head, Math.min(at, head + most), before + at + 1 - from)) return;
        before = 0;
        from = at + 1;
        head = from;
      }
      before += end - from;
      held = Math.min(most, end - head);
      bytes.copyWithin(most - held, head, head + held);
      position += got;
    }
  } finally {
    segment.close();
  }
}

/** The bytes of a line so far; for a line that is too long only the length. */
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
