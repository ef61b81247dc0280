/** A stretch of a line that was read, so that the same bytes in a later line of the buffer need not be read again. */
import type { Bytes } from './bytes.js';
import { NONE } from './line-fields.js';

/** No shorter stretch is compared. */
const SHORTEST = 8;

export class Stretch {
  #from = 0;
  #length = 0;

  /** The place behind the same bytes at `at`; -1 when others stand there, or they do not end before `end`. */
  again(buffer: Bytes, at: number, end: number): number {
    return standsAgain(buffer, at, end, this.#from, this.#length) ? at + this.#length : NONE;
  }

  /** Remembers what lies from `from` up to `behind`. What it is must not depend on what follows it. Gives `behind`. */
  keep(from: number, behind: number): number {
    this.#from = from;
    this.#length = behind - from;
    return behind;
  }

  /** Has to be called when other bytes lie in the buffer than before. */
  forget(): void {
    this.#length = 0;
  }
}

/**
 * True when the `length` bytes at `before` stand at `at`, too, and end before `end`; never for a short stretch. Eights are compared as
 * the numbers that they would be, which is right for the reason that bytes.ts gives.
 */
export function standsAgain({ view }: Bytes, at: number, end: number, before: number, length: number): boolean {
  if (length < SHORTEST || at + length > end) return false;
  const last = length - 8;
  // Two stretches that differ often do so at their ends, in a digest or a number.
  if (view.getFloat64(at + last, true) !== view.getFloat64(before + last, true)) return false;
  for (let index = 0; index < last; index += 8)
    if (view.getFloat64(at + index, true) !== view.getFloat64(before + index, true)) return false;
  return true;
}
