/** Wildcards over plain text: `*` is any run of characters (including `/` and spaces), `?` is one character, the rest is literal. */

const STAR = 0x2a;
const QUESTION = 0x3f;
const SPACE = 0x20;

/**
 * A shell glob with its character lists replaced by `*`, which matches more than they do, whatever classes (`[[:lower:]]`),
 * brackets (`[]x]`) and backslashes they contain. `crossing`: a list may contain a slash.
 */
export function withoutLists(glob: string, crossing = false): string {
  if (!glob.includes('[')) return glob;
  return crossing ? glob.replace(/\[(?:[\s\S]*\]|[\s\S]*$)/, '*') : glob.replace(/\[(?:[^/]*\]|[^/]*)/g, '*');
}

/** True when the text contains `*` or `?`. */
export function hasWildcard(text: string): boolean {
  return text.includes('*') || text.includes('?');
}

/**
 * True when the whole of `text` matches `pattern`; case-sensitive. Two pointers, so O(pattern · text) at worst. `barrier` is the code of a
 * character that `?` does not match (-1: none). The meaning is that of agent-code's glob, without its exponential search.
 */
export function globMatch(pattern: string, text: string, barrier = -1): boolean {
  let at = 0;
  let position = 0;
  let star = -1;
  let resume = 0;
  while (position < text.length) {
    const wanted = at < pattern.length ? pattern.charCodeAt(at) : -1;
    const actual = text.charCodeAt(position);
    if (wanted === STAR) {
      star = at++;
      resume = position;
    } else if (wanted === QUESTION && actual !== barrier) {
      at++;
      position += characterLength(text, position);
    } else if (wanted === actual && wanted !== QUESTION) {
      at++;
      position++;
    } else if (star >= 0) {
      at = star + 1;
      position = ++resume;
    } else {
      return false;
    }
  }
  while (at < pattern.length && pattern.charCodeAt(at) === STAR) at++;
  return at === pattern.length;
}

/** The number of UTF-16 units of the character at `position`: 2 for a surrogate pair. */
function characterLength(text: string, position: number): number {
  return (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;
}

/**
 * True when `pattern` can match the concatenated `parts`, where a null part may be any run of characters. Simulates the pattern
 * as an automaton: no backtracking, O(pattern · text).
 */
export function wildcardsMeet(pattern: string, parts: readonly (string | null)[]): boolean {
  const codes = codePoints(pattern);
  let states = startStates(codes);
  for (const part of parts) states = part === null ? afterAnything(states) : afterText(codes, states, part);
  return states[codes.length] === 1;
}

/** True when `pattern` can match the words joined by single spaces, where a null word may be any number of words, including none. */
export function wildcardsMatchWords(pattern: string, words: readonly (string | null)[]): boolean {
  const codes = codePoints(pattern);
  // Two automata run side by side: as long as there may have been no word yet, no space precedes the next one.
  let empty: Uint8Array | null = startStates(codes);
  let states: Uint8Array = new Uint8Array(codes.length + 1);
  for (const word of words) {
    const spaced = afterCode(codes, states, SPACE);
    const before: Uint8Array = empty ? union(empty, spaced) : spaced;
    if (word === null) {
      states = union(states, afterAnything(before));
    } else {
      states = afterText(codes, before, word);
      empty = null;
    }
  }
  return states[codes.length] === 1 || empty?.[codes.length] === 1;
}

function codePoints(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

/** The set of pattern positions reached before any text is read. */
function startStates(codes: readonly number[]): Uint8Array {
  const states = new Uint8Array(codes.length + 1);
  states[0] = 1;
  return passStars(codes, states);
}

/** Adds the position after each star, since a star may match nothing. */
function passStars(codes: readonly number[], states: Uint8Array): Uint8Array {
  for (let at = 0; at < codes.length; at++) if (states[at] === 1 && codes[at] === STAR) states[at + 1] = 1;
  return states;
}

function afterText(codes: readonly number[], states: Uint8Array, text: string): Uint8Array {
  let current = states;
  for (const character of text) {
    current = afterCode(codes, current, character.codePointAt(0) ?? 0);
    if (!current.includes(1)) return current;
  }
  return current;
}

function afterCode(codes: readonly number[], states: Uint8Array, code: number): Uint8Array {
  const next = new Uint8Array(codes.length + 1);
  for (let at = 0; at < codes.length; at++) {
    if (states[at] !== 1) continue;
    const wanted = codes[at];
    if (wanted === STAR) next[at] = 1;
    else if (wanted === code || wanted === QUESTION) next[at + 1] = 1;
  }
  return passStars(codes, next);
}

/** Unknown text can match whatever the pattern requires next, so every later position is reached. */
function afterAnything(states: Uint8Array): Uint8Array {
  const first = states.indexOf(1);
  const next = new Uint8Array(states.length);
  if (first >= 0) next.fill(1, first);
  return next;
}

function union(left: Uint8Array, right: Uint8Array): Uint8Array {
  return left.map((state, at) => state | (right[at] ?? 0));
}
