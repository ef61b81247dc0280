/** Remembers which calls were decided recently, in bounded memory. A call is identified by a 64-bit hash with a random seed. */

/** At least this many of the last calls are remembered, and at most twice as many. */
const REMEMBERED = 100_000;
/** Slots of a table at first, a power of two: most logs are short, and a large table takes long to make. */
const PLACES = 4_096;

/** Two halves of a hash, which is extended by one text after another. */
export interface CallHash {
  high: number;
  low: number;
}

const SEED: Readonly<CallHash> = { high: random32(), low: random32() };

function random32(): number {
  return Math.floor(Math.random() * 2 ** 32) | 0;
}

/** Resets `hash`. */
export function beginHash(hash: CallHash, { high, low }: Readonly<CallHash> = SEED): void {
  hash.high = high;
  hash.low = low;
}

/** Adds the bytes from `from` up to `to` to `hash`: their number, then groups of four, then the remaining ones. */
export function addToHash(hash: CallHash, bytes: Uint8Array, from = 0, to = bytes.length): void {
  let { high, low } = hash;
  let at = from;
  let next = to - from;
  for (;;) {
    high = Math.imul(high ^ next, 0x01000193) ^ (low >>> 11);
    low = Math.imul(low + next, 0x85ebca6b) ^ (high >>> 15);
    if (at >= to) break;
    if (at + 4 <= to) {
      next = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
      at += 4;
    } else next = bytes[at++] ?? 0;
  }
  hash.high = high;
  hash.low = low;
}

export class RecentCalls {
  #now = new Generation();
  #before: Generation | null = null;

  add(call: Readonly<CallHash>): void {
    if (this.#now.size === REMEMBERED) {
      this.#before = this.#now;
      this.#now = new Generation();
    }
    this.#now.add(call);
  }

  has(call: Readonly<CallHash>): boolean {
    return this.#now.has(call) || this.#before?.has(call) === true;
  }
}

/** A hash table with open addressing, never more than half full: then it grows. */
class Generation {
  size = 0;
  /** High and low halves alternate; a slot with two zeros is free. */
  #table = new Int32Array(2 * PLACES);

  add({ high, low }: Readonly<CallHash>): void {
    const place = this.#placeOf(high, low);
    if (this.#table[place] !== 0 || this.#table[place + 1] !== 0) return;
    this.#table[place] = high;
    this.#table[place + 1] = low;
    this.size += 1;
    const calls = this.#table;
    if (4 * this.size <= calls.length) return;
    this.#table = new Int32Array(2 * calls.length);
    this.size = 0;
    for (let at = 0; at < calls.length; at += 2)
      if (calls[at] !== 0 || calls[at + 1] !== 0) this.add({ high: calls[at] ?? 0, low: calls[at + 1] ?? 0 });
  }

  has({ high, low }: Readonly<CallHash>): boolean {
    const place = this.#placeOf(high, low);
    return this.#table[place] !== 0 || this.#table[place + 1] !== 0;
  }

  /** Returns the slot of a call, or the free slot for it. The all-zero hash (one in 2^64) cannot be stored. */
  #placeOf(high: number, low: number): number {
    const last = this.#table.length - 1;
    let place = (2 * (low ^ (low >>> 14) ^ high ^ (high >>> 15))) & last;
    while (this.#table[place] !== 0 || this.#table[place + 1] !== 0) {
      if (this.#table[place] === high && this.#table[place + 1] === low) return place;
      place = (place + 2) & last;
    }
    return place;
  }
}
