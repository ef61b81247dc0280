/** Random bytes without loading node:crypto if the system has a random device. */
import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes that are read at once, and those of them that nobody has been given. */
const BLOCK = 256;
let left: Uint8Array = new Uint8Array(0);

/** Returns `count` unpredictable bytes. Systems without /dev/urandom (Windows, some containers) take them from node:crypto. */
export function randomBytes(count: number): Uint8Array {
  if (left.length < count) {
    const most = Math.max(count, BLOCK);
    left = fromDevice(most) ?? process.getBuiltinModule('node:crypto').randomBytes(most);
  }
  const given = left.slice(0, count);
  left = left.subarray(count);
  return given;
}

function fromDevice(count: number): Uint8Array | null {
  let device: number;
  try {
    device = openSync('/dev/urandom', 'r');
  } catch {
    return null;
  }
  try {
    const bytes = new Uint8Array(count);
    return readSync(device, bytes, 0, count, null) === count ? bytes : null;
  } catch {
    return null;
  } finally {
    closeSync(device);
  }
}
