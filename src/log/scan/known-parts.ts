/**
 * Stretches of lines that were read whole before. Most of a line is the same as in one that was read already: where the same bytes
 * stand again at the same place, they mean the same.
 */
import { type Bytes, type Pattern, patternOf, standsAt } from './bytes.js';

interface Part<Meaning> {
  readonly pattern: Pattern;
  readonly meaning: Meaning;
}

/** Parts that are kept; when there are more, all are forgotten and learned again. */
const MOST_PARTS = 4_096;
/** So many parts that begin alike are looked through. */
const MOST_ALIKE = 256;
const BUCKETS = 1_024;

export class KnownParts<Meaning> {
  readonly #from: number;
  readonly #to: number;
  #buckets: (Part<Meaning>[] | undefined)[] = new Array(BUCKETS);
  #count = 0;
  /** What was found last, which is often found again. */
  #last: Part<Meaning> | null = null;

  /** @param from @param to which bytes of a part, counted from its beginning, tell it from most others: a multiple of 4 */
  constructor(from: number, to: number) {
    this.#from = from;
    this.#to = to;
  }

  /** The known part at `at`; null when what stands there was not learned. */
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

  /** Keeps a part that stands at `at`. */
  learn(buffer: Bytes, at: number, end: number, text: string, meaning: Meaning): void {
    // What tells parts apart has to lie in them, so that what stands behind does not matter.
    if (text.length < this.#to) return;
    const pattern = patternOf(text);
    if (!standsAt(buffer, at, end, pattern)) return;
    if (this.#count >= MOST_PARTS) {
      this.#buckets = new Array(BUCKETS);
      this.#count = 0;
    }
    const bucket = this.#bucketAt(buffer.view, at, end);
    const alike = this.#buckets[bucket] ?? [];
    this.#buckets[bucket] = alike;
    if (alike.length >= MOST_ALIKE) alike.pop();
    else this.#count += 1;
    alike.unshift({ pattern, meaning });
  }

  #bucketAt(view: DataView, at: number, end: number): number {
    if (at + this.#to > end) return 0;
    let hash = 0;
    for (let place = at + this.#from; place < at + this.#to; place += 4)
      hash = Math.imul(hash ^ view.getInt32(place, true), 0x9e3779b1) ^ (hash >>> 15);
    return (hash ^ (hash >>> 13)) & (BUCKETS - 1);
  }
}

/** Moves an element to the front by one place: what is found often is soon found at once. */
function forward<T>(list: T[], index: number): void {
  const [before, one] = [list[index - 1], list[index]];
  if (before === undefined || one === undefined) return;
  list[index - 1] = one;
  list[index] = before;
}
