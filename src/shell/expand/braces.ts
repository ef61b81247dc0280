/** Static brace lists and sequences outside quotes, expanded as bash and zsh do; dash treats them as plain characters. */

/** At most this many words are expanded from one word: nobody would check a longer list. */
const MAX_WORDS = 64;
/**
 * A whole word of plain characters, wildcards and braces, optionally the value of an option; nothing in it is quoted or expands
 * in any other way.
 */
const PLAIN_WORD = /^(?:~(?=\/)|--[a-z][a-z-]*=)?[\w\-./:@%+,*?{}]+$/;
/** The innermost braces of a word: a list of plain, non-empty parts, or a short sequence of numbers without leading zeros. */
const LIST = /\{([\w\-./:@%+*?]+(?:,[\w\-./:@%+*?]+)+)\}/;
const SEQUENCE = /^(0|[1-9]\d{0,4})\.\.(0|[1-9]\d{0,4})$/;
const SEQUENCE_BRACES = /\{((?:0|[1-9]\d{0,4})\.\.(?:0|[1-9]\d{0,4}))\}/;

/**
 * The words that a brace list expands to, in order; null for a word that is not a brace list, or that contains anything except plain
 * characters and matching braces (bash manual, "Brace Expansion"; nested lists are expanded from the left, the inner ones with them).
 */
export function expandBraces(text: string): readonly string[] | null {
  if (!text.includes('{') || !PLAIN_WORD.test(text)) return null;
  const [whole, ...others] = groupsOf(text);
  if (whole === undefined || others.length > 3) return null;
  let texts: string[] = [''];
  let from = 0;
  for (const group of [whole, ...others]) {
    const before = text.slice(from, group.start);
    texts = texts.flatMap((one) => group.parts.map((part) => one + before + part));
    if (texts.length > MAX_WORDS) return null;
    from = group.end;
  }
  const words = texts.map((one) => one + text.slice(from));
  // Nested lists, and braces that do not form a list, are left to the shell.
  return words.some((word) => /[{}]/.test(word) || word === '') ? null : words;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly string[];
}

/** The lists and sequences of a word, from left to right. */
function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  let from = 0;
  for (;;) {
    const rest = text.slice(from);
    const found = [LIST.exec(rest), SEQUENCE_BRACES.exec(rest)]
      .filter((match) => match !== null)
      .sort((one, other) => one.index - other.index)[0];
    if (found === undefined || groups.length > 4) return groups;
    const start = from + found.index;
    const end = start + found[0].length;
    const parts = partsOf(found[1] ?? '');
    if (parts === null) return [];
    groups.push({ start, end, parts });
    from = end;
  }
}

function partsOf(inside: string): readonly string[] | null {
  const sequence = SEQUENCE.exec(inside);
  if (sequence === null) return inside.split(',');
  const [first, last] = [Number(sequence[1]), Number(sequence[2])];
  const count = Math.abs(last - first) + 1;
  if (count > MAX_WORDS) return null;
  return Array.from({ length: count }, (_, index) => String(first + (last < first ? -index : index)));
}

/**
 * Whether the text after an opening brace may make it a brace list: `{}`, `{a}` and `@{u}` are literal. A sequence needs its `..`
 * inside the first pair of braces, but a list may extend past it: `{a},b}` is `a}` and `b`.
 */
export function mayBeBraceList(rest: string): boolean {
  return rest.includes(',') || (/^[\w\-./:=@%+]*\}/.exec(rest)?.[0] ?? rest).includes('..');
}
