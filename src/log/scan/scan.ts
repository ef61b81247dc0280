/**
 * Reads a whole log for its statistics, many times as fast as record by record. Most lines are never parsed (KnownLines). All
 * other lines take the slow path (readRecord), so that the same records are counted.
 */
import { type LogLine, linesForward, logFiles } from '../files/log-files.js';
import { openSegment } from '../files/segment.js';
import { hintOf, lacks, matchesFilter, mayHold, type RecordFilter, timePasses } from '../read/query.js';
import { type LogNote, readRecord } from '../read/read-record.js';
import { latin1Of } from '../record/bytes.js';
import type { LogRecord } from '../record/record.js';
import { bytesOf } from './bytes.js';
import { beginCall, KnownLines } from './known-lines.js';
import { type LineNumbers, lineNumbers, NONE, TIME_AT, TIME_LENGTH } from './line-fields.js';
import { addToHash } from './recent-calls.js';
import type { RecordCounter, RecordNumbers } from './record-counter.js';

const CHUNK = 262_144;
/** The same as in log-files.ts: a longer line contains no record. */
const LONGEST_LINE = 262_144;
/** At least this many bytes after the last line can be read. */
const MARGIN = 8;
const NEWLINE = 0x0a;

/**
 * Passes every record of the log that the filter selects to `counter`, oldest first, and reports every line without a record to
 * `note`. Throws LogError when the log cannot be read.
 */
export function scanLog<Session, Caller, Ruling, Tool>(
  stateDirectory: string,
  filter: RecordFilter,
  counter: RecordCounter<Session, Caller, Ruling, Tool>,
  note: (note: LogNote) => void,
): void {
  const scan = new Scan(filter, counter, note);
  for (const file of logFiles(stateDirectory)) if (mayHold(file, filter)) scan.file(file.path);
}

/** The same, newest first, until `isDone` returns true; does not report lines without a record. */
export function scanLogBackward<Session, Caller, Ruling, Tool>(
  stateDirectory: string,
  filter: RecordFilter,
  counter: RecordCounter<Session, Caller, Ruling, Tool>,
  isDone: () => boolean,
): void {
  const scan = new Scan(filter, counter, () => undefined);
  for (const file of logFiles(stateDirectory).reverse()) {
    if (mayHold(file, filter)) scan.fileBackward(file.path, isDone);
    if (isDone()) return;
  }
}

class Scan<Session, Caller, Ruling, Tool> {
  readonly #filter: RecordFilter;
  readonly #hint: string | null;
  readonly #counter: RecordCounter<Session, Caller, Ruling, Tool>;
  readonly #note: (note: LogNote) => void;
  readonly #buffer = bytesOf(CHUNK + LONGEST_LINE + MARGIN);
  readonly #numbers: LineNumbers & Pick<RecordNumbers, 'toolUseId' | 'record'> = {
    ...lineNumbers(),
    toolUseId: () => this.#toolUseId(),
    record: () => this.#record(),
  };
  readonly #known: KnownLines<Session, Caller, Ruling, Tool>;
  /** The counted record, if it was parsed; else its bytes are between these places of the buffer. */
  #parsed: LogRecord | null = null;
  #from = 0;
  #to = 0;

  constructor(filter: RecordFilter, counter: RecordCounter<Session, Caller, Ruling, Tool>, note: (note: LogNote) => void) {
    this.#filter = filter;
    this.#hint = hintOf(filter);
    this.#counter = counter;
    this.#note = note;
    this.#known = new KnownLines(this.#buffer, filter, counter, this.#numbers);
  }

  /** Reads all lines of a file. The text after its last line break, and a line that is too long, take the slow path. */
  file(path: string): void {
    const { bytes } = this.#buffer;
    const segment = openSegment(path);
    try {
      // `position` is the offset of the buffer in the file, `held` the number of its bytes that were read before.
      for (let [position, held] = [0, 0]; ; ) {
        const got = segment.readInto(bytes, held, position + held, CHUNK);
        const end = held + got;
        const done = this.#lines(path, position, end);
        position += done;
        held = end - done;
        if (got > 0 && held <= LONGEST_LINE) {
          bytes.copyWithin(0, done, end);
          continue;
        }
        const next = held === 0 ? null : this.#oneLine(path, position);
        if (next === null) return;
        position = next;
        held = 0;
      }
    } finally {
      segment.close();
    }
  }

  /** Reads the lines in the first `end` bytes of the buffer; returns how many bytes they take. */
  #lines(path: string, position: number, end: number): number {
    const { bytes } = this.#buffer;
    this.#known.forgetPlaces();
    for (let from = 0; ; ) {
      const behind = this.#known.read(from, end);
      if (behind !== NONE) {
        if (this.#known.passes && this.#isInTime(from)) this.#countLine(from, behind);
        from = behind;
        continue;
      }
      const at = bytes.indexOf(NEWLINE, from);
      if (at === -1 || at >= end) return from;
      const text = at - from > LONGEST_LINE ? null : bytes.toString('utf8', from, at);
      this.#slowLine(path, { text, offset: position + from, end: position + at + 1, ended: true }, from, end);
      from = at + 1;
    }
  }

  /** Reads the line at `position` of the file on the slow path. Returns the offset of the next one; null if there is none. */
  #oneLine(path: string, position: number): number | null {
    for (const line of linesForward(path, position, true)) {
      this.#slowLine(path, line, NONE, NONE);
      return line.ended ? line.end : null;
    }
    return null;
  }

  /** Reads the lines of a file from its end, until `isDone`. */
  fileBackward(path: string, isDone: () => boolean): void {
    const segment = openSegment(path);
    try {
      // The end of the unread part of the file, and whether that is within a line longer than any record.
      for (let [end, isCut] = [segment.size, false]; end > 0 && !isDone(); ) {
        const start = Math.max(0, end - CHUNK - LONGEST_LINE);
        const got = segment.readInto(this.#buffer.bytes, 0, start, end - start);
        const whole = isCut ? this.#beginningOf(got, start) : got;
        const left = whole === NONE ? NONE : this.#linesBackward(path, start, whole, isDone);
        isCut = left === NONE || left === got;
        end = isCut ? start : start + left;
      }
    } finally {
      segment.close();
    }
  }

  /**
   * Reads the lines in the first `end` bytes of the buffer, which begin at `start` in the file; returns how many bytes of an
   * incomplete line are left.
   */
  #linesBackward(path: string, start: number, end: number, isDone: () => boolean): number {
    const { bytes } = this.#buffer;
    this.#known.forgetPlaces();
    for (let to = end; to > 0; ) {
      const from = this.#beginningOf(to, start);
      if (from === NONE || isDone()) return to;
      if (this.#known.read(from, to) === to) {
        if (this.#known.passes && this.#isInTime(from)) this.#countLine(from, to);
      } else {
        const ended = bytes[to - 1] === NEWLINE;
        const textEnd = ended ? to - 1 : to;
        const text = textEnd - from > LONGEST_LINE ? null : bytes.toString('utf8', from, textEnd);
        this.#slowLine(path, { text, offset: start + from, end: start + to, ended }, from, to);
      }
      to = from;
    }
    return 0;
  }

  /** Returns the beginning of the line that ends at `to`; -1 if that is not in the buffer, which begins at `start` in the file. */
  #beginningOf(to: number, start: number): number {
    const at = to < 2 ? NONE : this.#buffer.bytes.lastIndexOf(NEWLINE, to - 2);
    return at === NONE && start > 0 ? NONE : at + 1;
  }

  /** Counts the records that readRecord finds in a line. If the line is at `from` in the buffer, its parts are known from then on. */
  #slowLine(path: string, line: LogLine, from: number, end: number): void {
    const lacksHint = lacks(line, this.#hint);
    for (const found of readRecord(path, line)) {
      if ('record' in found && found.record.kind !== 'event' && from !== NONE && line.text !== null)
        this.#known.learn(found.record, line.text, from, end);
      if (lacksHint) continue;
      if ('note' in found) this.#note(found.note);
      else if (matchesFilter(found.record, this.#filter)) this.#countRecord(found.record);
    }
  }

  /** Counts the line between two places of the buffer, which was read last. */
  #countLine(from: number, to: number): void {
    this.#parsed = null;
    this.#from = from;
    this.#to = to;
    this.#known.count(this.#numbers);
  }

  #countRecord(record: LogRecord): void {
    const counter = this.#counter;
    const numbers = this.#numbers;
    this.#parsed = record;
    numbers.date = Number.NaN;
    numbers.day = Number(record.time.slice(0, 10).replaceAll('-', ''));
    numbers.clock = Number(record.time.slice(11, 23).replaceAll(/[:.]/g, ''));
    numbers.us = -1;
    numbers.hasCall = false;
    const session = counter.sessionOf(record.session);
    const caller = counter.callerOf(record);
    if (record.kind === 'event') {
      counter.addEvent(record, session, caller, numbers);
      return;
    }
    numbers.us = record.us ?? -1;
    numbers.hasCall = record.toolUseId !== null;
    beginCall(numbers.call, record.session);
    addToHash(numbers.call, Buffer.from(record.toolUseId ?? ''));
    counter.add(session, caller, counter.rulingOf(record), counter.toolOf(record), numbers);
  }

  #toolUseId(): string | null {
    if (this.#parsed !== null) return this.#parsed.kind === 'event' ? null : this.#parsed.toolUseId;
    const { hasCall, idFrom, idTo } = this.#numbers;
    return hasCall ? latin1Of(this.#buffer.bytes, idFrom, idTo) : null;
  }

  #record(): LogRecord | null {
    if (this.#parsed !== null) return this.#parsed;
    const text = this.#buffer.bytes.toString('utf8', this.#from, this.#to);
    const [found] = readRecord('', { text, offset: 0, end: 0, ended: true });
    return found !== undefined && 'record' in found ? found.record : null;
  }

  #isInTime(from: number): boolean {
    const { since, until } = this.#filter;
    if (since === undefined && until === undefined) return true;
    return timePasses(latin1Of(this.#buffer.bytes, from + TIME_AT, from + TIME_AT + TIME_LENGTH), this.#filter);
  }
}
