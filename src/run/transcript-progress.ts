/** How far transcripts were read, and the sums up to that point: kept between calls in one of the program's own files. */
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { checkOwnFile, systemWord } from './own-file.js';
import { RunError } from './run-error.js';

/** Tokens of one agent; null: the agent whose transcript it is. */
export type Share = readonly [agent: string | null, tokens: number];

/** How far a transcript was read, and the sums so far: these two always belong together. */
export interface Progress {
  /** Identifies the file: a new one with the same name is read from its beginning. */
  readonly inode: number;
  readonly offset: number;
  readonly shares: readonly Share[];
  /** The shares from an earlier file with this name: replacing a transcript gives no tokens back. */
  readonly before: readonly Share[];
  /** The answer that the last line described, and its tokens: a later line may correct them. */
  readonly answer: string | null;
  readonly last: number;
  /** The agent whose transcript it is, by id or name; null for the main agent. */
  readonly agent: string | null;
  /** When that agent began, in milliseconds since 1970; null if the transcript does not contain it. */
  readonly began: number | null;
}

const WHAT = 'the count of tokens';
const LARGEST = 4 * 1024 * 1024;
const CAREFUL = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** The stored progress by path; empty if there is no file yet. Throws RunError if it cannot be read. */
export function recall(file: string): ReadonlyMap<string, Progress> {
  let descriptor: number;
  try {
    descriptor = openSync(file, CAREFUL);
  } catch (error) {
    if (systemWord(error) === 'ENOENT') return new Map();
    throw new RunError(`${WHAT} ${file} cannot be read (${systemWord(error)}); remove it`);
  }
  try {
    const stat = fstatSync(descriptor);
    checkOwnFile(WHAT, file, stat);
    const content: unknown = stat.size > LARGEST ? null : JSON.parse(readFileSync(descriptor, 'utf8'));
    if (!Array.isArray(content) || !content.every(isEntry)) throw new SyntaxError('it has no list of transcripts');
    return new Map(content);
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw new RunError(`${WHAT} ${file} is damaged; remove it, so that the transcripts are read again`);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Stores the progress. Written completely under another name first, so that a killed hook leaves the old file. Throws RunError if
 * that fails.
 */
export function remember(file: string, progress: ReadonlyMap<string, Progress>): void {
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, JSON.stringify([...progress]), { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    throw new RunError(`${WHAT} ${file} cannot be written (${systemWord(error)}); free space and make it writable`);
  }
}

function isEntry(value: unknown): value is [string, Progress] {
  if (!Array.isArray(value) || typeof value[0] !== 'string' || typeof value[1] !== 'object' || value[1] === null) return false;
  const { inode, offset, shares, before, answer, last, agent, began } = value[1] as Readonly<Record<string, unknown>>;
  return (
    [inode, offset, last].every((one) => typeof one === 'number') &&
    [shares, before].every((one) => Array.isArray(one) && one.every(isShare)) &&
    [answer, agent].every((one) => one === null || typeof one === 'string') &&
    (began === null || typeof began === 'number')
  );
}

function isShare(value: unknown): value is Share {
  return Array.isArray(value) && (value[0] === null || typeof value[0] === 'string') && typeof value[1] === 'number';
}
