/** The key of this installation's input digests: without it, no one can test guesses of a command against the log. */

import { randomBytes } from '../record/random.js';
import { type KeyFile, readOrMakeKey, refuseKey } from './key-file.js';

const KEY_BYTES = 32;
const KIND: KeyFile = { what: 'digest key', advice: 'remove it and a new one is made', most: KEY_BYTES };

/**
 * Returns the 32 bytes of `digest.key` in the state directory; the first call creates the file (mode 600). Throws LogError when
 * the file is not accessible to this user alone or has another size.
 */
export function digestKey(stateDirectory: string): Uint8Array {
  const file = `${stateDirectory}/digest.key`;
  const key = readOrMakeKey(file, KIND, () => randomBytes(KEY_BYTES));
  return key.length === KEY_BYTES ? key : refuseKey(file, KIND, `is not a file of ${KEY_BYTES} bytes`);
}
