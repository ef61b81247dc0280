/** A stretch of a line that was read, so that the same bytes in a later line of the buffer need not be read again. */
import type { Bytes } from './bytes.js';
import { NONE } from './line-fields.js';

/** Shorter stretches are not compared. */
const SHORTEST = 8;

export class Stretch {
  #from = 0;
  #length = 0;

  /** Returns the end of the same bytes at `at`; -1 if the bytes differ, or do not end before `end`. */
  again(buffer: Bytes, at: number, end: number): number {
    return standsAgain(buffer, at, end, this.#from, this.#length) ? at + this.#length : NONE;
  }

  /** Remembers the bytes from `from` up to `behind`, whose meaning must not depend on the following bytes. Returns `behind`. */
  keep(from: number, behind: number): number {
    this.#from = from;
    this.#length = behind - from;
    return behind;
  }

  /** Must be called when the content of the buffer has changed. */
  forget(): void {
    this.#length = 0;
  }
}

/**
 * True if the `length` bytes at `before` recur at `at`, ending before `end`; never for a short stretch. Groups of eight are
 * compared as floating-point numbers, which is correct for the reason in bytes.ts.
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
