/**
 * Conversions between bytes and text. The functions of Node.js buffers that are used here are ready at the start of Node.js,
 * while `toString` and other methods of Buffer are compiled at their first call in each process, which costs a hook more than all
 * its use of them. They are undocumented, so if they are missing, the documented ones are used.
 */
import { isUtf8 } from 'node:buffer';

/** Undocumented methods of Buffer, which work on any bytes. Both ends have to be within the bytes. */
interface Slices {
  readonly latin1Slice?: Slice;
  readonly utf8Slice?: Slice;
  readonly hexSlice?: Slice;
  /** Returns the number of bytes written. */
  readonly utf8Write?: (this: Uint8Array, text: string, from: number, most: number) => number;
}
type Slice = (this: Uint8Array, from: number, to: number) => string;

/** Looked up at each use, so that a program that needs one of them contains only that one. */
const given = (): Slices => Buffer.prototype;

/** Returns each byte from `from` up to `to` as the character with that code. */
export function latin1Of(bytes: Uint8Array, from = 0, to = bytes.length): string {
  return given().latin1Slice?.call(bytes, from, to) ?? bufferOf(bytes).toString('latin1', from, to);
}

/** Returns the bytes from `from` up to `to` as hexadecimal digits. */
export function hexOf(bytes: Uint8Array, from = 0, to = bytes.length): string {
  return given().hexSlice?.call(bytes, from, to) ?? bufferOf(bytes).toString('hex', from, to);
}

/** Decodes the first `length` bytes as UTF-8; null if they are not valid UTF-8. Keeps a byte order mark. */
export function utf8Of(bytes: Uint8Array, length = bytes.length): string | null {
  const text = given().utf8Slice?.call(bytes, 0, length) ?? bufferOf(bytes).toString('utf8', 0, length);
  // Invalid bytes are decoded to this character, which a text may also contain itself.
  return text.includes('\ufffd') && !isUtf8(bytes.subarray(0, length)) ? null : text;
}

/** Buffer for measuring texts, reused since a process measures many. */
let room = new Uint8Array(4096);

/** Returns the number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  // No UTF-16 unit takes more than three bytes.
  if (3 * text.length > room.length) room = new Uint8Array(6 * text.length);
  return given().utf8Write?.call(room, text, 0, room.length) ?? Buffer.byteLength(text);
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
