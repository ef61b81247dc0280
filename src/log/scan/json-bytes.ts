/** Finds the end of a JSON value in a buffer. Accepts only JSON that JSON.parse accepts. */
import type { Bytes } from './bytes.js';

/** Maximum nesting; deeper values are left to JSON.parse. */
const DEEPEST = 32;
const NONE = -1;
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const [MINUS, PLUS, POINT, ZERO, LOWER_U] = [0x2d, 0x2b, 0x2e, 0x30, 0x75];
/** `true`, `alse` and `null` as words of four bytes. */
const [TRUE, ALSE, NULL] = [0x65757274, 0x65736c61, 0x6c6c756e];

const DIGIT = table((code) => code >= 0x30 && code <= 0x39);
const HEX = table((code) => /^[0-9A-Fa-f]$/.test(String.fromCharCode(code)));
/** 1 for the characters allowed after a backslash, except `u`. */
const ESCAPED = table((code) => '"\\/bfnrt'.includes(String.fromCharCode(code)));

function table(has: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => Number(has(code)));
}

/**
 * Returns the end of the value at `at`; -1 if no value ends before `end`. Refuses whitespace between its parts, which our writer
 * never writes. May read up to 4 bytes after `end`, which have to be in the buffer.
 */
export function valueEnd(buffer: Bytes, at: number, end: number, depth = 0): number {
  const { bytes, view } = buffer;
  const first = bytes[at] ?? 0;
  if (first === QUOTE) return stringEnd(buffer, at, end);
  if (first === OPEN_BRACE) return depth === DEEPEST ? NONE : objectEnd(buffer, at + 1, end, depth + 1);
  if (first === OPEN_BRACKET) return depth === DEEPEST ? NONE : arrayEnd(buffer, at + 1, end, depth + 1);
  if (first === MINUS || DIGIT[first] === 1) return numberEnd(bytes, at, end);
  if (at + 4 > end) return NONE;
  const word = view.getInt32(at, true);
  if (word === TRUE || word === NULL) return at + 4;
  return at + 5 <= end && first === 0x66 && view.getInt32(at + 1, true) === ALSE ? at + 5 : NONE;
}

function objectEnd(buffer: Bytes, start: number, end: number, depth: number): number {
  const { bytes } = buffer;
  if (bytes[start] === CLOSE_BRACE && start < end) return start + 1;
  for (let at = start; at < end; at += 1) {
    if (bytes[at] !== QUOTE) return NONE;
    at = stringEnd(buffer, at, end);
    if (at === NONE || bytes[at] !== COLON) return NONE;
    at = valueEnd(buffer, at + 1, end, depth);
    if (at === NONE || at >= end) return NONE;
    if (bytes[at] === CLOSE_BRACE) return at + 1;
    if (bytes[at] !== COMMA) return NONE;
  }
  return NONE;
}

function arrayEnd(buffer: Bytes, start: number, end: number, depth: number): number {
  const { bytes } = buffer;
  if (bytes[start] === CLOSE_BRACKET && start < end) return start + 1;
  for (let at = start; at < end; at += 1) {
    at = valueEnd(buffer, at, end, depth);
    if (at === NONE || at >= end) return NONE;
    if (bytes[at] === CLOSE_BRACKET) return at + 1;
    if (bytes[at] !== COMMA) return NONE;
  }
  return NONE;
}

/** Returns the end of the string whose opening quote is at `at`; -1 if it does not end before `end`. */
export function stringEnd(buffer: Bytes, at: number, end: number): number {
  const { bytes } = buffer;
  for (let place = plainEnd(buffer, at + 1, end); place < end; place = plainEnd(buffer, place, end)) {
    const code = bytes[place] ?? 0;
    if (code === QUOTE) return place + 1;
    if (code !== BACKSLASH) return NONE;
    place = escapeEnd(bytes, place + 1);
    if (place === NONE) return NONE;
  }
  return NONE;
}

/** Returns the end of the escape whose backslash precedes `at`; -1 if it is invalid. */
function escapeEnd(bytes: Uint8Array, at: number): number {
  const code = bytes[at] ?? 0;
  if (ESCAPED[code] === 1) return at + 1;
  return code === LOWER_U && isHexadecimal(bytes, at + 1, at + 5) ? at + 5 : NONE;
}

/**
 * Returns the first byte from `at` on that a string must not contain unescaped, or a place after `end`. Compares four bytes at
 * once: a subtraction sets the highest bit of a byte only if that byte, or a lower one, is a match; so the lowest one is correct.
 */
function plainEnd({ view }: Bytes, at: number, end: number): number {
  for (let place = at; place < end; place = (place + 4) | 0) {
    const word = view.getInt32(place, true);
    const found = (lessOf(word, SPACES) | lessOf(word ^ QUOTES, ONES) | lessOf(word ^ BACKSLASHES, ONES)) & ~word & HIGHEST;
    if (found !== 0) return place + firstByte(found);
  }
  return end;
}

/** 32-bit integers in the form that V8 uses for them. */
const [SPACES, QUOTES, BACKSLASHES, ONES, HIGHEST] = [0x20202020, 0x22222222, 0x5c5c5c5c, 0x01010101, 0x80808080 | 0];

function lessOf(word: number, less: number): number {
  return (word - less) | 0;
}

/** Returns the first of four bytes that has a bit set. */
function firstByte(word: number): number {
  return (31 - Math.clz32(word & -word)) >> 3;
}

function numberEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  const digits = at;
  at = digitsEnd(bytes, at, end);
  if (at === digits || (bytes[digits] === ZERO && at > digits + 1)) return NONE;
  if (bytes[at] === POINT && at < end) {
    const fraction = at + 1;
    at = digitsEnd(bytes, fraction, end);
    if (at === fraction) return NONE;
  }
  if (((bytes[at] ?? 0) | 0x20) !== 0x65 || at >= end) return at;
  at += bytes[at + 1] === PLUS || bytes[at + 1] === MINUS ? 2 : 1;
  const exponent = at;
  at = digitsEnd(bytes, exponent, end);
  return at <= exponent ? NONE : at;
}

/** Returns the first place from `at` on that is not a digit. */
function digitsEnd(bytes: Uint8Array, at: number, end: number): number {
  let place = at;
  while (place < end && DIGIT[bytes[place] ?? 0] === 1) place += 1;
  return place;
}

/** Returns the first place from `at` on that is not ASCII, or that a string must not contain unescaped; or a place after `end`. */
export function asciiEnd({ view }: Bytes, at: number, end: number): number {
  for (let place = at; place < end; place = (place + 4) | 0) {
    const word = view.getInt32(place, true);
    const found = (lessOf(word, SPACES) | lessOf(word ^ QUOTES, ONES) | lessOf(word ^ BACKSLASHES, ONES) | word) & HIGHEST;
    if (found !== 0) return place + firstByte(found);
  }
  return end;
}

/** True if the `length` bytes at `at` are lower-case hexadecimal digits; `length` is a multiple of 4. */
export function isHex({ view }: Bytes, at: number, length: number): boolean {
  let all = -1;
  for (let place = at; place < at + length; place += 4) {
    const word = view.getInt32(place, true);
    // For a byte below 128, adding 128 minus a number sets the highest bit if the byte is at least that number.
    const isDigit = (word + 0x50505050) & ~(word + 0x46464646);
    const isLetter = (word + 0x1f1f1f1f) & ~(word + 0x19191919);
    all &= (isDigit | isLetter) & ~word;
  }
  return (all & 0x80808080) === (0x80808080 | 0);
}

function isHexadecimal(bytes: Uint8Array, from: number, to: number): boolean {
  let all = 1;
  for (let at = from; at < to; at += 1) all &= HEX[bytes[at] ?? 0] ?? 0;
  return all === 1;
}
