/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104). Loading node:crypto costs a hook a fifth of its whole start; the compression function as
 * a WebAssembly module of less than a kilobyte (.ci/sha256-wasm.mjs) costs next to nothing.
 */
import { BLOCKS, INITIAL, MODULE, STATE } from '../generated/sha256.js';

const BLOCK = 64;
/** A page less the module's own places; the padding of a last part needs a block more. */
const ROOM = 65_536 - BLOCKS - BLOCK;

/** An instance of the module. */
interface Compressor {
  readonly memory: Uint8Array;
  readonly view: DataView;
  /** Takes so many blocks of the memory into the state. */
  readonly compress: (blocks: number) => void;
}

/** As far as it is used here; node is run without it by `--jitless`. */
interface WebAssemblyLike {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => { readonly exports: { readonly memory: { readonly buffer: ArrayBuffer }; readonly compress: Compressor['compress'] } };
}

let made: Compressor | null | undefined;

/** Null where there is no WebAssembly, or no memory for it: then node:crypto hashes. */
function compressor(): Compressor | null {
  if (made !== undefined) return made;
  try {
    const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyLike }).WebAssembly;
    const { memory, compress } = new Instance(new Module(Buffer.from(MODULE, 'base64'))).exports;
    made = { memory: new Uint8Array(memory.buffer), view: new DataView(memory.buffer), compress };
  } catch {
    made = null;
  }
  return made;
}

/** The HMAC-SHA256 of `message` under `key`, 32 bytes. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = new Uint8Array(BLOCK + message.length);
  const outer = new Uint8Array(BLOCK + 32);
  for (let index = 0; index < BLOCK; index += 1) {
    const byte = block[index] ?? 0;
    inner[index] = byte ^ 0x36;
    outer[index] = byte ^ 0x5c;
  }
  inner.set(message, BLOCK);
  outer.set(sha256(inner), BLOCK);
  return sha256(outer);
}

/** The SHA-256 of `message`, 32 bytes. */
export function sha256(message: Uint8Array): Uint8Array {
  const own = compressor();
  if (own === null) return process.getBuiltinModule('node:crypto').createHash('sha256').update(message).digest();
  const { memory, view, compress } = own;
  INITIAL.forEach((word, index) => {
    view.setUint32(STATE + 4 * index, word, true);
  });
  let done = 0;
  for (; message.length - done >= ROOM; done += ROOM) {
    memory.set(message.subarray(done, done + ROOM), BLOCKS);
    compress(ROOM / BLOCK);
  }
  compress(lastBlocks(own, message, done));
  const digest = new DataView(new ArrayBuffer(32));
  for (let at = 0; at < 32; at += 4) digest.setUint32(at, view.getUint32(STATE + at, true));
  return new Uint8Array(digest.buffer);
}

/** Lays out the rest of the message, a one bit, zeros, and the message's length in bits; gives how many blocks that is. */
function lastBlocks({ memory, view }: Compressor, message: Uint8Array, from: number): number {
  const end = BLOCKS + message.length - from;
  const blocks = Math.ceil((end - BLOCKS + 9) / BLOCK);
  const length = BLOCKS + blocks * BLOCK - 8;
  memory.set(message.subarray(from), BLOCKS);
  memory.fill(0, end, length);
  memory[end] = 0x80;
  view.setUint32(length, Math.floor(message.length / 0x2000_0000));
  view.setUint32(length + 4, message.length << 3);
  return blocks;
}
