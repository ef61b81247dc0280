/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104). Loading node:crypto adds at least a fifth to a hook's whole start, so short texts are
 * hashed here, and long ones by a small program (.ci/sha256-program.mjs).
 */
import { SHA256_PROGRAM } from '../../generated/sha256-program.js';

/** From this many bytes on, starting the program is cheaper than hashing in JavaScript that is not yet compiled. */
const LONG_TEXT = 768;
const BLOCK = 64;

// biome-ignore format: a table
const K = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
  0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
  0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
  0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
  0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
  0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);

// biome-ignore format: a table
const INITIAL = new Int32Array([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

/** Returns the HMAC-SHA256 of `message` under `key`, in hexadecimal digits. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): string {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? bytesOf(digestOf(key)) : key);
  const inner = new Uint8Array(BLOCK + message.length);
  const outer = new Uint8Array(BLOCK + 32);
  padInto(inner, block, 0x36363636);
  padInto(outer, block, 0x5c5c5c5c);
  inner.set(message, BLOCK);
  outer.set(bytesOf(digestOf(inner)), BLOCK);
  return hexOf(digestOf(outer));
}

/** Writes a key's block, XORed with a pattern. */
function padInto(bytes: Uint8Array<ArrayBuffer>, block: Uint8Array<ArrayBuffer>, pattern: number): void {
  const key = new Int32Array(block.buffer);
  const words = new Int32Array(bytes.buffer, 0, BLOCK / 4);
  for (let index = 0; index < BLOCK / 4; index += 1) words[index] = (key[index] ?? 0) ^ pattern;
}

/** Returns the SHA-256 of `message`, in hexadecimal digits. */
export function sha256(message: Uint8Array): string {
  return hexOf(digestOf(message));
}

/** Returns the eight numbers of a digest. */
function digestOf(message: Uint8Array): Int32Array {
  const state = INITIAL.slice();
  const blocks = blocksOf(message);
  const program = message.length < LONG_TEXT ? null : startProgram();
  if (program !== null) {
    runProgram(program, state, blocks);
    return state;
  }
  const view = new DataView(blocks.buffer);
  const words = new Int32Array(BLOCK);
  for (let offset = 0; offset < blocks.length; offset += BLOCK) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getInt32(offset + 4 * index);
    expand(words);
    compress(state, words);
  }
  return state;
}

function bytesOf(digest: Int32Array): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(4 * digest.length));
  for (let index = 0; index < digest.length; index += 1) bytes.setInt32(4 * index, digest[index] ?? 0);
  return new Uint8Array(bytes.buffer);
}

function hexOf(digest: Int32Array): string {
  let digits = '';
  for (let index = 0; index < 8; index += 1) digits += ((digest[index] ?? 0) >>> 0).toString(16).padStart(8, '0');
  return digits;
}

/** Returns the message, a one bit, zeros, and the message's length in bits: a multiple of 64 bytes. */
function blocksOf(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 0x2000_0000));
  view.setUint32(padded.length - 4, message.length << 3);
  return padded;
}

/** The exports of SHA256_PROGRAM; see there. */
interface Program {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly blocks: (at: number, end: number) => void;
}

/** Offset of the message in its memory; ROOM is the maximum length of one part. */
const MESSAGE = 1024;
const ROOM = 65_536 - MESSAGE;

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

let started: Program | null | undefined;

function startProgram(): Program | null {
  if (started === undefined) {
    try {
      started = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(SHA256_PROGRAM, 'base64'))).exports as Program;
    } catch {
      // Node.js without WebAssembly (`--jitless`), or too little memory for it: JavaScript returns the same digest, only more slowly.
      started = null;
    }
  }
  return started;
}

/** Adds all blocks of a message to the state. */
function runProgram({ memory, blocks }: Program, state: Int32Array, padded: Uint8Array): void {
  const words = new DataView(memory.buffer);
  const room = new Uint8Array(memory.buffer, MESSAGE, ROOM);
  for (let index = 0; index < state.length; index += 1) words.setInt32(4 * index, state[index] ?? 0, true);
  for (let at = 0; at < padded.length; at += ROOM) {
    const part = padded.subarray(at, at + ROOM);
    room.set(part);
    blocks(MESSAGE, MESSAGE + part.length);
  }
  for (let index = 0; index < state.length; index += 1) state[index] = words.getInt32(4 * index, true);
}

/** The 48 words that the 16 of a block grow into. Rotations are written out: code that runs once has no fast calls. */
// biome-ignore format: one thought a line
function expand(w: Int32Array): void {
  for (let i = 16; i < BLOCK; i += 1) {
    const x = w[i - 15] ?? 0;
    const y = w[i - 2] ?? 0;
    const s0 = (x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ (x >>> 3);
    const s1 = (y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ (y >>> 10);
    w[i] = (w[i - 16] ?? 0) + s0 + (w[i - 7] ?? 0) + s1;
  }
}

/**
 * One block's 64 rounds, four at a time: V8 optimizes such a long loop only after some thousands of bytes, which would cost a
 * hook more than all of its hashing.
 */
// biome-ignore format: a table
function compress(state: Int32Array, w: Int32Array): void {
  let a = state[0] ?? 0, b = state[1] ?? 0, c = state[2] ?? 0, d = state[3] ?? 0;
  let e = state[4] ?? 0, f = state[5] ?? 0, g = state[6] ?? 0, h = state[7] ?? 0;
  for (let i = 0; i < BLOCK; i += 4) {
    h = (h + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (g ^ e & (f ^ g)) + (K[i + 0] ?? 0) + (w[i + 0] ?? 0)) | 0;
    d = (d + h) | 0;
    h = (h + ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b | c & (a | b))) | 0;
    g = (g + ((d >>> 6 | d << 26) ^ (d >>> 11 | d << 21) ^ (d >>> 25 | d << 7)) + (f ^ d & (e ^ f)) + (K[i + 1] ?? 0) + (w[i + 1] ?? 0)) | 0;
    c = (c + g) | 0;
    g = (g + ((h >>> 2 | h << 30) ^ (h >>> 13 | h << 19) ^ (h >>> 22 | h << 10)) + (h & a | b & (h | a))) | 0;
    f = (f + ((c >>> 6 | c << 26) ^ (c >>> 11 | c << 21) ^ (c >>> 25 | c << 7)) + (e ^ c & (d ^ e)) + (K[i + 2] ?? 0) + (w[i + 2] ?? 0)) | 0;
    b = (b + f) | 0;
    f = (f + ((g >>> 2 | g << 30) ^ (g >>> 13 | g << 19) ^ (g >>> 22 | g << 10)) + (g & h | a & (g | h))) | 0;
    e = (e + ((b >>> 6 | b << 26) ^ (b >>> 11 | b << 21) ^ (b >>> 25 | b << 7)) + (d ^ b & (c ^ d)) + (K[i + 3] ?? 0) + (w[i + 3] ?? 0)) | 0;
    a = (a + e) | 0;
    e = (e + ((f >>> 2 | f << 30) ^ (f >>> 13 | f << 19) ^ (f >>> 22 | f << 10)) + (f & g | h & (f | g))) | 0;
    let swapped = a;
    a = e;
    e = swapped;
    swapped = b;
    b = f;
    f = swapped;
    swapped = c;
    c = g;
    g = swapped;
    swapped = d;
    d = h;
    h = swapped;
  }
  const rounds = [a, b, c, d, e, f, g, h];
  for (let index = 0; index < 8; index += 1) state[index] = (state[index] ?? 0) + (rounds[index] ?? 0);
}
