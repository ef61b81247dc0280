// Random patterns for rules about commands, from words of a small alphabet, and every command line of it up to a length.

/** Symbols that lines are made of, and what patterns are made of. */
export interface Alphabet {
  readonly name: string;
  /** A line is any row of these; some are several characters, such as a wrapper with the space behind it. */
  readonly symbols: readonly string[];
  /** Words of patterns. */
  readonly words: readonly string[];
}

/** Words that begin alike, and quotes. */
const QUOTES: Alphabet = {
  name: 'words and quotes',
  symbols: ['a', 'b', ' ', '"'],
  words: ['a', 'b', 'ab', 'ba', 'aa', '"a"', '"a b"', 'a"b"'],
};

/** A wrapper that the engine looks through. */
const WRAPPER: Alphabet = {
  name: 'a wrapper',
  symbols: ['a', 'b', ' ', 'nohup '],
  words: ['a', 'b', 'ab', 'ba', 'aa', 'nohup', 'nohup a'],
};

/** A command with a grammar, of which `*` in an allow rule does not stand for everything. */
const GRAMMAR: Alphabet = {
  name: 'a command with a grammar',
  symbols: ['git ', 'push ', '-f ', 'x'],
  words: ['git', 'push', 'git push', '-f', 'x', 'xx', 'git x'],
};

export const ALPHABETS: readonly [Alphabet, ...Alphabet[]] = [QUOTES, WRAPPER, GRAMMAR];

/** All lines of up to `length` symbols, each once. */
export function linesOf({ symbols }: Alphabet, length: number): string[] {
  const lines = new Set<string>(['']);
  let longest = [''];
  for (let at = 0; at < length; at++) {
    longest = longest.flatMap((line) => symbols.map((symbol) => line + symbol));
    for (const line of longest) lines.add(line);
  }
  return [...lines];
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Different patterns of a seed. */
export function patternsOf({ words }: Alphabet, count: number, random: () => number): string[] {
  const one = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const found = new Set<string>();
  for (let tries = 0; found.size < count && tries < count * 50; tries++) {
    const length = 1 + Math.floor(random() * 3);
    const row = Array.from({ length }, () => (random() < 0.15 ? '*' : `${one(words) ?? 'a'}${random() < 0.08 ? '*' : ''}`));
    found.add(row.join(random() < 0.04 ? '  ' : ' ') + (one(['', '', ':*', ' *', '*', '?']) ?? ''));
  }
  return [...found];
}
