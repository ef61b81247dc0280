/** The files of a decision log, and their lines: forwards or backwards, in chunks, never more than one line in memory. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { logDirectory, sealedDirectory } from './directory.js';
import { LogError, systemCode } from './log-error.js';
import { openSegment } from './segment.js';

export interface LogFile {
  readonly path: string;
  /** Its name while it is written to: `decisions-2026-01-31.jsonl`. */
  readonly name: string;
  /** The day of its records, `2026-01-31`. */
  readonly day: string;
  readonly part: number;
  /** The number that sealing gave it when it was put away; null while it is written to. */
  readonly serial: number | null;
  readonly packed: boolean;
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

const NAME = /^(decisions-(\d{4}-\d{2}-\d{2})(?:-([1-9]\d{0,4}))?)(?:\.s([1-9]\d{0,8}))?\.jsonl(\.gz)?$/;
const CHUNK = 65_536;
const LONGEST_LINE = 262_144;
const NEWLINE = 0x0a;

/** The files of a state directory's log, oldest first; none when nothing was logged yet. Throws LogError when it cannot be read. */
export function logFiles(stateDirectory: string): LogFile[] {
  const files = [...openFiles(stateDirectory), ...sealedFiles(stateDirectory)];
  return files.sort((a, b) => compare(a.day, b.day) || a.part - b.part || (a.serial ?? Infinity) - (b.serial ?? Infinity));
}

/** The files that are written to. */
export function openFiles(stateDirectory: string): LogFile[] {
  return filesIn(logDirectory(stateDirectory)).filter(({ serial, packed }) => serial === null && !packed);
}

/** The files that were put away. While one is being packed there are two of it: the whole one counts. */
export function sealedFiles(stateDirectory: string): LogFile[] {
  const found = filesIn(sealedDirectory(stateDirectory)).filter(({ serial }) => serial !== null);
  const plain = new Set(found.filter(({ packed }) => !packed).map(({ path }) => path));
  return found.filter(({ path, packed }) => !packed || !plain.has(path.slice(0, -'.gz'.length)));
}

/** The name of a file that was put away, not packed. */
export function sealedName(name: string, serial: number): string {
  return `${name.slice(0, -'.jsonl'.length)}.s${serial}.jsonl`;
}

function filesIn(folder: string): LogFile[] {
  return namesIn(folder).flatMap((file) => {
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

/** What lies in a folder of the log; nothing when there is none. Throws LogError when it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw new LogError('log/directory', `The decision log ${folder} cannot be read (${systemCode(error)}).`);
  }
}

/** The lines of a file that begin before `end` (default: all), last line first. Throws LogError for what is no readable file. */
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
 * The lines of a file that end in a line break, from byte `start` on, in order.
 * @param rest also what stands behind the last line break
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
 * Tells `visit` of each line that ends in a line break, from byte `start` on: where its first bytes lie, at most `most`, which are valid
 * until it returns, and how many bytes the line has with its line break. False from `visit` ends it. Much quicker than linesForward
 * where the rest of a line does not matter.
 */
export function visitLineHeads(
  path: string,
  start: number,
  most: number,
  visit: (bytes: Uint8Array, from: number, to: number, length: number) => boolean,
): void {
  const segment = openSegment(path);
  try {
    // A chunk, and before it, without a gap, how the line begins that it continues.
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
