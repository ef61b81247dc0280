/** Random bytes without loading node:crypto if the system has a random device. */
import { closeSync, openSync, readSync } from 'node:fs';

/** Returns `count` unpredictable bytes. Systems without /dev/urandom (Windows, some containers) take them from node:crypto. */
export function randomBytes(count: number): Uint8Array {
  return fromDevice(count) ?? process.getBuiltinModule('node:crypto').randomBytes(count);
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
