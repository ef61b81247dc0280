/** The fields of a line that differ in each record: they are scanned byte by byte. -1 means that there is no such field. */
import { type Bytes, patternOf, standsAt } from './bytes.js';
import { asciiEnd, isHex, stringEnd } from './json-bytes.js';
import { addToHash, beginHash, type CallHash } from './recent-calls.js';
import type { RecordNumbers } from './record-counter.js';

export const NONE = -1;

/** The values read from a line, in addition to its known parts. */
export type LineNumbers = { -readonly [Key in 'day' | 'clock' | 'us' | 'hasCall']: RecordNumbers[Key] } & {
  readonly call: CallHash;
  /** Position of the last toolUseId in the buffer. */
  idFrom: number;
  idTo: number;
  /** The first and the second eight characters of the last time, as floating-point numbers; and its hour and minute. */
  date: number;
  minute: number;
  minutes: number;
};

export function lineNumbers(): LineNumbers {
  const call = { high: 0, low: 0 };
  return { day: 0, clock: 0, us: 0, hasCall: false, call, idFrom: 0, idTo: 0, date: Number.NaN, minute: Number.NaN, minutes: 0 };
}

/** Maximum numbers of characters in the schema; no text has fewer bytes than characters. */
export const MOST = { name: 200, path: 1_024, message: 512 } as const;
/** Longer numbers are left to JSON.parse. */
const MOST_DIGITS = 15;

const [QUOTE, COMMA, COLON, POINT, DASH, ZERO] = [0x22, 0x2c, 0x3a, 0x2e, 0x2d, 0x30];
const [SEVEN, UPPER_T, UPPER_Z] = [0x37, 0x54, 0x5a];
const NULL = patternOf('null');

const BEGINNING = patternOf('{"v":1,"id":"');
const ID_LENGTH = 36;
const BEFORE_TIME = patternOf('","time":"');
/** Position of a record's time, and the text after it. */
export const TIME_AT = BEGINNING.length + ID_LENGTH + BEFORE_TIME.length;
export const TIME_LENGTH = 24;
export const HEAD_LENGTH = TIME_AT + TIME_LENGTH + 2;

/** True if the line at `from` begins like every record; its time is then in `numbers`. */
export function readHead(buffer: Bytes, from: number, end: number, numbers: LineNumbers): boolean {
  if (from + HEAD_LENGTH > end || !standsAt(buffer, from, end, BEGINNING)) return false;
  const id = from + BEGINNING.length;
  if (!isId(buffer, id) || !standsAt(buffer, id + ID_LENGTH, end, BEFORE_TIME)) return false;
  return readTime(buffer, from + TIME_AT, numbers);
}

/** Reads a time and the quote and comma after it. Most lines are of the same minute as the line before. */
function readTime({ bytes, view }: Bytes, at: number, numbers: LineNumbers): boolean {
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

/** True for a UUID of version 7 at `at`: its groups of digits, and the characters between them. */
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

/** Returns the number that the digits from `from` up to `to` represent; NaN if another byte is among them. */
function digits(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = 10 * value + digit;
  }
  return value;
}

/** Returns the end of a text at `at` of at most `most` characters, or of null. */
export function textEnd(buffer: Bytes, at: number, end: number, most: number): number {
  if (buffer.bytes[at] !== QUOTE) return standsAt(buffer, at, end, NULL) ? at + NULL.length : NONE;
  const behind = stringEnd(buffer, at, end);
  return behind - at - 2 > most ? NONE : behind;
}

/** Reads a toolUseId that is null, or consists of ASCII without a backslash. */
export function readToolUseId(buffer: Bytes, at: number, end: number, session: Readonly<CallHash>, numbers: LineNumbers): number {
  const { bytes } = buffer;
  numbers.hasCall = bytes[at] === QUOTE;
  if (!numbers.hasCall) return standsAt(buffer, at, end, NULL) ? at + NULL.length : NONE;
  const behind = quotedEnd(buffer, at, end, MOST.name);
  if (behind === NONE) return NONE;
  numbers.idFrom = at + 1;
  numbers.idTo = behind - 1;
  beginHash(numbers.call, session);
  addToHash(numbers.call, bytes, numbers.idFrom, numbers.idTo);
  return behind;
}

/** Returns the end of a quoted text at `at` that consists of ASCII without a backslash. */
export function quotedEnd(buffer: Bytes, at: number, end: number, most: number): number {
  const { bytes } = buffer;
  if (bytes[at] !== QUOTE) return NONE;
  const behind = asciiEnd(buffer, at + 1, end);
  return behind < end && bytes[behind] === QUOTE && behind - at - 1 <= most ? behind + 1 : NONE;
}

/** Reads microseconds as we write them: digits; null only for a result, whose tool may have taken an unknown time. */
export function readMicroseconds(buffer: Bytes, at: number, end: number, mayBeNull: boolean, numbers: LineNumbers): number {
  const { bytes } = buffer;
  numbers.us = -1;
  if (mayBeNull && standsAt(buffer, at, end, NULL)) return at + NULL.length;
  let behind = at;
  let value = 0;
  for (let digit = (bytes[behind] ?? 0) - ZERO; behind < end && digit >= 0 && digit <= 9; digit = (bytes[behind] ?? 0) - ZERO) {
    value = 10 * value + digit;
    behind += 1;
  }
  if (behind === at || behind - at > MOST_DIGITS || (bytes[at] === ZERO && behind > at + 1)) return NONE;
  numbers.us = value;
  return behind;
}
