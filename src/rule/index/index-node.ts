/** The tree of words that every index of rules consists of. Its nodes are built in memory, or read from a store as a call reaches them. */

export interface IndexNode<Entry> {
  /** Entries for exactly the words that lead to this node. */
  readonly exact: readonly Entry[];
  /** Entries for these words and any that follow. */
  readonly open: readonly Entry[];
  /** The lengths of the keys in `keyed`. */
  readonly lengths: readonly number[];
  /** Entries for these words plus a key, whose meaning depends on the index. */
  keyed(key: string): readonly Entry[];
  child(word: string): IndexNode<Entry> | undefined;
  each(show: (entry: Entry) => void): void;
}

const NONE: readonly never[] = [];

export const EMPTY_NODE: IndexNode<never> = {
  exact: NONE,
  open: NONE,
  lengths: NONE,
  keyed: () => NONE,
  child: () => undefined,
  each: () => {},
};

export class MutableNode<Entry> implements IndexNode<Entry> {
  readonly exact: Entry[] = [];
  readonly open: Entry[] = [];
  readonly lengths: number[] = [];
  readonly keys = new Map<string, Entry[]>();
  readonly children = new Map<string, MutableNode<Entry>>();

  keyed(key: string): readonly Entry[] {
    return this.keys.get(key) ?? NONE;
  }

  child(word: string): MutableNode<Entry> | undefined {
    return this.children.get(word);
  }

  each(show: (entry: Entry) => void): void {
    const pending: MutableNode<Entry>[] = [this];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      next.exact.forEach(show);
      next.open.forEach(show);
      for (const entries of next.keys.values()) entries.forEach(show);
      for (const lower of next.children.values()) pending.push(lower);
    }
  }

  /** The node that the words lead to from here, created if necessary. */
  grow(words: readonly string[]): MutableNode<Entry> {
    let node: MutableNode<Entry> = this;
    for (const word of words) {
      let lower = node.children.get(word);
      if (lower === undefined) {
        lower = new MutableNode();
        node.children.set(word, lower);
      }
      node = lower;
    }
    return node;
  }

  put(key: string, entry: Entry): void {
    const entries = this.keys.get(key);
    if (entries !== undefined) {
      entries.push(entry);
      return;
    }
    this.keys.set(key, [entry]);
    if (!this.lengths.includes(key.length)) this.lengths.push(key.length);
  }

  isEmpty(): boolean {
    return this.exact.length + this.open.length + this.keys.size + this.children.size === 0;
  }
}
