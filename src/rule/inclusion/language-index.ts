/** Finds among many languages one that holds all of another, without comparing each with each. */
import { accepts, type Effort, exampleOf, inclusionOf, type Language, languageKey, type Row } from './language.js';

interface Entry<Value> {
  readonly language: Language;
  /** For each row a text that stands in all of its texts. */
  readonly parts: readonly string[];
  readonly value: Value;
  readonly order: number;
}

/** A language that holds all of another one, and a text that is in both. */
export interface Holder<Value> {
  readonly value: Value;
  readonly witness: string;
}

/** Languages that one search may look at, and what one index may cost in all: what is beyond them is not found. */
const MOST_CANDIDATES = 500;
const MOST_EFFORT = 200_000;
/** Characters of a text that candidates are found by. */
const MOST_PREFIX = 256;

/** Languages with the values that they stand for, by the text with which each of their rows begins. */
export class LanguageIndex<Value> {
  readonly #byPrefix = new Map<string, Entry<Value>[]>();
  readonly #keys = new Set<string>();
  readonly #orders = new Map<Value, number>();
  readonly #effort: Effort = { left: MOST_EFFORT };

  /** The same language again is not stored: the first value stands for it. */
  add(language: Language, value: Value): void {
    const order = this.#orders.size;
    this.#orders.set(value, order);
    const key = languageKey(language);
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    const parts = language.map(longestPart);
    for (const prefix of new Set(language.map(prefixOf))) {
      const entries = this.#byPrefix.get(prefix) ?? [];
      entries.push({ language, parts, value, order });
      this.#byPrefix.set(prefix, entries);
    }
  }

  /**
   * The first found that holds all of `inner`; null when none certainly does. Never `self`, nor a later one that is the same language.
   * @param confirm has the last word
   */
  holderOf(inner: Language, self: Value, confirm: (value: Value, witness: string) => boolean = () => true): Holder<Value> | null {
    const example = exampleOf(inner);
    const own = this.#orders.get(self);
    let left = MOST_CANDIDATES;
    // The languages with a row that the example could belong to by its beginning: the longest beginning first.
    for (let length = Math.min(example.length, MOST_PREFIX); length >= 0; length--) {
      for (const entry of this.#byPrefix.get(example.slice(0, length)) ?? NONE) {
        if (left-- <= 0 || this.#effort.left <= 0) return null;
        if (entry.value === self || !entry.parts.some((part) => example.includes(part))) continue;
        const witness = this.#witnessOf(entry, inner, example, own);
        if (witness !== null && confirm(entry.value, witness)) return { value: entry.value, witness };
      }
    }
    return null;
  }

  /** A text of both languages when the one holds all of the other, and is not the same language further down. */
  #witnessOf({ language, order }: Entry<Value>, inner: Language, example: string, own: number | undefined): string | null {
    if (!accepts(language, example, this.#effort)) return null;
    const found = inclusionOf(inner, language, this.#effort);
    if (found.answer !== 'included') return null;
    const isTwin = own !== undefined && order > own && inclusionOf(language, inner, this.#effort).answer !== 'not-included';
    return isTwin ? null : found.witness;
  }
}

const NONE: readonly never[] = [];

/** The text that all texts of a row begin with. */
function prefixOf(row: Row): string {
  let text = '';
  for (const token of row) {
    if (token.kind !== 'character' || text.length >= MOST_PREFIX) break;
    text += String.fromCodePoint(token.code);
  }
  return text.slice(0, MOST_PREFIX);
}

/** The longest text that stands in all texts of a row. */
function longestPart(row: Row): string {
  let longest = '';
  let text = '';
  for (let at = 0; at < row.length; at++) {
    const token = row[at];
    if (token?.kind === 'character') text += String.fromCodePoint(token.code);
    else text = '';
    if (token?.kind === 'skip') at += token.count;
    if (text.length > longest.length) longest = text;
  }
  return longest;
}
