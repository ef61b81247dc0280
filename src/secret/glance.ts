/**
 * What a long text may hold, found out in one pass over its bytes: to look for each of a hundred marks of a secret by itself takes many
 * times as long. Where it says no, the text does not hold it; where it says yes, it has to be looked for.
 */

/** A stretch of a text. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface Glance {
  /** Whether the text may hold a mark, in whatever case. */
  readonly mayHold: (mark: string) => boolean;
  /** Runs of `[\w.-]` that may end as one of the endings, a number behind it or not. */
  readonly words: readonly Stretch[];
  /** Runs of letters, digits and `+/_-` of at least LONG_CODE. */
  readonly codes: readonly Stretch[];
  /** Length of the longest run of `[\w.-]`. */
  readonly longestWord: number;
}

/** No shorter run is decoded. */
export const LONG_CODE = 24;

/** A character as five bits: 1 to 26 are the letters of either case. */
const OTHER = 0;
const DIGIT = 27;
const HYPHEN = 28;
const UNDERSCORE = 29;
const DOT = 30;
const SIGN = 31;
const BITS = 5;
/** So many kinds of three characters, and the bits of six. */
const TRIPLES = 1 << (3 * BITS);
const SIX = (1 << (6 * BITS)) - 1;

const CLASSES = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) return code & 0x1f;
  if (/\d/.test(character)) return DIGIT;
  if (character === '-') return HYPHEN;
  if (character === '_') return UNDERSCORE;
  if (character === '.') return DOT;
  return '/+=~:<'.includes(character) ? SIGN : OTHER;
});
/** Of the signs, those of base64. */
const PLUS = 0x2b;
const SLASH = 0x2f;

/** Where the bytes of the text lie while it is looked at, and which three characters follow each other in it. */
let bytes = Buffer.alloc(0);
const seen = new Uint8Array(TRIPLES);
/** Counts the texts: `seen` is about the last one. */
let texts = 0;

/** @param endings of words, in lower-case letters, each of at least three */
export function glancer(endings: readonly string[]): (text: string) => Glance {
  const ends = [...new Set(endings)].map((ending) => ({ length: Math.min(ending.length, 6), value: numberOf(ending.slice(-6)) }));
  const tails = new Set(ends.map(({ value }) => value & (TRIPLES - 1)));
  const isTail = Uint8Array.from({ length: TRIPLES }, (_, triple) => (mayBeTail(triple, tails) ? 1 : 0));
  const endsSo = (start: number, end: number) => {
    const { length, value } = lastLetters(start, end);
    return ends.some((one) => {
      const common = (1 << (Math.min(one.length, length) * BITS)) - 1;
      return length >= 3 && (one.value & common) === (value & common);
    });
  };
  return (text) => look(text, isTail, endsSo);
}

function numberOf(text: string): number {
  let number = 0;
  for (let at = 0; at < text.length; at += 1) number = ((number << BITS) | (CLASSES[text.charCodeAt(at) & 0xff] ?? 0)) & SIX;
  return number;
}

/** Whether a word whose last three characters are these may have one of the endings. */
function mayBeTail(triple: number, tails: ReadonlySet<number>): boolean {
  for (let shift = 0; shift < 3 * BITS; shift += BITS) {
    const kind = (triple >> shift) & SIGN;
    // The word is shorter than any ending.
    if (kind === OTHER || kind === SIGN) return false;
    // What stands before the digit or the separator decides.
    if (kind >= DIGIT) return true;
  }
  return tails.has(triple);
}

/** The last letters of a word, at most six, without the separators among them and a number at the end. */
function lastLetters(start: number, end: number): { readonly length: number; readonly value: number } {
  let at = end - 1;
  const kindAt = (index: number) => CLASSES[bytes[index] ?? 0] ?? 0;
  while (at >= start && (kindAt(at) === DOT || kindAt(at) === HYPHEN)) at -= 1;
  while (at >= start && kindAt(at) === DIGIT) at -= 1;
  let [length, value] = [0, 0];
  for (; at >= start && length < 6; at -= 1) {
    const kind = kindAt(at);
    if (kind >= HYPHEN) continue;
    value |= kind << (length * BITS);
    length += 1;
  }
  return { length, value };
}

/** A character beyond Latin-1 is taken for another one: words and codes may be longer here than in the text, never shorter. */
function look(text: string, isTail: Uint8Array, endsSo: (start: number, end: number) => boolean): Glance {
  if (bytes.length < text.length) bytes = Buffer.alloc(Math.max(text.length, 65_536));
  const length = bytes.write(text, 0, 'latin1');
  seen.fill(0);
  texts += 1;
  const [words, codes]: [Stretch[], Stretch[]] = [[], []];
  let [word, code, longestWord, last] = [0, 0, 0, 0];
  const [source, classes, triples] = [bytes, CLASSES, seen];
  for (let at = 0; at <= length; at += 1) {
    const byte = at < length ? (source[at] ?? 0) : 0;
    const kind = classes[byte] ?? 0;
    const before = last;
    last = ((last << BITS) | kind) & (TRIPLES - 1);
    triples[last] = 1;
    if (kind < DOT && kind !== OTHER) continue;
    if (kind !== DOT) {
      if (at - word > longestWord) longestWord = at - word;
      if (isTail[before] === 1 && endsSo(word, at)) words.push({ start: word, end: at });
      word = at + 1;
    }
    if (byte === PLUS || byte === SLASH) continue;
    if (at - code >= LONG_CODE) codes.push({ start: code, end: at });
    code = at + 1;
  }
  const own = texts;
  return { mayHold: (mark) => own !== texts || isSeen(mark), words, codes, longestWord };
}

/** Whether all of a mark's triples are in the text. */
function isSeen(mark: string): boolean {
  let last = 0;
  for (let at = 0; at < mark.length; at += 1) {
    last = ((last << BITS) | (CLASSES[mark.charCodeAt(at) & 0xff] ?? 0)) & (TRIPLES - 1);
    if (at >= 2 && seen[last] !== 1) return false;
  }
  return true;
}
