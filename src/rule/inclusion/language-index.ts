/** Finds, among many languages, one that includes all of another, without comparing each pair. */
import { accepts, type Effort, exampleOf, inclusionOf, type Language, languageKey, type Row } from './language.js';

interface Entry<Value> {
  readonly language: Language;
  /** For each row, a string that occurs in all of its texts. */
  readonly parts: readonly string[];
  readonly value: Value;
  readonly order: number;
}

/** A language that includes all of another one, and a text that is in both. */
export interface Holder<Value> {
  readonly value: Value;
  readonly witness: string;
}

/** At most this many languages are examined per search, at this total cost per index; anything beyond is not found. */
const MOST_CANDIDATES = 500;
const MOST_EFFORT = 200_000;
/** At most this many characters of a prefix are used to find candidates. */
const MOST_PREFIX = 256;

/** Languages with their values, indexed by the prefix of each of their rows. */
export class LanguageIndex<Value> {
  readonly #byPrefix = new Map<string, Entry<Value>[]>();
  readonly #keys = new Set<string>();
  readonly #orders = new Map<Value, number>();
  readonly #effort: Effort = { left: MOST_EFFORT };

  /** Adds a language; if it is already present, the first value represents it. */
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
   * The first language found that includes all of `inner`; null when none certainly does. Never that of `self`, nor a later one
   * that is the same language.
   * @param confirm makes the final decision
   */
  holderOf(inner: Language, self: Value, confirm: (value: Value, witness: string) => boolean = () => true): Holder<Value> | null {
    const example = exampleOf(inner);
    const own = this.#orders.get(self);
    let left = MOST_CANDIDATES;
    // Languages with a row whose prefix the example begins with, the longest prefix first.
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

  /** A text in both languages if this one includes all of `inner`, and is not the same language added later; else null. */
  #witnessOf({ language, order }: Entry<Value>, inner: Language, example: string, own: number | undefined): string | null {
    if (!accepts(language, example, this.#effort)) return null;
    const found = inclusionOf(inner, language, this.#effort);
    if (found.answer !== 'included') return null;
    const isTwin = own !== undefined && order > own && inclusionOf(language, inner, this.#effort).answer !== 'not-included';
    return isTwin ? null : found.witness;
  }
}

const NONE: readonly never[] = [];

/** The common prefix of all texts of a row. */
function prefixOf(row: Row): string {
  let text = '';
  for (const token of row) {
    if (token.kind !== 'character' || text.length >= MOST_PREFIX) break;
    text += String.fromCodePoint(token.code);
  }
  return text.slice(0, MOST_PREFIX);
}

/** The longest string that occurs in all texts of a row. */
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
