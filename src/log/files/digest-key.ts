/** The key of this installation's input digests: without it, no one can test guesses of a command against the log. */

import type { Stats } from 'node:fs';
import { randomBytes } from '../record/random.js';
import { isSameFile, lookAt } from './directory.js';
import { type KeyFile, readOrMakeKey, refuseKey } from './key-file.js';

const KEY_BYTES = 32;
const KIND: KeyFile = { what: 'digest key', advice: 'remove it, and a new one is made', most: KEY_BYTES };

/** The key that was read last, and its file as it was before that. */
let known: { readonly file: string; readonly stat: Stats; readonly key: Uint8Array } | null = null;

/**
 * Returns the 32 bytes of `digest.key` in the state directory; the first call creates the file (mode 600). Throws LogError when
 * the file is not accessible to this user alone or has another size.
 */
export function digestKey(stateDirectory: string): Uint8Array {
  const file = `${stateDirectory}/digest.key`;
  const stat = lookAt(file);
  if (known?.file === file && stat !== undefined && isSameFile(stat, known.stat) && stat.ctimeMs === known.stat.ctimeMs)
    return known.key;
  const key = readOrMakeKey(file, KIND, () => randomBytes(KEY_BYTES));
  if (key.length !== KEY_BYTES) return refuseKey(file, KIND, `is not a file of ${KEY_BYTES} bytes`);
  known = stat === undefined ? null : { file, stat, key };
  return key;
}
