/** Checkpoints (c2sp.org/tlog-checkpoint): the signed statement how many records a log has and what their root is. */
import { HASH_BYTES } from './merkle.js';
import { openNote, type Signer, signNote, type Verifier } from './signed-note.js';

export interface Checkpoint {
  /** How many leaves. */
  readonly size: number;
  readonly root: Uint8Array;
}

/** The signed checkpoint of a tree; its origin is the name of the key. */
export function signCheckpoint({ size, root }: Checkpoint, signer: Signer): string {
  return signNote(`${signer.verifier.name}\n${size}\n${Buffer.from(root).toString('base64')}\n`, signer);
}

/** The size that a checkpoint names, whoever signed it; 0 when it is none. */
export function checkpointSize(note: string): number {
  const [, size = ''] = note.split('\n', 2);
  return SIZE.test(size) ? Number(size) : 0;
}

const SIZE = /^(?:0|[1-9]\d{0,14})$/;

/** What a checkpoint says; null when `verifier` did not sign it or it is of another log. */
export function openCheckpoint(note: string, verifier: Verifier): Checkpoint | null {
  const [origin, size = '', root = ''] = openNote(note, verifier)?.split('\n') ?? [];
  if (origin !== verifier.name || !SIZE.test(size)) return null;
  const bytes = Buffer.from(root, 'base64');
  if (bytes.length !== HASH_BYTES || bytes.toString('base64') !== root) return null;
  return { size: Number(size), root: bytes };
}
