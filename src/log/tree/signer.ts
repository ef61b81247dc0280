/** The signing key of this installation's log, created by the first seal. */
import { join } from 'node:path';
import { treeDirectory } from '../files/directory.js';
import { type KeyFile, readKey, readOrMakeKey, refuseKey } from '../files/key-file.js';
import { hexOf } from '../record/bytes.js';
import { randomBytes } from '../record/random.js';
import { parseSigner, type Signer, signerText } from './signed-note.js';
import { NAMES } from './state.js';

const KIND: KeyFile = {
  what: 'signing key',
  advice: 'restore it from a backup, or move the folder away to begin a new tree',
  most: 1_024,
};

/**
 * Returns the key that signs checkpoints. Throws LogError when its file is not accessible to this user alone, damaged, or missing.
 * @param isNew no checkpoint was signed yet; only then a missing key is created
 */
export function openSigner(stateDirectory: string, isNew: boolean): Signer {
  const path = join(treeDirectory(stateDirectory), NAMES.signer);
  const bytes = isNew ? readOrMakeKey(path, KIND, newKey) : readKey(path, KIND);
  if (bytes === null) return refuseKey(path, KIND, 'is gone although it signed checkpoints');
  return parseSigner(Buffer.from(bytes).toString('utf8')) ?? refuseKey(path, KIND, 'is not a signing key');
}

/** The name of a log is a URL without a schema (c2sp.org/tlog-checkpoint); its end distinguishes the logs of all installations. */
function newKey(): Uint8Array {
  const name = `agent-policy.dev/log/${hexOf(randomBytes(8))}`;
  return Buffer.from(`${signerText(name, randomBytes(32))}\n`);
}
