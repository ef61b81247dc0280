/**
 * The files that sealing keeps in `tree/` of the state directory. `tree.json` is authoritative: it is replaced as a whole, and
 * anything in the other files beyond it was left by a killed seal.
 *
 *   signer.key          the signing key, mode 600
 *   verifier            its public half
 *   tree.json           how many records are sealed, where they are, and the signed checkpoint
 *   hashes              the stored hashes of the tree (merkle.ts)
 *   checkpoint          the newest checkpoint, to copy elsewhere
 *   checkpoints.jsonl   all checkpoints, oldest first
 *   pruned.jsonl        signed statements about files that were deleted on purpose
 *
 * Next to `tree/` is `last-checkpoint` (checkpoint-copy.ts), so that the loss or replacement of a tree is noticed.
 */

import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isFields } from '../../call/fields.js';
import { ownershipProblem, treeDirectory } from '../files/directory.js';
import { LogError, systemCode } from '../files/log-error.js';
import { HASH_BYTES, type HashReader } from './merkle.js';

/** A run of sealed lines: leaves `first` to `first + count - 1` are the lines in the bytes from `from` up to `to`. */
export interface SealedRun {
  readonly first: number;
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/** A file of the log with sealed lines. */
export interface SealedFile {
  readonly serial: number;
  /** Its name while it is still written to. */
  readonly name: string;
  /** In the order of its bytes, without gaps. */
  readonly runs: readonly SealedRun[];
  /** Offset of its last sealed line. */
  readonly last: number;
}

export interface TreeState {
  readonly v: 1;
  /** Number of sealed records. */
  readonly size: number;
  /** Time of the seal, ISO 8601. */
  readonly time: string;
  readonly files: readonly SealedFile[];
  /** The signed note. */
  readonly checkpoint: string;
  /** Number of signed checkpoints; absent in a tree that was begun before they were counted. */
  readonly checkpoints?: number;
}

export const NAMES = {
  signer: 'signer.key',
  verifier: 'verifier',
  state: 'tree.json',
  hashes: 'hashes',
  checkpoint: 'checkpoint',
  checkpoints: 'checkpoints.jsonl',
  pruned: 'pruned.jsonl',
} as const;

const LARGEST_STATE = 64 * 1024 * 1024;

/** Returns the tree of a state directory; null if nothing was sealed yet. Throws LogError when it cannot be read or is inconsistent. */
export function readTree(stateDirectory: string): TreeState | null {
  const path = join(treeDirectory(stateDirectory), NAMES.state);
  const text = readOwn(path, LARGEST_STATE);
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse(path, 'is not valid JSON');
  }
  return isTree(value) ? value : refuse(path, 'does not describe a tree that this program knows');
}

/** Follows no link, and waits for no pipe. */
const CAREFUL = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Returns the text of a file of the tree; null if it does not exist. Throws LogError when others could have written it. */
export function readOwn(path: string, most: number): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | CAREFUL);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    return refuse(path, `cannot be opened (${systemCode(error)})`);
  }
  try {
    const stat = fstatSync(descriptor);
    const why = stat.isFile() ? ownershipProblem(stat) : 'is not a regular file';
    if (why !== null) refuse(path, why);
    return stat.size > most ? refuse(path, `is larger than ${most} bytes`) : readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function isTree(value: unknown): value is TreeState {
  if (!isFields(value) || value.v !== 1 || !isCount(value.size) || typeof value.time !== 'string') return false;
  if (value.checkpoints !== undefined && !isCount(value.checkpoints)) return false;
  return typeof value.checkpoint === 'string' && Array.isArray(value.files) && value.files.every(isFile);
}

function isFile(value: unknown): value is SealedFile {
  if (!isFields(value) || !isCount(value.serial) || !isCount(value.last) || typeof value.name !== 'string') return false;
  if (!/^decisions-\d{4}-\d{2}-\d{2}(?:-[1-9]\d{0,4})?\.jsonl$/.test(value.name)) return false;
  return Array.isArray(value.runs) && value.runs.length > 0 && value.runs.every(isRun);
}

function isRun(value: unknown): value is SealedRun {
  return isFields(value) && isCount(value.first) && isCount(value.count) && isCount(value.from) && isCount(value.to);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Returns how many bytes of a file are sealed. */
export function sealedBytes({ runs }: SealedFile): number {
  return runs.at(-1)?.to ?? 0;
}

/** Replaces the content of a file of the tree in one step: no reader sees half of it, and a killed seal leaves the old one. */
export function replaceOwn(path: string, content: string): void {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`);
  write(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, Buffer.from(content));
  try {
    renameSync(temporary, path);
  } catch (error) {
    refuseWrite(path, error);
  }
}

/** Appends a line to a file of the tree. First cuts off the incomplete line of a killed seal. */
export function appendOwn(path: string, line: string): void {
  cutTornLine(path);
  write(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, Buffer.from(`${line}\n`));
}

/** Maximum length of a line in these files. */
const LONGEST_LINE = 65_536;

function cutTornLine(path: string): void {
  try {
    const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | CAREFUL, 0o600);
    try {
      const { size } = fstatSync(descriptor);
      const end = Buffer.alloc(Math.min(size, LONGEST_LINE));
      readSync(descriptor, end, 0, end.length, size - end.length);
      const torn = end.length - 1 - end.lastIndexOf(0x0a);
      if (torn > 0) ftruncateSync(descriptor, size - torn);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    refuseWrite(path, error);
  }
}

/** Stores hashes from `index` of the array on, and overwrites leftovers there. */
export function storeHashes(stateDirectory: string, index: number, hashes: readonly Uint8Array[]): void {
  const path = join(treeDirectory(stateDirectory), NAMES.hashes);
  write(path, constants.O_WRONLY | constants.O_CREAT, Buffer.concat(hashes), index * HASH_BYTES);
}

/** Writes all of `bytes` and waits until they are on disk. */
function write(path: string, flags: number, bytes: Uint8Array, position: number | null = null): void {
  try {
    const descriptor = openSync(path, flags | CAREFUL, 0o600);
    try {
      for (let done = 0; done < bytes.length; )
        done += writeSync(descriptor, bytes, done, bytes.length - done, position === null ? null : position + done);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    refuseWrite(path, error);
  }
}

/** The stored hashes, readable in any order; the last read is cached, for readers that continue from there. */
export interface StoredHashes {
  readonly read: HashReader;
  readonly close: () => void;
}

const BLOCK = 2_048 * HASH_BYTES;

/** Throws LogError if there are no hashes; reading a place that does not exist also throws it. */
export function openHashes(stateDirectory: string): StoredHashes {
  const path = join(treeDirectory(stateDirectory), NAMES.hashes);
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | CAREFUL);
  } catch (error) {
    return refuse(path, `cannot be opened (${systemCode(error)})`);
  }
  if (!fstatSync(descriptor).isFile()) {
    closeSync(descriptor);
    refuse(path, 'is not a regular file');
  }
  let [block, start]: [Buffer, number] = [Buffer.alloc(0), 0];
  const read = (index: number): Uint8Array => {
    const at = index * HASH_BYTES;
    if (at < start || at + HASH_BYTES > start + block.length) {
      start = at - (at % BLOCK);
      const bytes = Buffer.allocUnsafe(BLOCK);
      block = bytes.subarray(0, readSync(descriptor, bytes, 0, BLOCK, start));
    }
    const hash = block.subarray(at - start, at - start + HASH_BYTES);
    return hash.length === HASH_BYTES ? hash : refuse(path, `ends before hash ${index}`);
  };
  return { read, close: () => closeSync(descriptor) };
}

function refuse(path: string, why: string): never {
  throw new LogError('log/tree', `${path} ${why}; restore it from a backup, or move its folder away to begin a new tree.`);
}

function refuseWrite(path: string, error: unknown): never {
  throw new LogError('log/write', `${path} cannot be written (${systemCode(error)}); free space and check its permissions.`);
}
