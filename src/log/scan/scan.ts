/**
 * Reads a whole log for its numbers, many times as fast as record by record. A line that consists of parts which are known from
 * lines before, and of ids, texts and numbers that are looked through here byte by byte, is never parsed. Every other line goes the
 * slow way (readRecord), so that what is counted is the same.
 */
import { type LogLine, linesForward, logFiles } from '../files/log-files.js';
import { openSegment } from '../files/segment.js';
import {
  hintOf,
  lacks,
  matchesFilter,
  mayHold,
  originPasses,
  type RecordFilter,
  rulingPasses,
  sessionPasses,
  timePasses,
  toolPasses,
} from '../query.js';
import { latin1Of, utf8Length } from '../record/bytes.js';
import { jsonLine } from '../record/json-line.js';
import { type LogNote, readRecord } from '../record/read-record.js';
import type { DecisionRecord, EventRecord, LogRecord, ResultRecord } from '../record/record.js';
import { type Bytes, bytesOf, patternOf, standsAt } from './bytes.js';
import { asciiEnd, digitsEnd, isHex, stringEnd, valueEnd } from './json-bytes.js';
import { KnownParts } from './known-parts.js';
import { addToHash, beginHash, type CallHash } from './recent-calls.js';

/** A record about a tool call. */
export type CallRecord = DecisionRecord | ResultRecord;

/**
 * What counts the records. Much of a record is the same in many others; what follows from that is made once for all of them, from the
 * first record that has it: of the session, of who it is about (`runner`, `agent`, `model`, `project`, `cwd`), of what was ruled (from
 * `kind` to `reasons`), and of the tool (`tool`, `canonical`).
 */
export interface RecordCounter<Session, Origin, Ruling, Tool> {
  readonly sessionOf: (session: string | null) => Session;
  readonly originOf: (record: LogRecord) => Origin;
  readonly rulingOf: (record: CallRecord) => Ruling;
  readonly toolOf: (record: CallRecord) => Tool;
  /** Counts a record about a call. `numbers` is only valid until it returns. */
  readonly add: (session: Session, origin: Origin, ruling: Ruling, tool: Tool, numbers: RecordNumbers) => void;
  readonly addEvent: (record: EventRecord, session: Session, origin: Origin, numbers: RecordNumbers) => void;
}

/** What is different in each record. */
export interface RecordNumbers {
  /** The day as a number: 20260131. */
  readonly day: number;
  /** The time of day as a number: 235959999. */
  readonly clock: number;
  /** Microseconds; -1 where the record says none. */
  readonly us: number;
  /** The record has a toolUseId, and `call` is the hash of session and toolUseId. */
  readonly hasCall: boolean;
  readonly call: Readonly<CallHash>;
  readonly toolUseId: () => string | null;
  /** The whole record; costs parsing it. Null would be a mistake of the scan: all that is counted is a record. */
  readonly record: () => LogRecord | null;
}

const CHUNK = 262_144;
/** The same as in log-files.ts: a longer line holds no record. */
const LONGEST_LINE = 262_144;
/** So many bytes behind the last line can be read. */
const MARGIN = 8;
const NONE = -1;
const [NEWLINE, QUOTE, CLOSE_BRACE, COMMA, COLON, POINT, DASH] = [0x0a, 0x22, 0x7d, 0x2c, 0x3a, 0x2e, 0x2d];
const [ZERO, SEVEN, UPPER_T, UPPER_Z, LOWER_D] = [0x30, 0x37, 0x54, 0x5a, 0x64];

/**
 * Gives every record of the log that the filter chooses to `counter`, oldest first, and every line that holds none to `note`. Throws
 * LogError when the log cannot be read.
 */
export function scanLog<Session, Origin, Ruling, Tool>(
  stateDirectory: string,
  filter: RecordFilter,
  counter: RecordCounter<Session, Origin, Ruling, Tool>,
  note: (note: LogNote) => void,
): void {
  const scan = new Scan(filter, counter, note);
  for (const file of logFiles(stateDirectory)) if (mayHold(file, filter)) scan.file(file.path);
}

/** What was learned from a part of a line, and whether the filter lets pass what has it. */
interface Known<Meaning> {
  readonly meaning: Meaning;
  readonly passes: boolean;
}

interface KnownSession<Meaning> extends Known<Meaning> {
  readonly hash: Readonly<CallHash>;
}

const HEAD = {
  beginning: patternOf('{"v":1,"id":"'),
  id: 36,
  beforeTime: patternOf('","time":"'),
  time: 24,
} as const;
const TIME_AT = HEAD.beginning.length + HEAD.id + HEAD.beforeTime.length;
const HEAD_LENGTH = TIME_AT + HEAD.time + 2;
const NULL = patternOf('null');
const BEFORE_SESSION = patternOf('"session":');
const NO_SESSION = patternOf('null,');
const BEFORE_ID = patternOf(',"toolUseId":');
/** Where the kind's first letter stands behind `"kind":"`. */
const KIND_AT = 8;
const DIGEST_LENGTH = 64;
/** Characters that the schema allows at most; no text has fewer bytes than characters. */
const MOST = { message: 512, id: 200 } as const;
/** A number of more digits is read by JSON.parse. */
const MOST_DIGITS = 15;

class Scan<Session, Origin, Ruling, Tool> {
  readonly #filter: RecordFilter;
  readonly #hint: string | null;
  readonly #counter: RecordCounter<Session, Origin, Ruling, Tool>;
  readonly #note: (note: LogNote) => void;
  readonly #buffer = bytesOf(CHUNK + LONGEST_LINE + MARGIN);
  readonly #numbers: Numbers = {
    day: 0,
    clock: 0,
    us: 0,
    hasCall: false,
    call: { high: 0, low: 0 },
    date: Number.NaN,
    minute: Number.NaN,
    minutes: 0,
    idFrom: 0,
    idTo: 0,
    toolUseId: () => this.#toolUseId(),
    record: () => this.#record(),
  };
  /** The record that is counted, when it was parsed; else it lies between these places of the buffer. */
  #parsed: LogRecord | null = null;
  #from = 0;
  #to = 0;
  /** A session's id in quotes, and the comma behind it. */
  readonly #sessions = new KnownParts<KnownSession<Session>>(0, 4);
  readonly #noSession: KnownSession<Session>;
  /** From `"runner":` up to `"kind":`. */
  readonly #origins = new KnownParts<Known<Origin>>(8, 40);
  /** From `"kind":` up to the message: of decisions and of results. */
  readonly #decisions = new KnownParts<Known<Ruling>>(44, 92);
  readonly #results = new KnownParts<Known<Ruling>>(8, 40);
  /** From `"tool":` up to the input. */
  readonly #tools = new KnownParts<Known<Tool>>(8, 28);
  /** From `"masked":` up to the digest. */
  readonly #pointers = new KnownParts<null>(8, 44);
  /** From behind the digest up to the microseconds: of decisions and of results. */
  readonly #decisionEnds = new KnownParts<null>(0, 8);
  readonly #resultEnds = new KnownParts<null>(0, 4);

  /** Where the session that was read last ends. */
  #behindSession = 0;

  constructor(filter: RecordFilter, counter: RecordCounter<Session, Origin, Ruling, Tool>, note: (note: LogNote) => void) {
    this.#filter = filter;
    this.#hint = hintOf(filter);
    this.#counter = counter;
    this.#note = note;
    this.#noSession = this.#session(null);
  }

  /** All lines of a file. What stands behind its last line break, and a line that is too long, are read the slow way. */
  file(path: string): void {
    const { bytes } = this.#buffer;
    const segment = openSegment(path);
    try {
      // `position` is where in the file the buffer begins, `held` how much of it was read before.
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

  /** The lines in the first `end` bytes of the buffer; gives how many bytes they take. */
  #lines(path: string, position: number, end: number): number {
    const { bytes } = this.#buffer;
    for (let from = 0; ; ) {
      const behind = this.#countLine(from, end);
      if (behind !== NONE) {
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

  /** Reads the line at `position` of the file the slow way. Gives where the next one begins; null when there is none. */
  #oneLine(path: string, position: number): number | null {
    for (const line of linesForward(path, position, true)) {
      this.#slowLine(path, line, NONE, NONE);
      return line.ended ? line.end : null;
    }
    return null;
  }

  /** Counts what readRecord finds in a line. The parts of one that stands at `from` in the buffer are known from then on. */
  #slowLine(path: string, line: LogLine, from: number, end: number): void {
    const lacksHint = lacks(line, this.#hint);
    for (const found of readRecord(path, line)) {
      if ('record' in found && found.record.kind !== 'event' && from !== NONE) this.#learn(found.record, line.text, from, end);
      if (lacksHint) continue;
      if ('note' in found) this.#note(found.note);
      else if (matchesFilter(found.record, this.#filter)) this.#countRecord(found.record);
    }
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
    const origin = counter.originOf(record);
    if (record.kind === 'event') {
      counter.addEvent(record, session, origin, numbers);
      return;
    }
    numbers.us = record.us ?? -1;
    numbers.hasCall = record.toolUseId !== null;
    beginCall(numbers.call, record.session);
    addToHash(numbers.call, Buffer.from(record.toolUseId ?? ''));
    counter.add(session, origin, counter.rulingOf(record), counter.toolOf(record), numbers);
  }

  /** Remembers the parts of a line that is exactly as our writer writes its record. */
  #learn(record: CallRecord, text: string | null, from: number, end: number): void {
    const parts = partsOf(record);
    if (text === null || text.slice(HEAD_LENGTH) !== parts.join('')) return;
    const [session, origin, ruling, message, tool, input, pointers, digest, last] = parts;
    const [buffer, filter, counter] = [this.#buffer, this.#filter, this.#counter];
    const isDecision = record.kind === 'decision';
    let at = from + HEAD_LENGTH + utf8Length(session);
    const learn = <Meaning>(known: KnownParts<Meaning>, part: string, meaning: () => Meaning) => {
      if (known.find(buffer, at, end) === null) known.learn(buffer, at, end, part, meaning());
      at += utf8Length(part);
    };
    learn(this.#origins, origin, () => ({ meaning: counter.originOf(record), passes: originPasses(record, filter) }));
    learn(isDecision ? this.#decisions : this.#results, ruling, () => ({
      meaning: counter.rulingOf(record),
      passes: rulingPasses(record, filter),
    }));
    at += utf8Length(message);
    learn(this.#tools, tool, () => ({ meaning: counter.toolOf(record), passes: toolPasses(record, filter) }));
    at += utf8Length(input);
    learn(this.#pointers, pointers, () => null);
    at += digest.length;
    learn(isDecision ? this.#decisionEnds : this.#resultEnds, last, () => null);
  }

  /**
   * Counts the line at `from` when all of it is known, or can be looked through; gives the place behind its line break. -1: it has to be
   * read the slow way.
   */
  #countLine(from: number, end: number): number {
    const buffer = this.#buffer;
    const { bytes } = buffer;
    const numbers = this.#numbers;
    if (!readHead(buffer, from, end, numbers)) return NONE;
    const session = this.#readSession(from + HEAD_LENGTH, end);
    if (session === null) return NONE;
    let at = this.#behindSession;
    const origin = this.#origins.find(buffer, at, end);
    if (origin === null) return NONE;
    at += origin.pattern.length;
    const isDecision = bytes[at + KIND_AT] === LOWER_D;
    const ruling = (isDecision ? this.#decisions : this.#results).find(buffer, at, end);
    if (ruling === null) return NONE;
    at = messageEnd(buffer, at + ruling.pattern.length, end);
    if (at === NONE || !standsAt(buffer, at, end, BEFORE_ID)) return NONE;
    at = readId(buffer, at + BEFORE_ID.length, end, session.hash, numbers);
    if (at === NONE || bytes[at] !== COMMA) return NONE;
    const tool = this.#tools.find(buffer, at + 1, end);
    if (tool === null) return NONE;
    at = valueEnd(buffer, at + 1 + tool.pattern.length, end);
    if (at === NONE || bytes[at] !== COMMA) return NONE;
    const pointers = this.#pointers.find(buffer, at + 1, end);
    if (pointers === null) return NONE;
    at += 1 + pointers.pattern.length;
    if (at + DIGEST_LENGTH > end || !isHex(buffer, at, DIGEST_LENGTH)) return NONE;
    at += DIGEST_LENGTH;
    const last = (isDecision ? this.#decisionEnds : this.#resultEnds).find(buffer, at, end);
    if (last === null) return NONE;
    at = readMicroseconds(buffer, at + last.pattern.length, end, isDecision, numbers);
    if (at === NONE || at + 2 > end || bytes[at] !== CLOSE_BRACE || bytes[at + 1] !== NEWLINE) return NONE;
    if (session.passes && origin.meaning.passes && ruling.meaning.passes && tool.meaning.passes && this.#isInTime(from)) {
      this.#parsed = null;
      this.#from = from;
      this.#to = at + 1;
      this.#counter.add(session.meaning, origin.meaning.meaning, ruling.meaning.meaning, tool.meaning.meaning, numbers);
    }
    return at + 2;
  }

  /** The session of a line whose head ends at `at`; null when its id is not of ASCII without a backslash. */
  #readSession(at: number, end: number): KnownSession<Session> | null {
    const buffer = this.#buffer;
    if (!standsAt(buffer, at, end, BEFORE_SESSION)) return null;
    const start = at + BEFORE_SESSION.length;
    if (standsAt(buffer, start, end, NO_SESSION)) {
      this.#behindSession = start + NO_SESSION.length;
      return this.#noSession;
    }
    const known = this.#sessions.find(buffer, start, end);
    if (known !== null) {
      this.#behindSession = start + known.pattern.length;
      return known.meaning;
    }
    const behind = quotedEnd(buffer.bytes, start, end);
    if (behind === NONE || behind >= end || buffer.bytes[behind] !== COMMA) return null;
    const text = latin1Of(buffer.bytes, start, behind + 1);
    const session = this.#session(text.slice(1, -2));
    this.#sessions.learn(buffer, start, end, text, session);
    this.#behindSession = behind + 1;
    return session;
  }

  #session(session: string | null): KnownSession<Session> {
    const hash = { high: 0, low: 0 };
    beginCall(hash, session);
    return { meaning: this.#counter.sessionOf(session), passes: sessionPasses(session, this.#filter), hash };
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
    return timePasses(latin1Of(this.#buffer.bytes, from + TIME_AT, from + TIME_AT + HEAD.time), this.#filter);
  }
}

type Numbers = { -readonly [Key in 'day' | 'clock' | 'us' | 'hasCall']: RecordNumbers[Key] } & {
  readonly call: CallHash;
  readonly toolUseId: RecordNumbers['toolUseId'];
  readonly record: RecordNumbers['record'];
  /** Where the last toolUseId lies in the buffer. */
  idFrom: number;
  idTo: number;
  /** The first and the second eight characters of the last time, as the numbers that they would be; and its hour and minute. */
  date: number;
  minute: number;
  minutes: number;
};

/** The text of a record behind its head in parts; they make up the line when our writer wrote it. */
function partsOf(record: CallRecord) {
  const { session, runner, agent, model, project, cwd, run, version, kind, message, toolUseId, tool, canonical, input } = record;
  const { us, masked, truncated, erased, digest } = record;
  const ruling =
    record.kind === 'result'
      ? { kind, result: record.result }
      : {
          kind,
          mode: record.mode,
          decision: record.decision,
          ...(record.would !== undefined && { would: record.would }),
          stage: record.stage,
          rule: record.rule,
          reasons: record.reasons,
        };
  const colon = digest.indexOf(':') + 1;
  const { policy, permissionMode } = record.kind === 'decision' ? record : { policy: null, permissionMode: null };
  return [
    `"session":${jsonLine(session)},`,
    `${membersOf({ runner, agent, model, project, cwd, ...(run !== undefined && { run }), version })},`,
    `${membersOf(ruling)},"message":`,
    `${jsonLine(message)},"toolUseId":${jsonLine(toolUseId)},`,
    `${membersOf({ tool, canonical })},"input":`,
    `${jsonLine(input)},`,
    `${membersOf({ masked, truncated, erased })},"digest":"${digest.slice(0, colon)}`,
    digest.slice(colon),
    record.kind === 'decision' ? `",${membersOf({ policy, permissionMode })},"us":` : '","us":',
    `${us}}`,
  ] as const;
}

/** The members of an object as they stand in a line. */
function membersOf(value: object): string {
  return jsonLine(value).slice(1, -1);
}

function beginCall(hash: CallHash, session: string | null): void {
  beginHash(hash);
  addToHash(hash, Buffer.from(`${session ?? ''}\n`));
}

/** True when the line at `from` begins as every record does; its time is then in `numbers`. */
function readHead(buffer: Bytes, from: number, end: number, numbers: Numbers): boolean {
  if (from + HEAD_LENGTH > end || !standsAt(buffer, from, end, HEAD.beginning)) return false;
  const id = from + HEAD.beginning.length;
  if (!isId(buffer, id) || !standsAt(buffer, id + HEAD.id, end, HEAD.beforeTime)) return false;
  return readTime(buffer, from + TIME_AT, numbers);
}

/** Reads a time and the quote and comma behind it. Most lines are of the minute of the line before. */
function readTime({ bytes, view }: Bytes, at: number, numbers: Numbers): boolean {
  if (view.getFloat64(at, true) !== numbers.date || view.getFloat64(at + 8, true) !== numbers.minute) {
    const isMinute = bytes[at + 4] === DASH && bytes[at + 7] === DASH && bytes[at + 10] === UPPER_T && bytes[at + 13] === COLON;
    const [year, month, day] = [digits(bytes, at, at + 4), digits(bytes, at + 5, at + 7), digits(bytes, at + 8, at + 10)];
    const [hour, minute] = [digits(bytes, at + 11, at + 13), digits(bytes, at + 14, at + 16)];
    if (!isMinute || Number.isNaN(year + month + day + hour + minute)) return false;
    numbers.day = 10_000 * year + 100 * month + day;
    numbers.minutes = 10_000_000 * hour + 100_000 * minute;
    numbers.date = view.getFloat64(at, true);
    numbers.minute = view.getFloat64(at + 8, true);
  }
  numbers.clock = numbers.minutes + 1_000 * digits(bytes, at + 17, at + 19) + digits(bytes, at + 20, at + 23);
  return (
    bytes[at + 16] === COLON &&
    bytes[at + 19] === POINT &&
    bytes[at + 23] === UPPER_Z &&
    bytes[at + 24] === QUOTE &&
    bytes[at + 25] === COMMA &&
    !Number.isNaN(numbers.clock)
  );
}

/** True for a UUID of version 7 at `at`: its groups of digits, and what stands between them. */
function isId(buffer: Bytes, at: number): boolean {
  const { bytes } = buffer;
  const variant = bytes[at + 19] ?? 0;
  return (
    bytes[at + 8] === DASH &&
    bytes[at + 13] === DASH &&
    bytes[at + 14] === SEVEN &&
    bytes[at + 18] === DASH &&
    bytes[at + 23] === DASH &&
    (variant === 0x38 || variant === 0x39 || variant === 0x61 || variant === 0x62) &&
    isHex(buffer, at, 8) &&
    isHex(buffer, at + 9, 4) &&
    isHex(buffer, at + 14, 4) &&
    isHex(buffer, at + 19, 4) &&
    isHex(buffer, at + 24, 12)
  );
}

/** The number that the digits from `from` up to `to` write; NaN when another byte is among them. */
function digits(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = 10 * value + digit;
  }
  return value;
}

function messageEnd(buffer: Bytes, at: number, end: number): number {
  if (buffer.bytes[at] !== QUOTE) return standsAt(buffer, at, end, NULL) ? at + NULL.length : NONE;
  const behind = stringEnd(buffer, at, end);
  return behind - at - 2 > MOST.message ? NONE : behind;
}

/** Reads a toolUseId that is null, or of ASCII without a backslash. */
function readId(buffer: Bytes, at: number, end: number, session: Readonly<CallHash>, numbers: Numbers): number {
  const { bytes } = buffer;
  numbers.hasCall = bytes[at] === QUOTE;
  if (!numbers.hasCall) return standsAt(buffer, at, end, NULL) ? at + NULL.length : NONE;
  const behind = quotedEnd(bytes, at, end);
  if (behind === NONE) return NONE;
  numbers.idFrom = at + 1;
  numbers.idTo = behind - 1;
  beginHash(numbers.call, session);
  addToHash(numbers.call, bytes, numbers.idFrom, numbers.idTo);
  return behind;
}

/** The place behind an id in quotes at `at`, of ASCII without a backslash; -1 when there is none. */
function quotedEnd(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] !== QUOTE) return NONE;
  const behind = asciiEnd(bytes, at + 1, Math.min(end, at + 2 + MOST.id));
  return behind < end && bytes[behind] === QUOTE ? behind + 1 : NONE;
}

/** Reads microseconds as we write them: digits, and only the tool of a result may have taken an unknown time. */
function readMicroseconds(buffer: Bytes, at: number, end: number, isDecision: boolean, numbers: Numbers): number {
  const { bytes } = buffer;
  numbers.us = -1;
  if (!isDecision && standsAt(buffer, at, end, NULL)) return at + NULL.length;
  const behind = digitsEnd(bytes, at, end);
  if (behind === at || behind - at > MOST_DIGITS || (bytes[at] === ZERO && behind > at + 1)) return NONE;
  numbers.us = digits(bytes, at, behind);
  return behind;
}
