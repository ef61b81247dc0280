/**
 * The Merkle tree of RFC 6962 §2.1: leaves are hashed with the prefix 0x00, inner nodes with 0x01. The hashes of all complete
 * subtrees are stored in one dense array, in the order of Go's golang.org/x/mod/sumdb/tlog, so that other tools can read it, too.
 */
import { createHash, type Hash, hash } from 'node:crypto';

export const HASH_BYTES = 32;
const [LEAF_BYTE, NODE_BYTE] = [0, 1];
const LEAF = Uint8Array.of(LEAF_BYTE);
/** The input of an inner node's hash: hashing one stretch of bytes at once is much faster than three. */
const NODE = Buffer.alloc(1 + 2 * HASH_BYTES, NODE_BYTE);

/** Returns the stored hash at an index of the array (see storedHashIndex). */
export type HashReader = (index: number) => Uint8Array;

/** Begins the hash of a leaf; the caller adds the leaf's bytes. */
export function beginLeaf(): Hash {
  return createHash('sha256').update(LEAF);
}

export function leafHash(data: Uint8Array): Uint8Array {
  return beginLeaf().update(data).digest();
}

/** Returns the same for the bytes from `from` up to `to` of a buffer that no one else uses; overwrites the byte before them. */
export function leafHashIn(bytes: Uint8Array, from: number, to: number): Uint8Array {
  if (from === 0) return leafHash(bytes.subarray(0, to));
  bytes[from - 1] = LEAF_BYTE;
  return hash('sha256', bytes.subarray(from - 1, to), 'buffer');
}

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  // A tree contains only hashes of this length; a proof may contain anything.
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES)
    return createHash('sha256').update(NODE.subarray(0, 1)).update(left).update(right).digest();
  NODE.set(left, 1);
  NODE.set(right, 1 + HASH_BYTES);
  return hash('sha256', NODE, 'buffer');
}

/** Returns the index of the `n`th complete subtree of 2^level leaves in the array of stored hashes. */
export function storedHashIndex(level: number, n: number): number {
  let at = n;
  for (let left = level; left > 0; left -= 1) at = 2 * at + 1;
  let index = level;
  for (; at > 0; at = Math.floor(at / 2)) index += at;
  return index;
}

/** Returns how many hashes are stored for a tree of `size` leaves. */
export function storedHashCount(size: number): number {
  if (size === 0) return 0;
  let count = storedHashIndex(0, size - 1) + 1;
  for (let at = size - 1; at % 2 === 1; at = Math.floor(at / 2)) count += 1;
  return count;
}

/** A tree that grows at its end; only its largest complete subtrees are kept. */
export class GrowingTree {
  #size: number;
  /** The complete subtrees that make up the tree, largest first. */
  readonly #peaks: { readonly level: number; readonly hash: Uint8Array }[] = [];

  /** Creates the tree of the first `size` leaves. */
  constructor(size: number, read: HashReader) {
    this.#size = size;
    let done = 0;
    for (const level of levelsOf(size)) {
      this.#peaks.push({ level, hash: read(storedHashIndex(level, done / 2 ** level)) });
      done += 2 ** level;
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a leaf; returns the hashes to store for it: its own, then those of the subtrees that it completes. */
  append(leaf: Uint8Array): Uint8Array[] {
    const stored = [leaf];
    let hash = leaf;
    let level = 0;
    for (let last = this.#peaks.at(-1); last?.level === level; last = this.#peaks.at(-1)) {
      this.#peaks.pop();
      hash = nodeHash(last.hash, hash);
      level += 1;
      stored.push(hash);
    }
    this.#peaks.push({ level, hash });
    this.#size += 1;
    return stored;
  }

  root(): Uint8Array {
    let root: Uint8Array | null = null;
    for (const { hash } of [...this.#peaks].reverse()) root = root === null ? hash : nodeHash(hash, root);
    return root ?? createHash('sha256').digest();
  }
}

/** Returns the levels of the complete subtrees that make up a tree, largest first: the bits of its size. */
function levelsOf(size: number): number[] {
  const levels: number[] = [];
  let level = 0;
  for (let left = size; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) levels.unshift(level);
    level += 1;
  }
  return levels;
}

/** Returns the hash of the leaves from `from` up to `to`, as in a tree. */
function rangeHash(from: number, to: number, read: HashReader): Uint8Array {
  const size = to - from;
  const half = largestPowerBelow(size);
  if (size === 1 || half * 2 === size) return read(storedHashIndex(Math.log2(size), from / size));
  return nodeHash(rangeHash(from, from + half, read), rangeHash(from + half, to, read));
}

/** Returns the largest power of two below `size`; 1 for 1. */
function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

/** Returns the audit path of leaf `index` in the tree of `size` leaves, from its sibling upwards (RFC 6962 §2.1.1). */
export function inclusionProof(index: number, size: number, read: HashReader): Uint8Array[] {
  const path: Uint8Array[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + largestPowerBelow(to - from);
    if (index < middle) {
      path.unshift(rangeHash(middle, to, read));
      to = middle;
    } else {
      path.unshift(rangeHash(from, middle, read));
      from = middle;
    }
  }
  return path;
}

/** Returns the proof that the tree of `old` leaves is the beginning of that of `size` leaves; 0 < old ≤ size (RFC 6962 §2.1.2). */
export function consistencyProof(old: number, size: number, read: HashReader): Uint8Array[] {
  const path: Uint8Array[] = [];
  let [from, to] = [0, size];
  let whole = true;
  while (old < to) {
    const middle = from + largestPowerBelow(to - from);
    if (old <= middle) {
      path.unshift(rangeHash(middle, to, read));
      to = middle;
    } else {
      path.unshift(rangeHash(from, middle, read));
      from = middle;
      whole = false;
    }
  }
  return whole ? path : [rangeHash(from, to, read), ...path];
}

/** Returns the root to which an audit path leads from a leaf; null if the path does not have the length for that place. */
export function rootByInclusion(leaf: Uint8Array, index: number, size: number, path: readonly Uint8Array[]): Uint8Array | null {
  if (index < 0 || index >= size) return null;
  let [at, last, hash] = [index, size - 1, leaf];
  for (const other of path) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(other, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else hash = nodeHash(hash, other);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash : null;
}

/**
 * True if `path` proves that the tree of `old` leaves and root `oldRoot` is the beginning of that of `size` leaves and root
 * `root` (RFC 9162 §2.1.4.2).
 */
export function provesConsistency(
  { size: old, root: oldRoot }: { readonly size: number; readonly root: Uint8Array },
  { size, root }: { readonly size: number; readonly root: Uint8Array },
  path: readonly Uint8Array[],
): boolean {
  if (old === size) return path.length === 0 && equal(oldRoot, root);
  if (old <= 0 || old > size) return false;
  const isPower = largestPowerBelow(old * 2) === old;
  const [first, ...rest] = isPower ? [oldRoot, ...path] : path;
  if (first === undefined) return false;
  let [at, last] = [old - 1, size - 1];
  while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  let [before, after] = [first, first];
  for (const other of rest) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      before = nodeHash(other, before);
      after = nodeHash(other, after);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else after = nodeHash(after, other);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && equal(before, oldRoot) && equal(after, root);
}

export function equal(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
