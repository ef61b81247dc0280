/** Checks the sealed part of the log against its checkpoints: reports everything that was changed, removed, inserted or moved. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { treeDirectory } from '../files/directory.js';
import { LogError } from '../files/log-error.js';
import { linesForward } from '../files/log-files.js';
import { openSegment } from '../files/segment.js';
import { type Checkpoint, checkpointSize, openCheckpoint } from './checkpoint.js';
import { checkpointCopyFile, copiedCheckpoint } from './checkpoint-copy.js';
import { type Difference, differencesOf, type Expected } from './file-differences.js';
import { type LogFileInTree, sealedRecords, treeFiles } from './files.js';
import { leavesOf } from './leaves.js';
import { equal, GrowingTree, storedHashIndex } from './merkle.js';
import { verifierOf } from './prove.js';
import { prunedFiles } from './pruned.js';
import type { Verifier } from './signed-note.js';
import { NAMES, openHashes, readTree, type SealedFile, type StoredHashes, type TreeState } from './state.js';
import { type UnsealedTail, unsealedTail } from './unsealed.js';
import { unsealedArchives } from './unsealed-archives.js';

export interface LogProblem {
  readonly what: Difference['what'] | 'file' | 'hashes' | 'checkpoint' | 'tree';
  /** The file of the problem; null for the log as a whole. */
  readonly file: string | null;
  /** Number of the sealed record, counted from 0 over the whole log. */
  readonly record: number | null;
  /** Number of the line in the current file, counted from 1. */
  readonly line: number | null;
  /** One sentence. */
  readonly message: string;
}

export interface Verification {
  /** Number of sealed records; `pruned`: how many of them `policy log prune` deleted. */
  readonly sealed: number;
  readonly pruned: number;
  /** Time of the newest checkpoint; null if nothing is sealed. */
  readonly time: string | null;
  /** The public key that the checkpoints were checked with. */
  readonly verifier: string | null;
  /** Number of checked checkpoints, of different sizes. */
  readonly checkpoints: number;
  /** The first 200. */
  readonly problems: readonly LogProblem[];
  /** Total number of problems. */
  readonly problemCount: number;
  readonly unsealed: UnsealedTail;
}

const MOST_PROBLEMS = 200;
/** Maximum number of lines; a larger file, which we never write, is reported as a whole. */
const MOST_LINES = 2_000_000;

/**
 * @param trusted public key and checkpoint that were kept elsewhere, as texts; null: those next to the log. Throws LogError when
 * the log cannot be read, and for an invalid key or checkpoint.
 */
export function verifyLog(
  stateDirectory: string,
  now: number,
  trusted: { readonly verifier: string | null; readonly checkpoint: string | null },
  tick: (what: string) => void = () => {},
): Verification {
  const tree = readTree(stateDirectory);
  const unsealed = unsealedTail(stateDirectory, tree, now);
  const found = new Problems();
  if (tree === null) {
    const remembered = copiedCheckpoint(stateDirectory);
    const known = trusted.checkpoint ?? remembered;
    if (known !== null)
      found.add({ what: 'tree', message: `Nothing is sealed here, although ${checkpointSize(known)} records were.` });
    return { ...found.told(), sealed: 0, pruned: 0, time: null, verifier: null, checkpoints: 0, unsealed };
  }
  const verifier = verifierOf(stateDirectory, trusted.verifier);
  const checkpoints = checkpointsOf(stateDirectory, tree, verifier, trusted.checkpoint, found);
  const covered = coverage(tree, found);
  let pruned = 0;
  const hashes = openHashes(stateDirectory);
  try {
    checkHashes(tree, hashes, checkpoints, found, tick);
    if (covered) pruned = checkFiles(stateDirectory, tree, hashes, prunedFiles(stateDirectory, verifier), found, tick);
  } finally {
    hashes.close();
  }
  const { size: sealed, time } = tree;
  const sizes = new Set(checkpoints.map(({ size }) => size));
  return { ...found.told(), sealed, pruned, time, verifier: verifier.text, checkpoints: sizes.size, unsealed };
}

/** Gathers problems; beyond a limit it only counts them. */
class Problems {
  readonly #problems: LogProblem[] = [];
  #count = 0;

  add(problem: Pick<LogProblem, 'what' | 'message'> & Partial<LogProblem>): void {
    this.#count += 1;
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push({ file: null, record: null, line: null, ...problem });
  }

  told(): { readonly problems: readonly LogProblem[]; readonly problemCount: number } {
    return { problems: this.#problems, problemCount: this.#count };
  }
}

/** Returns every signed checkpoint; reports problems for those that are not of this tree. */
function checkpointsOf(
  stateDirectory: string,
  tree: TreeState,
  verifier: Verifier,
  kept: string | null,
  found: Problems,
): Checkpoint[] {
  const known: Checkpoint[] = [];
  const take = (note: string | null, where: string): Checkpoint | null => {
    const checkpoint = note === null ? null : openCheckpoint(note, verifier);
    if (checkpoint === null)
      found.add({ what: 'checkpoint', message: `${where} is not signed by ${verifier.text}, or not for this log.` });
    else if (checkpoint.size > tree.size)
      found.add({
        what: 'checkpoint',
        message: `${where} covers ${checkpoint.size} records, but the log has only ${tree.size}: records and tree were reset.`,
      });
    else known.push(checkpoint);
    return checkpoint;
  };
  const newest = take(tree.checkpoint, 'The newest checkpoint');
  if (newest !== null && newest.size < tree.size)
    found.add({
      what: 'checkpoint',
      message: `The newest checkpoint covers ${newest.size} records, but the tree says ${tree.size}.`,
    });
  if (kept !== null) take(kept, 'The given checkpoint');
  const remembered = copiedCheckpoint(stateDirectory);
  if (remembered !== null) take(remembered, `The checkpoint ${checkpointCopyFile(stateDirectory)}`);
  else if ((tree.checkpoints ?? 0) > 1)
    found.add({ what: 'checkpoint', message: `${checkpointCopyFile(stateDirectory)} is gone; every seal writes it.` });
  const path = join(treeDirectory(stateDirectory), NAMES.checkpoints);
  let number = 0;
  // A killed seal left an incomplete last line; tree.json contains the same checkpoint.
  for (const line of existsSync(path) ? linesForward(path, 0) : []) {
    number += 1;
    take(noteOf(line.text), `The checkpoint in line ${number} of ${path}`);
  }
  const missing = (tree.checkpoints ?? 0) - new Set(known.map(({ size }) => size)).size;
  if (missing > 0)
    found.add({ what: 'checkpoint', message: `${missing} of ${tree.checkpoints} checkpoints are gone from ${path}.` });
  return known.sort((left, right) => left.size - right.size);
}

function noteOf(line: string | null): string | null {
  try {
    const value: unknown = JSON.parse(line ?? '');
    return typeof value === 'object' && value !== null && 'checkpoint' in value ? String(value.checkpoint) : null;
  } catch {
    return null;
  }
}

/** Every sealed record must have exactly one place in one file. */
function coverage({ files, size }: TreeState, found: Problems): boolean {
  const runs = files.flatMap((file) => file.runs).sort((left, right) => left.first - right.first);
  let next = 0;
  for (const { first, count } of runs) {
    if (first !== next) break;
    next += count;
  }
  const isGapless = files.every((file) => file.runs.every(({ from }, index) => from === (file.runs[index - 1]?.to ?? 0)));
  const isWhole = next === size && runs.reduce((sum, { count }) => sum + count, 0) === size && isGapless;
  const areUnique = new Set(files.map(({ serial }) => serial)).size === files.length;
  if (isWhole && areUnique) return true;
  found.add({ what: 'tree', record: next, message: `${NAMES.state} does not say where record ${next} is, or says it twice.` });
  return false;
}

/** Rebuilds the tree from its leaf hashes and compares every stored hash and every signed root. */
function checkHashes(
  { size }: TreeState,
  { read }: StoredHashes,
  checkpoints: readonly Checkpoint[],
  found: Problems,
  tick: (what: string) => void,
): void {
  const tree = new GrowingTree(0, read);
  const roots = new Map<number, Uint8Array>();
  const sizes = new Set(checkpoints.map((checkpoint) => checkpoint.size));
  let reported = false;
  for (let leaf = 0; leaf <= size; leaf += 1) {
    if (leaf % 4_096 === 0) tick(`${leaf} of ${size} hashes checked`);
    if (sizes.has(leaf)) roots.set(leaf, tree.root());
    if (leaf === size) break;
    const index = storedHashIndex(0, leaf);
    const stored = tree.append(Buffer.from(read(index)));
    const isSame = stored.every((hash, above) => equal(hash, read(index + above)));
    if (isSame || reported) continue;
    reported = true;
    found.add({ what: 'hashes', record: leaf, message: `The stored hashes at record ${leaf} do not match each other.` });
  }
  let whole = 0;
  for (const checkpoint of checkpoints) {
    if (equal(checkpoint.root, roots.get(checkpoint.size) ?? new Uint8Array())) {
      whole = checkpoint.size;
      continue;
    }
    found.add({
      what: 'hashes',
      record: whole,
      message: `The stored hashes do not lead to the signed root over ${checkpoint.size} records; one of the records from ${whole} to ${checkpoint.size - 1} differs from the sealed one.`,
    });
    return;
  }
}

/** Compares every file with its sealed lines; returns how many records were deleted on purpose. */
function checkFiles(
  stateDirectory: string,
  tree: TreeState,
  hashes: StoredHashes,
  pruned: ReadonlySet<number>,
  found: Problems,
  tick: (what: string) => void,
): number {
  const { found: files, missing } = treeFiles(stateDirectory, tree);
  let count = 0;
  for (const sealed of missing) {
    if (pruned.has(sealed.serial)) count += sealedRecords(sealed);
    else
      found.add({
        what: 'file',
        file: sealed.name,
        record: sealed.runs[0]?.first ?? null,
        message: `${sealed.name} (file ${sealed.serial}) is gone with all its ${sealedRecords(sealed)} sealed records.`,
      });
  }
  for (const [index, file] of files.entries()) {
    tick(`${index} of ${files.length} files checked`);
    if (file.sealed !== null) checkFile(file, file.sealed, hashes, found);
  }
  for (const odd of unsealedArchives(stateDirectory, files)) found.add({ what: 'file', ...odd });
  return count;
}

function checkFile({ file }: LogFileInTree, sealed: SealedFile, hashes: StoredHashes, found: Problems): void {
  try {
    if (isUntouched(file.path, sealed, hashes)) return;
    for (const { what, record, line } of differencesIn(file.path, sealed, hashes)) {
      const place = { what, file: file.path, record, line: line === null ? null : line + 1 };
      found.add({ ...place, message: problemMessage(place) });
    }
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    found.add({ what: 'file', file: file.path, message: error.message });
  }
}

function isUntouched(path: string, { runs }: SealedFile, hashes: StoredHashes): boolean {
  const segment = openSegment(path);
  try {
    for (const { first, count, from, to } of runs) {
      let record = first;
      for (const { hash } of leavesOf(segment, from, to)) {
        if (record >= first + count || !equal(hash, hashes.read(storedHashIndex(0, record)))) return false;
        record += 1;
      }
      if (record !== first + count) return false;
    }
    return true;
  } finally {
    segment.close();
  }
}

function differencesIn(path: string, { runs }: SealedFile, hashes: StoredHashes): readonly Difference[] {
  const expected: Expected[] = [];
  for (const { first, count } of runs)
    for (let record = first; record < first + count; record += 1)
      expected.push({ record, hash: text(hashes.read(storedHashIndex(0, record))) });
  const lines: string[] = [];
  const segment = openSegment(path);
  try {
    for (const { hash } of leavesOf(segment, 0)) {
      lines.push(text(hash));
      if (lines.length > MOST_LINES)
        throw new LogError('log/file', `${path} differs from what was sealed, and is too long to say how.`);
    }
  } finally {
    segment.close();
  }
  return differencesOf(expected, lines);
}

function text(hash: Uint8Array): string {
  return Buffer.from(hash).toString('latin1');
}

function problemMessage({ what, file, record, line }: Pick<LogProblem, 'what' | 'file' | 'record' | 'line'>): string {
  if (what === 'inserted') return `${file}:${line}: this line was inserted after the records around it were sealed.`;
  if (what === 'removed') return `${file}: record ${record} was removed.`;
  if (what === 'moved') return `${file}:${line}: record ${record} was moved here.`;
  return `${file}:${line}: record ${record} was changed.`;
}
