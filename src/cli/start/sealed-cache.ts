/**
 * A code cache with a checksum that shows whether it is complete and of this build: V8 checks little more than its length, and a
 * damaged cache crashes Node.js. It guards against accidents only; anyone who may write here may change the program just as well.
 */
import { crc32 } from 'node:zlib';
import { BUILD } from '../../generated/build.js';

const SEAL_BYTES = 4;

/** Returns the bytes to store for a cache. */
export function sealedCache(cache: Uint8Array): Uint8Array {
  const file = Buffer.alloc(cache.length + SEAL_BYTES);
  file.set(cache);
  file.writeUInt32LE(sealOf(cache), cache.length);
  return file;
}

/** Returns the cache in the bytes of a file; undefined when they are damaged, or were written by another build. */
export function cacheIn(file: Uint8Array): Uint8Array | undefined {
  const end = file.length - SEAL_BYTES;
  if (end <= 0) return undefined;
  const cache = file.subarray(0, end);
  const seal = new DataView(file.buffer, file.byteOffset + end, SEAL_BYTES).getUint32(0, true);
  return seal === sealOf(cache) ? cache : undefined;
}

function sealOf(cache: Uint8Array): number {
  return crc32(cache, crc32(BUILD));
}
