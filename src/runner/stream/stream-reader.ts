/** Reads a runner's standard output: bytes in, events out. */

import { isAscii } from 'node:buffer';
import { printable } from '../../agent/name.js';
import { isFields } from '../../call/fields.js';
import type { FinalEvent, StreamEvent, TokenUsage } from './stream-event.js';
import { failed, type RunnerExit, type StreamFormat, warning } from './stream-format.js';

export interface StreamReader {
  /** Returns the events of the lines that end in these bytes; the caller may reuse the bytes afterwards. */
  push(chunk: Uint8Array): readonly StreamEvent[];
  /** Returns the events of an unfinished last line, and the remaining ones; nothing if it is called again. */
  end(exit: RunnerExit): readonly StreamEvent[];
}

/** Maximum number of bytes in a line; longer lines are skipped. */
const LINE_LIMIT = 16 * 1024 * 1024;
/** Maximum number of values in a line, including member names: each takes up to a hundred bytes of memory, and at least two in the line. */
const VALUE_LIMIT = 500_000;
/** Maximum number of bytes shown of the first line that is no event. */
const SAMPLE = 1000;
const NEWLINE = 0x0a;
const NOT_ASCII = /[\x80-\xff]/g;
const BYTE_ORDER_MARK = '\ufeff';
/** Maximum number of bytes decoded at a time. */
const PIECE = 64 * 1024;

/**
 * Returns a reader for one run. It never throws, whatever the bytes are, and returns exactly one final event:
 *
 * - as soon as a line is final; ends reported by later lines are ignored (R133);
 * - from `end`, for formats without such a line, and for Claude Code and Qwen Code, whose last `result` is the final one;
 * - otherwise from `end`, as a failure that states how the process ended.
 *
 * A run that its runner reports as completed remains completed if the process then ends with an exit code other than 0: the work
 * was done, and a warning reports the code. Callers that need the exit code have it anyway.
 *
 * Lines that are no JSON objects are counted, and one warning reports them at the end: some runners write notices between their
 * events. A line of more than 16 MiB, or of more values than any event has, is skipped with a warning, so that memory is bounded.
 */
export function streamReader(format: StreamFormat, { lineLimit = LINE_LIMIT, valueLimit = VALUE_LIMIT } = {}): StreamReader {
  const parser = format.start();
  const foreign = foreignLines();
  let events: StreamEvent[] = [];
  const kept = unfinishedLine(lineLimit);
  const pieceLength = Math.min(PIECE, lineLimit);
  let isSkipping = false;
  let isFirst = true;
  let isStarted = false;
  let final: FinalEvent | null = null;
  let usage: TokenUsage | null = null;
  let isOver = false;

  function push(chunk: Uint8Array): readonly StreamEvent[] {
    if (isOver) return [];
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = 0; at < bytes.length; at += pieceLength) readPiece(bytes.subarray(at, at + pieceLength));
    return taken();
  }

  /** Lines within a piece are no longer than the piece, so only the part kept from one piece to the next can become too long. */
  function readPiece(piece: Buffer): void {
    const last = piece.lastIndexOf(NEWLINE);
    let start = 0;
    if (last !== -1 && (isSkipping || kept.length > 0)) {
      start = piece.indexOf(NEWLINE) + 1;
      keep(piece.subarray(0, start - 1));
      if (!isSkipping) readLine(keptText(), true);
      isSkipping = false;
      kept.clear();
    }
    if (start <= last) readLines(piece.subarray(start, last));
    keep(piece.subarray(last + 1));
  }

  function keep(bytes: Buffer): void {
    if (isSkipping) return;
    if (kept.fits(bytes.length)) kept.add(bytes);
    else {
      isSkipping = true;
      kept.clear();
      events.push(...warning(`A line of more than ${sizeOf(lineLimit)} was skipped.`));
    }
  }

  function keptText(): string {
    return kept.bytes.toString('utf8', 0, kept.length);
  }

  /** Decodes many lines as one string in which each character is a byte; only lines with non-ASCII characters are decoded separately. */
  function readLines(bytes: Buffer): void {
    const lines = bytes.toString('latin1');
    let notAscii = isAscii(bytes) ? lines.length : notAsciiIn(lines, 0);
    for (let at = 0; at <= lines.length; ) {
      const newline = lines.indexOf('\n', at);
      const end = newline === -1 ? lines.length : newline;
      const line = lines.slice(at, end);
      if (notAscii < at) notAscii = notAsciiIn(lines, at);
      if (!isIgnored(line)) readLine(notAscii >= end ? line : bytes.toString('utf8', at, end), true);
      at = end + 1;
    }
  }

  /** True for a line that begins like an ignored one and also ends as an object does. */
  function isIgnored(line: string): boolean {
    return line.endsWith('}') && format.ignored.test(line);
  }

  function readLine(line: string, hasEnded: boolean): void {
    if (line === '') return;
    const text = isFirst && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
    isFirst = false;
    if (beginsObject(text) && hasMoreValues(text, valueLimit)) {
      events.push(...warning(`A line of more than ${valueLimit} values was skipped.`));
      return;
    }
    const content = parsed(text);
    if (isFields(content)) accept(parser.read(content));
    else if (text.trim() !== '') foreign.add(text, hasEnded);
  }

  function accept(told: readonly StreamEvent[]): void {
    for (const event of told) {
      if (event.kind === 'final') {
        if (final !== null) continue;
        final = event;
      } else if (event.kind === 'started') {
        if (isStarted) continue;
        isStarted = true;
      } else if (event.kind === 'usage') usage = event.usage;
      events.push(event);
    }
  }

  function taken(): readonly StreamEvent[] {
    const all = events;
    events = [];
    return all;
  }

  function end(exit: RunnerExit): readonly StreamEvent[] {
    if (isOver) return [];
    isOver = true;
    readLine(keptText(), false);
    kept.clear();
    const told = parser.end(exit);
    accept(told.filter(({ kind }) => kind !== 'final'));
    const last = final ?? told.find((event) => event.kind === 'final') ?? failed(whyUnfinished(exit), usage);
    accept([...foreign.warnings(), ...afterwards(last, exit), last]);
    return taken();
  }

  return { push, end };
}

/** Returns the position of the first non-ASCII character from `from` on; the length of the text if there is none. */
function notAsciiIn(text: string, from: number): number {
  NOT_ASCII.lastIndex = from;
  return NOT_ASCII.exec(text)?.index ?? text.length;
}

/** Whether a line, read as JSON, contains more values than `limit`; determined without parsing, which would take the memory. */
function hasMoreValues(line: string, limit: number): boolean {
  if (line.length <= limit) return false;
  let values = 1;
  let isText = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charCodeAt(at);
    if (character === QUOTE) isText = !isText;
    else if (isText) {
      if (character === BACKSLASH) at += 1;
    } else if (character === COMMA || character === COLON || character === BRACKET || character === BRACE) {
      values += 1;
      if (values > limit) return true;
    }
  }
  return false;
}

const [QUOTE, COMMA, COLON, BRACKET, BACKSLASH, BRACE] = [0x22, 0x2c, 0x3a, 0x5b, 0x5c, 0x7b];

/** Maximum number of bytes of the buffer that is kept from line to line. */
const KEPT = 256 * 1024;

/** The bytes of a line that has not ended yet, up to a limit. */
function unfinishedLine(limit: number) {
  let bytes = Buffer.allocUnsafeSlow(0);
  let length = 0;
  return {
    get bytes() {
      return bytes;
    },
    get length() {
      return length;
    },
    fits: (more: number): boolean => length + more <= limit,
    add(more: Buffer): void {
      const needed = length + more.length;
      if (needed > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * length));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      more.copy(bytes, length);
      length = needed;
    },
    clear(): void {
      length = 0;
      if (bytes.length > KEPT) bytes = Buffer.allocUnsafeSlow(0);
    },
  };
}

function beginsObject(line: string): boolean {
  return line.startsWith('{') || /^\s*\{/.test(line);
}

/** Returns the JSON value of a line; undefined if it is not valid JSON or no object. */
function parsed(line: string): unknown {
  // Only an object can be an event, and another value may be deeply nested.
  if (!beginsObject(line)) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function foreignLines() {
  let count = 0;
  let sample = '';
  let isCut = false;
  return {
    add(line: string, hasEnded: boolean): void {
      if (!hasEnded) isCut = true;
      else {
        count += 1;
        if (count === 1) sample = printable(line.slice(0, SAMPLE).trim());
      }
    },
    warnings(): readonly StreamEvent[] {
      const lines =
        count === 1
          ? `A line of the output is no event: ${sample}`
          : `${count} lines of the output are no events, first: ${sample}`;
      return [...(count === 0 ? [] : warning(lines)), ...(isCut ? warning('The output ends in the middle of a line.') : [])];
    },
  };
}

/** Returns a warning if the end of the process contradicts a run reported as completed. */
function afterwards({ outcome }: FinalEvent, { code, signal }: RunnerExit): readonly StreamEvent[] {
  if (outcome === 'failed') return [];
  if (signal !== null) return warning(`The run was completed, but then signal ${printable(signal)} ended the runner.`);
  return code === null || code === 0 ? [] : warning(`The run was completed, but the runner ended with exit code ${code}.`);
}

function whyUnfinished({ code, signal }: RunnerExit): string {
  if (signal !== null) return `Signal ${printable(signal)} ended the runner before it gave a result.`;
  if (code === null) return 'The output ended without a result.';
  return `The runner ended with exit code ${code} without giving a result.`;
}

function sizeOf(bytes: number): string {
  return bytes % (1024 * 1024) === 0 ? `${bytes / (1024 * 1024)} MiB` : `${bytes} bytes`;
}
