/** Appends one record to the decision log: one line, one write, no lock. */
import { closeSync, constants, fstatSync, openSync, type Stats, writeSync } from 'node:fs';
import { isSameFile, logDirectory, lookAt, ownDirectory, ownershipProblem } from './files/directory.js';
import { LogError, systemCode } from './files/log-error.js';
import { utf8Length } from './record/bytes.js';
import { jsonLine } from './record/json-line.js';
import type { LogRecord } from './record/record.js';

/** A file of this size (in bytes) gets no more records; the next part of the day begins. */
const LARGEST_FILE = 64 * 1024 * 1024;
const MOST_PARTS = 10_000;
const MOST_TRIES = 5;
const APPEND =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Appends a record to the log of a state directory and returns the path of its file. Concurrent writers never tear each other's
 * lines: every record is one `write` to a descriptor opened with O_APPEND (local file systems only). Throws LogError when the
 * record is not completely in the log; the caller then denies the call.
 * @param largest size in bytes from which a file is full
 */
export function appendRecord(stateDirectory: string, record: LogRecord, largest: number = LARGEST_FILE): string {
  ownDirectory(stateDirectory);
  const folder = logDirectory(stateDirectory);
  ownDirectory(folder);
  const line = `${jsonLine(record)}\n`;
  const day = record.time.slice(0, 10);
  for (let part = 0; part < MOST_PARTS; part += 1) {
    const file = `${folder}/${logFileName(day, part)}`;
    if (writeLine(file, line, largest)) return file;
  }
  throw new LogError('log/file', `The decision log of ${day} in ${folder} has ${MOST_PARTS} files; move old ones elsewhere.`);
}

/** Returns `decisions-2026-01-31.jsonl`, and from the second part of a day on `decisions-2026-01-31-1.jsonl`. */
export function logFileName(day: string, part: number): string {
  return part === 0 ? `decisions-${day}.jsonl` : `decisions-${day}-${part}.jsonl`;
}

/** Returns false when the file is full. Writes the line again if its file was deleted at that moment. */
function writeLine(file: string, line: string, largest: number): boolean {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { descriptor, size } = opened(file, largest);
    if (descriptor === null || size >= largest) return false;
    write(file, descriptor, line);
    if (fstatSync(descriptor).nlink > 0) return true;
    release();
  }
  throw new LogError('log/file', `The decision log ${file} is repeatedly deleted; find out by what.`);
}

/** The file that was written to last: it stays open, since opening it for each line would take longer than writing it. */
let held: { readonly file: string; readonly descriptor: number; readonly stat: Stats } | null = null;

/** Returns the descriptor of a file and its size; no descriptor for a full one beside the one that is held. */
function opened(file: string, largest: number): { readonly descriptor: number | null; readonly size: number } {
  const found = held === null ? undefined : lookAt(file);
  if (held?.file === file && found !== undefined && isSameFile(found, held.stat))
    return { descriptor: held.descriptor, size: found.size };
  if (found !== undefined && held?.file !== file && found.size >= largest) {
    checkFile(file, found);
    return { descriptor: null, size: found.size };
  }
  release();
  const descriptor = open(file);
  try {
    const stat = fstatSync(descriptor);
    checkFile(file, stat);
    held = { file, descriptor, stat };
    return { descriptor, size: stat.size };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function release(): void {
  if (held !== null) closeSync(held.descriptor);
  held = null;
}

function open(file: string): number {
  try {
    return openSync(file, APPEND, 0o600);
  } catch (error) {
    throw new LogError(
      'log/file',
      `The decision log ${file} cannot be opened (${systemCode(error)}); make it writable or move it away.`,
    );
  }
}

/** Refuses a link, a device or another user's file in place of the log. */
function checkFile(file: string, stat: Stats): void {
  const why = stat.isFile() ? ownershipProblem(stat) : 'is not a regular file';
  if (why !== null) throw new LogError('log/file', `The decision log ${file} ${why}; move it away, and a new one is made.`);
}

/** Writes the line with one write. A partial record (disk full) stays: truncating it could cut off another writer's record. */
function write(file: string, descriptor: number, line: string): void {
  let written: number;
  try {
    written = writeSync(descriptor, line);
  } catch (error) {
    release();
    throw new LogError(
      'log/write',
      `The decision log ${file} cannot be written (${systemCode(error)}); free space and check its limits.`,
    );
  }
  const length = utf8Length(line);
  if (written !== length)
    throw new LogError(
      'log/short-write',
      `Only ${written} of ${length} bytes of a record went to the decision log ${file}; free space and check its limits.`,
    );
}
