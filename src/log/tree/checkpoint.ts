/** Checkpoints (c2sp.org/tlog-checkpoint): signed statements of the number of records in a log and of their root hash. */
import { HASH_BYTES } from './merkle.js';
import { openNote, type Signer, signNote, type Verifier } from './signed-note.js';

export interface Checkpoint {
  /** Number of leaves. */
  readonly size: number;
  readonly root: Uint8Array;
}

/** Returns the signed checkpoint of a tree; its origin is the name of the key. */
export function signCheckpoint({ size, root }: Checkpoint, signer: Signer): string {
  return signNote(`${signer.verifier.name}\n${size}\n${Buffer.from(root).toString('base64')}\n`, signer);
}

/** Returns the size in a checkpoint, regardless of its signer; 0 if it is not a checkpoint. */
export function checkpointSize(note: string): number {
  const [, size = ''] = note.split('\n', 2);
  return SIZE.test(size) ? Number(size) : 0;
}

const SIZE = /^(?:0|[1-9]\d{0,14})$/;

/** Returns the content of a checkpoint; null if `verifier` did not sign it or it is of another log. */
export function openCheckpoint(note: string, verifier: Verifier): Checkpoint | null {
  const [origin, size = '', root = ''] = openNote(note, verifier)?.split('\n') ?? [];
  if (origin !== verifier.name || !SIZE.test(size)) return null;
  const bytes = Buffer.from(root, 'base64');
  if (bytes.length !== HASH_BYTES || bytes.toString('base64') !== root) return null;
  return { size: Number(size), root: bytes };
}
