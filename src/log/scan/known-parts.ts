/**
 * Stretches of lines that were read whole before. Most of a line is the same as in one that was read already: where the same bytes
 * stand again at the same place, they mean the same.
 */
import { type Bytes, type Pattern, patternOf, standsAt } from './bytes.js';

export interface Part<Meaning> {
  readonly pattern: Pattern;
  readonly meaning: Meaning;
}

/** Parts that are kept; when there are more, all are forgotten and learned again. */
const MOST_PARTS = 4_096;
/** So many parts that begin alike are looked through. */
const MOST_ALIKE = 64;
const BUCKET_BITS = 11;
const BUCKETS = 2 ** BUCKET_BITS;
/** No shorter text is compared. */
const SHORTEST = 4;

export class KnownParts<Meaning> {
  readonly #from: number;
  readonly #to: number | null;
  #buckets: (Part<Meaning>[] | undefined)[] = new Array(BUCKETS);
  #count = 0;
  /** What was found last, which is often found again. */
  #last: Part<Meaning> | null = null;

  /**
   * @param from @param to which bytes of a part, counted from its beginning, tell it from most others: a multiple of 4. With `to` null
   * a part is looked for only where its end is known, and all of it counts.
   */
  constructor(from: number, to: number | null) {
    this.#from = from;
    this.#to = to;
  }

  /** The part that was found last, when it stands at `at` again. */
  again(buffer: Bytes, at: number, end: number): Part<Meaning> | null {
    const last = this.#last;
    return last !== null && standsAt(buffer, at, end, last.pattern) ? last : null;
  }

  /** The known part at `at`; null when what stands there was not learned. `end` is where the part ends, or the last line does. */
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

  /** Keeps a part that stands at `at`, and that find did not find. Gives it; null when it is none that can be kept. */
  learn(buffer: Bytes, at: number, end: number, text: string, meaning: Meaning): Part<Meaning> | null {
    // What tells parts apart has to lie in them, so that what stands behind does not matter.
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

/** Moves an element to the front by one place: what is found often is soon found at once. */
function forward<T>(list: T[], index: number): void {
  const [before, one] = [list[index - 1], list[index]];
  if (before === undefined || one === undefined) return;
  list[index - 1] = one;
  list[index] = before;
}
