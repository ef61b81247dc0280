/** The bytes of a buffer, readable one by one and, where that is faster, several at a time. */

export interface Bytes {
  readonly bytes: Buffer;
  /** The same memory. */
  readonly view: DataView;
}

/** Returns `length` bytes, all zero. */
export function bytesOf(length: number): Bytes {
  const bytes = Buffer.alloc(length);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, length) };
}

/**
 * A text to compare with the bytes at a place: all its bytes in groups of eight, of which the last two may overlap, and its first
 * and last four. Groups of eight are compared as floating-point numbers: different ones that are equal (0 and -0) contain zero
 * bytes, which no line has; NaN, which does not equal itself, makes the line take the slow path.
 */
export interface Pattern {
  readonly length: number;
  readonly eights: Float64Array;
  readonly first: number;
  readonly last: number;
}

/** Throws RangeError for fewer than four bytes: no part of a record is so short. */
export function patternOf(text: string): Pattern {
  const bytes = Buffer.from(text);
  const { length } = bytes;
  const eights = new Float64Array(length < 8 ? 0 : Math.ceil(length / 8));
  for (let index = 0; index < eights.length; index += 1) eights[index] = bytes.readDoubleLE(Math.min(8 * index, length - 8));
  return { length, eights, first: bytes.readInt32LE(0), last: bytes.readInt32LE(length - 4) };
}

/** True if the bytes at `at` are those of `pattern`, up to `end` at most. */
export function standsAt({ view }: Bytes, at: number, end: number, { length, eights, first, last }: Pattern): boolean {
  const behind = at + length;
  if (behind > end || view.getInt32(behind - 4, true) !== last || view.getInt32(at, true) !== first) return false;
  const most = eights.length - 1;
  for (let index = 0, from = at; index < most; index += 1, from += 8)
    if (view.getFloat64(from, true) !== eights[index]) return false;
  return most < 0 || view.getFloat64(behind - 8, true) === eights[most];
}
