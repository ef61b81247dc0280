/**
 * Bytes as text. These functions of node's buffers are ready when node starts, while `toString` and what else a Buffer has is compiled
 * by the first call of each process: for a hook that is dearer than all it does with them. They are written down nowhere, so a
 * node that has none takes the way that is.
 */
import { isUtf8 } from 'node:buffer';

/** What node gives its buffers; it works on any bytes. Both ends have to lie in them. */
interface Slices {
  readonly latin1Slice?: Slice;
  readonly utf8Slice?: Slice;
  readonly hexSlice?: Slice;
  /** The bytes that it wrote. */
  readonly utf8Write?: (this: Uint8Array, text: string, from: number, most: number) => number;
}
type Slice = (this: Uint8Array, from: number, to: number) => string;

/** Asked for where it is used: a program that needs one of them holds that one only. */
const given = (): Slices => Buffer.prototype;

/** Each byte from `from` up to `to` as the character of its number. */
export function latin1Of(bytes: Uint8Array, from = 0, to = bytes.length): string {
  return given().latin1Slice?.call(bytes, from, to) ?? bufferOf(bytes).toString('latin1', from, to);
}

/** The bytes from `from` up to `to` in hexadecimal digits. */
export function hexOf(bytes: Uint8Array, from = 0, to = bytes.length): string {
  return given().hexSlice?.call(bytes, from, to) ?? bufferOf(bytes).toString('hex', from, to);
}

/** The text whose UTF-8 the first `length` bytes are; null when they are no valid UTF-8. A byte order mark stays. */
export function utf8Of(bytes: Uint8Array, length = bytes.length): string | null {
  const text = given().utf8Slice?.call(bytes, 0, length) ?? bufferOf(bytes).toString('utf8', 0, length);
  // In the place of what is not valid stands this character, which a text can also hold itself.
  return text.includes('\ufffd') && !isUtf8(bytes.subarray(0, length)) ? null : text;
}

/** Where texts are written to be measured: a process measures many. */
let room = new Uint8Array(4096);

/** How many bytes the UTF-8 of a text has. */
export function utf8Length(text: string): number {
  // No unit of a text takes more than three.
  if (3 * text.length > room.length) room = new Uint8Array(6 * text.length);
  return given().utf8Write?.call(room, text, 0, room.length) ?? Buffer.byteLength(text);
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
