/**
 * Parts of lines that were read before. Most of a line equals that of an earlier one: the same bytes in the same position have
 * the same meaning.
 */
import { type Bytes, type Pattern, patternOf, standsAt } from './bytes.js';

export interface Part<Meaning> {
  readonly pattern: Pattern;
  readonly meaning: Meaning;
}

/** Maximum number of parts; when it is exceeded, all are forgotten and learned again. */
const MOST_PARTS = 4_096;
/** Maximum number of parts per bucket that are compared. */
const MOST_ALIKE = 64;
const BUCKET_BITS = 11;
const BUCKETS = 2 ** BUCKET_BITS;
/** Shorter texts are not compared. */
const SHORTEST = 4;

export class KnownParts<Meaning> {
  readonly #from: number;
  readonly #to: number | null;
  #buckets: (Part<Meaning>[] | undefined)[] = new Array(BUCKETS);
  #count = 0;
  /** The last match, which often matches again. */
  #last: Part<Meaning> | null = null;

  /**
   * @param from @param to the range of bytes of a part, counted from its beginning, that distinguishes it from most others:
   * multiples of 4. With `to` null, a part is looked up only if its end is known, and all of its bytes are used.
   */
  constructor(from: number, to: number | null) {
    this.#from = from;
    this.#to = to;
  }

  /** Returns the last match if it matches at `at` again. */
  again(buffer: Bytes, at: number, end: number): Part<Meaning> | null {
    const last = this.#last;
    return last !== null && standsAt(buffer, at, end, last.pattern) ? last : null;
  }

  /** Returns the known part at `at`; null if its bytes were not learned. `end` is the end of the part, or of the last line. */
  find(buffer: Bytes, at: number, end: number): Part<Meaning> | null {
    const last = this.#last;
    if (last !== null && standsAt(buffer, at, end, last.pattern)) return last;
    const alike = this.#buckets[this.#bucketAt(buffer.view, at, end)];
    if (alike === undefined) return null;
    for (let index = 0; index < alike.length; index += 1) {
      const part = alike[index];
      if (part === undefined || !standsAt(buffer, at, end, part.pattern)) continue;
      if (index > 0) forward(alike, index);
      this.#last = part;
      return part;
    }
    return null;
  }

  /** Learns a part at `at` that `find` did not find. Returns it; null if it cannot be kept. */
  learn(buffer: Bytes, at: number, end: number, text: string, meaning: Meaning): Part<Meaning> | null {
    // The distinguishing bytes have to be within the part, so that the text after it does not matter.
    if (text.length < Math.max(SHORTEST, this.#to ?? 0)) return null;
    const pattern = patternOf(text);
    if (!standsAt(buffer, at, end, pattern)) return null;
    if (this.#count >= MOST_PARTS) {
      this.#buckets = new Array(BUCKETS);
      this.#count = 0;
    }
    const bucket = this.#bucketAt(buffer.view, at, this.#to === null ? at + pattern.length : end);
    const alike = this.#buckets[bucket] ?? [];
    this.#buckets[bucket] = alike;
    if (alike.length >= MOST_ALIKE) alike.pop();
    else this.#count += 1;
    const part = { pattern, meaning };
    alike.unshift(part);
    return part;
  }

  #bucketAt(view: DataView, at: number, end: number): number {
    const to = this.#to === null ? end : at + this.#to;
    if (to > end || to < at + SHORTEST) return 0;
    const last = to - 4;
    let hash = view.getInt32(last, true);
    for (let place = at + this.#from; place < last; place += 4) hash = ((hash << 5) | (hash >>> 27)) ^ view.getInt32(place, true);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0x9e3779b1);
    return hash >>> (32 - BUCKET_BITS);
  }
}

/** Moves an element one place towards the front, so that frequent ones are found early. */
function forward<T>(list: T[], index: number): void {
  const [before, one] = [list[index - 1], list[index]];
  if (before === undefined || one === undefined) return;
  list[index - 1] = one;
  list[index] = before;
}
