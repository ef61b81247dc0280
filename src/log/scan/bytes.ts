/** What lies in a buffer, byte by byte and, where that is quicker, four bytes at a time. */

export interface Bytes {
  readonly bytes: Buffer;
  /** The same memory. */
  readonly view: DataView;
}

/** `length` bytes, all zero. */
export function bytesOf(length: number): Bytes {
  const bytes = Buffer.alloc(length);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, length) };
}

/**
 * A text that has to stand at a place: all its bytes by eights, of which the last two may overlap, and its first and its last four.
 * Eights are compared as the numbers that they would be: different ones that are equal (0 and -0) hold bytes 0, which no line has, and
 * the one that is not equal to itself is read the slow way.
 */
export interface Pattern {
  readonly length: number;
  readonly eights: Float64Array;
  readonly first: number;
  readonly last: number;
}

/** Throws RangeError for less than four bytes: no part of a record is so short. */
export function patternOf(text: string): Pattern {
  const bytes = Buffer.from(text);
  const { length } = bytes;
  const eights = new Float64Array(length < 8 ? 0 : Math.ceil(length / 8));
  for (let index = 0; index < eights.length; index += 1) eights[index] = bytes.readDoubleLE(Math.min(8 * index, length - 8));
  return { length, eights, first: bytes.readInt32LE(0), last: bytes.readInt32LE(length - 4) };
}

/** True when `pattern` stands at `at`, and ends before `end`. */
export function standsAt({ view }: Bytes, at: number, end: number, { length, eights, first, last }: Pattern): boolean {
  const behind = at + length;
  if (behind > end || view.getInt32(behind - 4, true) !== last || view.getInt32(at, true) !== first) return false;
  const most = eights.length - 1;
  for (let index = 0, from = at; index < most; index += 1, from += 8)
    if (view.getFloat64(from, true) !== eights[index]) return false;
  return most < 0 || view.getFloat64(behind - 8, true) === eights[most];
}
