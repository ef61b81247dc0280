/**
 * Seals the log: the lines added since the last time become leaves of the tree, and a checkpoint over all of them is signed. The caller
 * holds the lock of the tree. If killed at any moment, it leaves the tree as it was: nothing is valid until tree.json names it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { logDirectory, ownDirectory, treeDirectory } from '../files/directory.js';
import { LogError } from '../files/log-error.js';
import { linesBackward, sealedFiles } from '../files/log-files.js';
import { openSegment, type Segment } from '../files/segment.js';
import { signCheckpoint } from './checkpoint.js';
import { copyCheckpoint, refuseLostRecords } from './checkpoint-copy.js';
import { type LogFileInTree, sealedRecords, treeFiles } from './files.js';
import { leavesOf } from './leaves.js';
import { equal, GrowingTree, storedHashCount, storedHashIndex } from './merkle.js';
import type { Signer } from './signed-note.js';
import { openSigner } from './signer.js';
import {
  appendOwn,
  NAMES,
  openHashes,
  readTree,
  replaceOwn,
  type SealedFile,
  type SealedRun,
  sealedBytes,
  storeHashes,
  type TreeState,
} from './state.js';

export interface SealLimits {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Returns false when there is no time left: the lines read until then are sealed. */
  readonly goOn: () => boolean;
  /** Returns false when another process took the lock over: then nothing is written. */
  readonly held: () => boolean;
}

export interface Sealed {
  /** Number of records sealed now; `size`: in total. */
  readonly added: number;
  readonly size: number;
  /** Null when there is nothing to seal. */
  readonly checkpoint: string | null;
  /** The public key, to be kept elsewhere. */
  readonly verifier: string;
  /** True for the first checkpoint, for which the key was created. */
  readonly isFirst: boolean;
  /** False when lines are left that could be sealed. */
  readonly complete: boolean;
  /** Files that no longer contain their sealed lines, as sentences. */
  readonly warnings: readonly string[];
}

/** Maximum number of lines sealed before their hashes are written; limits the memory. */
const MOST_LEAVES = 25_000;
/** Number of lines between two checks of the clock. */
const LINES_AT_ONCE = 256;

/** Seals the lines added since the last time, at most 25,000. Throws LogError when the tree cannot be read or written. */
export function sealLog(stateDirectory: string, limits: SealLimits): Sealed {
  ownDirectory(stateDirectory);
  const before = readTree(stateDirectory);
  if (before === null) refuseLostTree(stateDirectory);
  refuseLostRecords(stateDirectory, before);
  const signer = openSigner(stateDirectory, before === null);
  const tree = openTree(stateDirectory, before?.size ?? 0);
  const round: Round = {
    tree,
    start: tree.size,
    stored: [],
    files: new Map(before?.files.map((file) => [file.serial, file])),
    warnings: [],
  };
  const complete = treeFiles(stateDirectory, before).found.every((file) => addLines(stateDirectory, file, round, limits));
  const added = tree.size - (before?.size ?? 0);
  const checkpoint = added === 0 ? (before?.checkpoint ?? null) : commit(stateDirectory, round, before, signer, limits);
  return {
    added,
    size: tree.size,
    checkpoint,
    verifier: signer.verifier.text,
    isFirst: before === null && added > 0,
    complete,
    warnings: round.warnings,
  };
}

/** The data gathered by one seal. */
interface Round {
  readonly tree: GrowingTree;
  /** Its size when the round began. */
  readonly start: number;
  /** Hashes to store, in the order of the array. */
  readonly stored: Uint8Array[];
  readonly files: Map<number, SealedFile>;
  readonly warnings: string[];
}

/** Refuses to begin a new tree without the owner's knowledge if the description of the old one is missing. */
function refuseLostTree(stateDirectory: string): void {
  const lost = sealedFiles(stateDirectory)[0];
  if (lost === undefined) return;
  const folder = treeDirectory(stateDirectory);
  throw new LogError(
    'log/tree',
    `${join(folder, NAMES.state)} is gone although ${lost.path} was sealed; restore it from a backup, or move ${folder} and ${join(logDirectory(stateDirectory), 'sealed')} away to begin a new tree.`,
  );
}

function openTree(stateDirectory: string, size: number): GrowingTree {
  if (size === 0) return new GrowingTree(0, () => new Uint8Array());
  const hashes = openHashes(stateDirectory);
  try {
    // The reader returns views that the next read invalidates; the tree needs copies.
    return new GrowingTree(size, (index) => Buffer.from(hashes.read(index)));
  } finally {
    hashes.close();
  }
}

/** Adds the lines of a file that are not sealed yet; false if there was no time or room for all of them. */
function addLines(stateDirectory: string, found: LogFileInTree, round: Round, { goOn }: SealLimits): boolean {
  // A packed file is completely sealed, and does not change.
  if (found.file.packed) return true;
  const segment = openSegment(found.file.path);
  try {
    const known = stillWhole(stateDirectory, found, segment, round);
    const start = known === null ? 0 : sealedBytes(known);
    const first = round.tree.size;
    let [to, last, complete] = [start, start, true];
    for (const leaf of leavesOf(segment, start)) {
      const added = round.tree.size - round.start;
      if (added >= MOST_LEAVES || (added % LINES_AT_ONCE === 0 && !goOn())) {
        complete = false;
        break;
      }
      round.stored.push(...round.tree.append(leaf.hash));
      [to, last] = [leaf.to, leaf.from];
    }
    const count = round.tree.size - first;
    if (count > 0) remember(round, known, found.file.name, { first, count, from: start, to }, last);
    return complete;
  } finally {
    segment.close();
  }
}

/** Returns the sealed part of a file; null for a file that is new to the tree, or that no longer contains its sealed lines. */
function stillWhole(
  stateDirectory: string,
  { file, sealed }: LogFileInTree,
  segment: Segment,
  { warnings }: Round,
): SealedFile | null {
  if (sealed === null || isWhole(stateDirectory, sealed, segment)) return sealed;
  warnings.push(
    `${file.path} lacks some of its ${sealedRecords(sealed)} sealed records; its current contents are sealed as a new file; policy log verify says more`,
  );
  return null;
}

/** True if the last sealed line is still in its place. */
function isWhole(stateDirectory: string, known: SealedFile, segment: Segment): boolean {
  const end = sealedBytes(known);
  const [leaf] = leavesOf(segment, known.last, end);
  const run = known.runs.at(-1);
  if (leaf === undefined || run === undefined || leaf.to !== end) return false;
  const hashes = openHashes(stateDirectory);
  try {
    return equal(leaf.hash, hashes.read(storedHashIndex(0, run.first + run.count - 1)));
  } finally {
    hashes.close();
  }
}

function remember({ files }: Round, known: SealedFile | null, name: string, run: SealedRun, last: number): void {
  const serial = known?.serial ?? Math.max(0, ...files.keys()) + 1;
  files.set(serial, { serial, name, runs: withRun(known?.runs ?? [], run), last });
}

/** Merges a run that directly continues the one before it. */
function withRun(runs: readonly SealedRun[], run: SealedRun): readonly SealedRun[] {
  const before = runs.at(-1);
  if (before === undefined || before.first + before.count !== run.first || before.to !== run.from) return [...runs, run];
  return [...runs.slice(0, -1), { ...before, count: before.count + run.count, to: run.to }];
}

function checkpointLine({ time, checkpoint }: TreeState): string {
  return JSON.stringify({ time, checkpoint });
}

/** True if the last complete line of the checkpoints is that of this tree. */
function endsWith(path: string, tree: TreeState): boolean {
  if (!existsSync(path)) return false;
  for (const { text, ended } of linesBackward(path)) if (ended) return text === checkpointLine(tree);
  return false;
}

/** Writes everything to disk; returns the new checkpoint. */
function commit(
  stateDirectory: string,
  { tree, stored, files }: Round,
  before: TreeState | null,
  signer: Signer,
  { now, held }: SealLimits,
): string {
  const folder = treeDirectory(stateDirectory);
  const refuseLost = () => {
    if (!held())
      throw new LogError('log/lock', `The seal of ${folder} took too long, and another one is running; nothing was changed.`);
  };
  refuseLost();
  storeHashes(stateDirectory, storedHashCount(before?.size ?? 0), stored);
  const checkpoint = signCheckpoint({ size: tree.size, root: tree.root() }, signer);
  const time = new Date(now).toISOString();
  const checkpoints = (before?.checkpoints ?? 0) + 1;
  const state: TreeState = { v: 1, size: tree.size, time, files: [...files.values()], checkpoints, checkpoint };
  refuseLost();
  const all = join(folder, NAMES.checkpoints);
  if (before !== null && !endsWith(all, before)) {
    // The last seal was killed after it had written tree.json and nothing else.
    copyCheckpoint(stateDirectory, before.checkpoint);
    appendOwn(all, checkpointLine(before));
  }
  replaceOwn(join(folder, NAMES.state), `${JSON.stringify(state)}\n`);
  copyCheckpoint(stateDirectory, checkpoint);
  appendOwn(all, checkpointLine(state));
  replaceOwn(join(folder, NAMES.checkpoint), checkpoint);
  replaceOwn(join(folder, NAMES.verifier), `${signer.verifier.text}\n`);
  return checkpoint;
}
