/** A node of a stored tree: read when a call reaches it, and remembered. */
import type { IndexNode } from '../index/index-node.js';
import { type Check, isList, isNumbers, isTexts } from './entries.js';
import { keyOf } from './store.js';

/** A store of values by key. */
export interface Store {
  /** The value of a key; undefined if there is none. Does not return if this cannot be determined. */
  get(key: string): unknown;
  /** Called for a key whose value is not valid. */
  damaged(key: string): never;
}

/** No pattern contains a longer word: see MAX_PATTERN in compile-rule.ts. */
const LONGEST_WORD = 4096;

const NONE: readonly never[] = [];

/** The node of a key; undefined when there is none. */
export function storedNode<Entry>(store: Store, key: string, check: Check<Entry>): IndexNode<Entry> | undefined {
  const value = store.get(key);
  if (value === undefined) return undefined;
  if (!isList(value)) return store.damaged(key);
  const [exact, open, lengths, below] = value;
  if (!isEntries(exact, check) || !isEntries(open, check) || !isNumbers(lengths) || (below !== 0 && below !== 1))
    return store.damaged(key);
  return new StoredNode(store, key, check, { exact, open, lengths, below: below === 1 });
}

function isEntries<Entry>(value: unknown, check: Check<Entry>): value is readonly Entry[] {
  return isList(value) && value.every(check);
}

interface Content<Entry> {
  readonly exact: readonly Entry[];
  readonly open: readonly Entry[];
  readonly lengths: readonly number[];
  readonly below: boolean;
}

class StoredNode<Entry> implements IndexNode<Entry> {
  readonly exact: readonly Entry[];
  readonly open: readonly Entry[];
  readonly lengths: readonly number[];
  readonly #store: Store;
  readonly #key: string;
  readonly #check: Check<Entry>;
  readonly #below: boolean;
  readonly #keyed = new Map<string, readonly Entry[]>();
  readonly #children = new Map<string, IndexNode<Entry> | undefined>();

  constructor(store: Store, key: string, check: Check<Entry>, { exact, open, lengths, below }: Content<Entry>) {
    this.#store = store;
    this.#key = key;
    this.#check = check;
    this.exact = exact;
    this.open = open;
    this.lengths = lengths;
    this.#below = below;
  }

  keyed(key: string): readonly Entry[] {
    if (!this.lengths.includes(key.length) || key.includes('\0')) return NONE;
    const known = this.#keyed.get(key);
    if (known !== undefined) return known;
    const place = keyOf.keyed(this.#key, key);
    const entries = this.#store.get(place) ?? NONE;
    if (!isEntries(entries, this.#check)) return this.#store.damaged(place);
    this.#keyed.set(key, entries);
    return entries;
  }

  child(word: string): IndexNode<Entry> | undefined {
    // No pattern contains this character, so it separates the words in a key.
    if (!this.#below || word.length > LONGEST_WORD || word.includes('\0')) return undefined;
    if (this.#children.has(word)) return this.#children.get(word);
    const child = storedNode(this.#store, keyOf.child(this.#key, word), this.#check);
    this.#children.set(word, child);
    return child;
  }

  each(show: (entry: Entry) => void): void {
    this.exact.forEach(show);
    this.open.forEach(show);
    if (!this.#below && this.lengths.length === 0) return;
    const place = keyOf.below(this.#key);
    const value = this.#store.get(place);
    const [children, keys, ...more] = isList(value) ? value : [];
    if (!isTexts(children) || !isTexts(keys) || more.length > 0) this.#store.damaged(place);
    // A node that claims to have something below it must list it.
    if (children.length > 0 !== this.#below || keys.length > 0 !== this.lengths.length > 0) this.#store.damaged(place);
    for (const key of keys) {
      const entries = this.keyed(key);
      if (entries.length === 0) this.#store.damaged(place);
      entries.forEach(show);
    }
    for (const word of children) (this.child(word) ?? this.#store.damaged(place)).each(show);
  }
}
