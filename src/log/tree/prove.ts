/**
 * Self-contained proofs: that a record is in the log (c2sp.org/tlog-proof), and that one checkpoint's log is the beginning of another's.
 */
import { join } from 'node:path';
import { treeDirectory } from '../files/directory.js';
import { LogError } from '../files/log-error.js';
import { linesForward } from '../files/log-files.js';
import { openSegment } from '../files/segment.js';
import { mayHaveId } from '../read/read-record.js';
import { type Checkpoint, openCheckpoint } from './checkpoint.js';
import { treeFiles } from './files.js';
import {
  consistencyProof,
  equal,
  GrowingTree,
  HASH_BYTES,
  inclusionProof,
  leafHash,
  provesConsistency,
  rootByInclusion,
  storedHashIndex,
} from './merkle.js';
import { parseVerifier, type Verifier } from './signed-note.js';
import { NAMES, openHashes, readOwn, readTree, type SealedFile, type TreeState } from './state.js';

const TITLE = 'c2sp.org/tlog-proof@v1';
const LARGEST_VERIFIER = 1_024;

interface SealedLine {
  readonly record: number;
  readonly line: Uint8Array;
}

/**
 * Returns, as text, the proof that the record with an id is in the log; its extra data is the line itself. Throws LogError when
 * there is no such record, or it is not sealed, or differs from what was sealed.
 */
export function proveRecord(stateDirectory: string, id: string): string {
  const tree = sealedTree(stateDirectory);
  const { record, line } = findSealed(stateDirectory, tree, id);
  const hashes = openHashes(stateDirectory);
  try {
    if (!equal(leafHash(line), hashes.read(storedHashIndex(0, record))))
      throw new LogError('log/tree', `Record ${id} differs from the sealed one; policy log verify says more.`);
    const path = inclusionProof(record, tree.size, hashes.read).map(base64);
    return [TITLE, `extra ${base64(line)}`, `index ${record}`, ...path, '', tree.checkpoint].join('\n');
  } finally {
    hashes.close();
  }
}

/** Proves that the log of an older checkpoint is the beginning of this one. */
export interface ConsistencyProof {
  readonly v: 1;
  readonly old: { readonly size: number; readonly root: string };
  /** Hashes in the order of RFC 6962 §2.1.2. */
  readonly path: readonly string[];
  /** The newer checkpoint. */
  readonly checkpoint: string;
}

/** Returns the proof that the first `old` records are the beginning of the log. Throws LogError when fewer are sealed. */
export function proveConsistency(stateDirectory: string, old: number): ConsistencyProof {
  const tree = sealedTree(stateDirectory);
  if (old < 1 || old > tree.size)
    throw new LogError('log/tree', `Give a number of records from 1 to ${tree.size}, the number of sealed records.`);
  const hashes = openHashes(stateDirectory);
  try {
    const path = consistencyProof(old, tree.size, hashes.read).map(base64);
    return { v: 1, old: { size: old, root: base64(rootAt(old, hashes.read)) }, path, checkpoint: tree.checkpoint };
  } finally {
    hashes.close();
  }
}

/** The statement that a checked proof supports. */
export type Proved =
  | { readonly kind: 'inclusion'; readonly record: number; readonly size: number; readonly line: string }
  | { readonly kind: 'consistency'; readonly old: number; readonly size: number };

/**
 * Checks a proof without the log. Returns null if it proves nothing.
 * @param verifier the public key, from a trusted source
 * @param older the older checkpoint, for a proof of consistency
 */
export function checkProof(proof: string, verifier: Verifier, older: string | null): Proved | null {
  return proof.startsWith(TITLE) ? checkInclusion(proof, verifier) : checkConsistency(proof, verifier, older);
}

/** Returns the given public key, or the one next to the log. Throws LogError when it is invalid. */
export function verifierOf(stateDirectory: string, given: string | null): Verifier {
  const path = join(treeDirectory(stateDirectory), NAMES.verifier);
  const verifier = parseVerifier(given?.trim() ?? readOwn(path, LARGEST_VERIFIER) ?? '');
  if (verifier !== null) return verifier;
  const why =
    given === null ? `${path} contains no public key; give the one you kept.` : 'This is not a public key (NAME+HASH+KEY).';
  throw new LogError('log/key', why);
}

function sealedTree(stateDirectory: string): TreeState {
  return readTree(stateDirectory) ?? nothing('Nothing is sealed here yet; run policy log seal.');
}

function nothing(sentence: string): never {
  throw new LogError('log/tree', sentence);
}

function findSealed(stateDirectory: string, tree: TreeState, id: string): SealedLine {
  for (const { file, sealed } of [...treeFiles(stateDirectory, tree).found].reverse()) {
    let number = 0;
    for (const { text, offset, end } of linesForward(file.path, 0)) {
      if (text !== null && mayHaveId(text, id)) {
        const record = sealed === null ? null : recordAt(sealed, number, offset);
        if (record === null) return nothing(`Record ${id} is not sealed yet; run policy log seal.`);
        return { record, line: bytesOf(file.path, offset, end - 1) };
      }
      number += 1;
    }
  }
  return nothing(`No log record has the id ${id}.`);
}

/** Returns the number of the record in a line: the runs of a file follow each other without gaps. */
function recordAt({ runs }: SealedFile, line: number, offset: number): number | null {
  let before = 0;
  for (const { first, count, to } of runs) {
    if (offset < to) return first + line - before;
    before += count;
  }
  return null;
}

function bytesOf(path: string, from: number, to: number): Uint8Array {
  const segment = openSegment(path);
  try {
    return segment.read(from, to - from);
  } finally {
    segment.close();
  }
}

function rootAt(size: number, read: (index: number) => Uint8Array): Uint8Array {
  return new GrowingTree(size, (index) => Buffer.from(read(index))).root();
}

function checkInclusion(proof: string, verifier: Verifier): Proved | null {
  const split = proof.indexOf('\n\n');
  const [, extra = '', index = '', ...path] = proof.slice(0, split).split('\n');
  const checkpoint = openCheckpoint(proof.slice(split + 2), verifier);
  if (split < 0 || checkpoint === null || !extra.startsWith('extra ') || !/^index (?:0|[1-9]\d{0,14})$/.test(index)) return null;
  const line = Buffer.from(extra.slice('extra '.length), 'base64');
  const hashes = path.map((text) => Buffer.from(text, 'base64'));
  if (hashes.some((hash) => hash.length !== HASH_BYTES)) return null;
  const record = Number(index.slice('index '.length));
  const root = rootByInclusion(leafHash(line), record, checkpoint.size, hashes);
  if (root === null || !equal(root, checkpoint.root)) return null;
  return { kind: 'inclusion', record, size: checkpoint.size, line: line.toString('utf8') };
}

function checkConsistency(proof: string, verifier: Verifier, older: string | null): Proved | null {
  const read = readConsistency(proof);
  const before: Checkpoint | null = older === null ? null : openCheckpoint(older, verifier);
  const after = read === null ? null : openCheckpoint(read.checkpoint, verifier);
  if (read === null || before === null || after === null) return null;
  const isProved = provesConsistency(
    before,
    after,
    read.path.map((hash) => Buffer.from(hash, 'base64')),
  );
  return isProved ? { kind: 'consistency', old: before.size, size: after.size } : null;
}

function readConsistency(proof: string): Pick<ConsistencyProof, 'path' | 'checkpoint'> | null {
  let value: unknown;
  try {
    value = JSON.parse(proof);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || !('path' in value) || !('checkpoint' in value)) return null;
  const { path, checkpoint } = value;
  if (!Array.isArray(path) || !path.every((hash) => typeof hash === 'string') || typeof checkpoint !== 'string') return null;
  return { path, checkpoint };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
