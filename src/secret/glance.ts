/**
 * Finds out what a long text may contain in one pass over its bytes: searching for each of a hundred marks of a secret separately
 * takes many times as long. A no is certain; after a yes, the text has to be searched.
 */

export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface Glance {
  /** Whether the text may contain a mark, in upper or lower case. */
  readonly mayHold: (mark: string) => boolean;
  /** Runs of `[\w.-]` that may end with one of the endings, optionally followed by a number. */
  readonly words: readonly Stretch[];
  /** Stretches of letters, digits and `+/_.-` of at least LONG_CODE characters, which may contain codes. */
  readonly codes: readonly Stretch[];
  /** Length of the longest run of `[\w.-]`. */
  readonly longestWord: number;
}

/** Shorter runs are not decoded. */
export const LONG_CODE = 24;

/** A character class in five bits: 1 to 26 are the letters, upper or lower case. */
const OTHER = 0;
const DIGIT = 27;
const HYPHEN = 28;
const UNDERSCORE = 29;
const DOT = 30;
const SIGN = 31;
const BITS = 5;
/** The number of different triples of characters, and the bits of six characters. */
const TRIPLES = 1 << (3 * BITS);
const MOST_LETTERS = 6;
const SIX = (1 << (MOST_LETTERS * BITS)) - 1;
/** The minimum length of a name's ending. */
const LEAST_LETTERS = 3;

const CLASSES = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) return code & 0x1f;
  if (/\d/.test(character)) return DIGIT;
  if (character === '-') return HYPHEN;
  if (character === '_') return UNDERSCORE;
  if (character === '.') return DOT;
  return '/+=~:<'.includes(character) ? SIGN : OTHER;
});
/** Among the signs, those of base64. */
const PLUS = 0x2b;
const SLASH = 0x2f;

/** The bytes of the text while it is scanned, and the character triples found in it. */
let bytes = Buffer.alloc(0);
const seen = new Uint8Array(TRIPLES);
/** Counts the texts: `seen` belongs to the last one. */
let texts = 0;

/**
 * Returns a function that scans texts.
 * @param endings endings of words, in lower-case letters, each of at least three
 */
export function glancer(endings: readonly string[]): (text: string) => Glance {
  /** The last letters of the endings, at most MOST_LETTERS, grouped by their count. */
  const ends = Array.from({ length: MOST_LETTERS + 1 }, () => new Set<number>());
  for (const ending of endings) ends[Math.min(ending.length, MOST_LETTERS)]?.add(numberOf(ending.slice(-MOST_LETTERS)));
  const isTail = tailsOf(endings);
  const endsSo = (start: number, end: number) => {
    const { length, value } = lastLetters(start, end);
    for (let count = LEAST_LETTERS; count <= length; count += 1)
      if (ends[count]?.has(value & ((1 << (count * BITS)) - 1)) === true) return true;
    return false;
  };
  return (text) => look(text, isTail, endsSo);
}

function numberOf(text: string): number {
  let number = 0;
  for (let at = 0; at < text.length; at += 1) number = ((number << BITS) | (CLASSES[text.charCodeAt(at) & 0xff] ?? 0)) & SIX;
  return number;
}

/** Characters among or after the letters of a name that are ignored: separators and the digits of a number. */
const UNCOUNTED: readonly number[] = [DIGIT, HYPHEN, UNDERSCORE, DOT];

/**
 * Marks the last three characters of every word that may have one of the endings. Only those combinations are enumerated: all
 * possible ones would take longer than the start of a short command may.
 */
function tailsOf(endings: readonly string[]): Uint8Array {
  const marked = new Uint8Array(TRIPLES);
  const mark = (first: number, second: number, third: number) => {
    marked[(first << (2 * BITS)) | (second << BITS) | third] = 1;
  };
  for (const ending of new Set(endings.map((one) => one.slice(-LEAST_LETTERS)))) {
    const number = numberOf(ending);
    const [first, second, third] = [number >> (2 * BITS), (number >> BITS) & SIGN, number & SIGN];
    mark(first, second, third);
    for (const one of UNCOUNTED) {
      mark(one, second, third);
      mark(second, third, one);
      for (let any = 0; any <= SIGN; any += 1) mark(any, one, third);
      for (const other of UNCOUNTED) {
        mark(one, third, other);
        mark(third, one, other);
        for (const last of UNCOUNTED) mark(one, other, last);
      }
    }
  }
  return marked;
}

/** The last letters of a word, at most MOST_LETTERS, without separators among them or a number at the end. */
function lastLetters(start: number, end: number): { readonly length: number; readonly value: number } {
  let at = end - 1;
  const kindAt = (index: number) => CLASSES[bytes[index] ?? 0] ?? 0;
  while (at >= start && (kindAt(at) === DOT || kindAt(at) === HYPHEN)) at -= 1;
  while (at >= start && kindAt(at) === DIGIT) at -= 1;
  let [length, value] = [0, 0];
  for (; at >= start && length < MOST_LETTERS; at -= 1) {
    const kind = kindAt(at);
    if (kind >= HYPHEN) continue;
    value |= kind << (length * BITS);
    length += 1;
  }
  return { length, value };
}

/**
 * Scans a text. A character beyond Latin-1 is mistaken for another one: words and codes may appear longer here than in the text, but never
 * shorter. The loop runs for every byte of every text, with only one branch for the letters, digits and separators of words.
 */
function look(text: string, isTail: Uint8Array, endsSo: (start: number, end: number) => boolean): Glance {
  if (bytes.length <= text.length) bytes = Buffer.alloc(Math.max(text.length + 1, 65_536));
  const length = bytes.write(text, 0, 'latin1');
  // Terminates the last word.
  bytes[length] = 0;
  seen.fill(0);
  texts += 1;
  const [words, codes]: [Stretch[], Stretch[]] = [[], []];
  let word = 0;
  let code = 0;
  let longestWord = 0;
  let last = 0;
  const [source, classes, triples] = [bytes, CLASSES, seen];
  for (let at = 0; at <= length; at += 1) {
    const byte = source[at] as number;
    const kind = classes[byte] as number;
    const before = last;
    last = ((last << BITS) | kind) & (TRIPLES - 1);
    triples[last] = 1;
    if (kind !== OTHER && kind !== SIGN) continue;
    if (at - word > longestWord) longestWord = at - word;
    if (isTail[before] === 1 && endsSo(word, at)) words.push({ start: word, end: at });
    word = at + 1;
    if (byte === PLUS || byte === SLASH) continue;
    if (at - code >= LONG_CODE) codes.push({ start: code, end: at });
    code = at + 1;
  }
  const own = texts;
  return { mayHold: (mark) => own !== texts || isSeen(mark), words, codes, longestWord };
}

/** Whether all triples of a mark occur in the text. */
function isSeen(mark: string): boolean {
  let last = 0;
  for (let at = 0; at < mark.length; at += 1) {
    last = ((last << BITS) | (CLASSES[mark.charCodeAt(at) & 0xff] ?? 0)) & (TRIPLES - 1);
    if (at >= 2 && seen[last] !== 1) return false;
  }
  return true;
}
