/** The file that records the agents of a session: appended line by line, never rewritten, and accessible only to its owner. */
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename } from 'node:path';
import { WAITING } from '../runner/hook/command-line.js';
import { RUN_FAMILY } from './launched.js';
import { checkOwnFile, isAbsent, systemWord } from './own-file.js';
import { RunError } from './run-error.js';
import { eventsOf, lineOf, type RunEvent } from './run-event.js';
import { shortName } from './short-name.js';

const WHAT = 'the record of running agents';
/** A longer record describes more agents than any session starts. */
const LARGEST = 16 * 1024 * 1024;
const { O_APPEND, O_CREAT, O_RDONLY, O_WRONLY } = constants;
const CAREFUL = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The folder of the records below a state directory. The caller creates it and checks that it belongs to the user. */
export function runsDirectory(stateDirectory: string): string {
  return `${stateDirectory}/runs`;
}

/**
 * The record of one session of a project, or of all its sessions (null). Two that share a name would merely wait for each other's agents.
 */
export function journalFile(stateDirectory: string, project: string, family: string | null): string {
  return `${runsDirectory(stateDirectory)}/${shortName(project)}-${shortName(family ?? '')}.jsonl`;
}

/**
 * Marks that an agent of a record was admitted but has not begun: a file in a folder that exists only while there is such a mark.
 * Installed lines check for that folder before they start a hook (runner/hook/command-line.ts). Throws RunError.
 */
export function markWaiting(stateDirectory: string, file: string): void {
  const [folder, mark] = markOf(stateDirectory, file);
  for (let word = 'ENOENT'; word === 'ENOENT'; ) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(mark, '', { flag: 'wx', mode: 0o600 });
      return;
    } catch (error) {
      // `ENOENT`: another process removed the last mark and the folder at this moment.
      word = systemWord(error);
      if (word === 'EEXIST') return;
      if (word !== 'ENOENT') throw new RunError(`${mark} cannot be written (${word}); free space and check its limits`);
    }
  }
}

/** Removes the mark. If it stays, more hooks are started than necessary. */
export function unmarkWaiting(stateDirectory: string, file: string): void {
  const [folder, mark] = markOf(stateDirectory, file);
  rmSync(mark, { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // It does not exist, or contains marks of others.
  }
}

function markOf(stateDirectory: string, file: string): readonly [folder: string, mark: string] {
  const folder = `${stateDirectory}/${WAITING}`;
  return [folder, `${folder}/${basename(file)}`];
}

/** True for the name of a record of this project. */
export function isJournalOf(name: string, project: string): boolean {
  return name.startsWith(`${shortName(project)}-`) && name.endsWith('.jsonl');
}

/** True for the name of a record that outlives sessions of a project and would grow for as long as anyone works there. */
export function isSharedJournal(name: string): boolean {
  return ['', RUN_FAMILY].some((family) => name.endsWith(`-${shortName(family)}.jsonl`));
}

/**
 * Returns every event of a record; empty if there is no record yet. Throws RunError if it cannot be read or does not belong to the user.
 */
export function readJournal(file: string): RunEvent[] {
  const text = readOwn(file);
  try {
    return text === null ? [] : eventsOf(text);
  } catch {
    throw new RunError(`${WHAT} ${file} is damaged; remove it when no subagent is running`);
  }
}

/** Appends events in one write. Throws RunError if they were not written completely. */
export function appendToJournal(file: string, events: readonly RunEvent[]): void {
  if (events.length === 0) return;
  const bytes = Buffer.from(events.map(lineOf).join(''));
  const descriptor = open(file, O_WRONLY | O_APPEND | O_CREAT, 'written');
  let written = 0;
  try {
    checkOwnFile(WHAT, file, fstatSync(descriptor));
    written = writeSync(descriptor, bytes);
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw new RunError(`${WHAT} ${file} cannot be written (${systemWord(error)}); free space and check its limits`);
  } finally {
    closeSync(descriptor);
  }
  if (written !== bytes.length) throw new RunError(`${WHAT} ${file} was only partly written; free space and check its limits`);
}

function readOwn(file: string): string | null {
  if (isAbsent(file)) return null;
  let descriptor: number;
  try {
    descriptor = open(file, O_RDONLY, 'read');
  } catch (error) {
    if (error instanceof RunError && error.cause === 'ENOENT') return null;
    throw error;
  }
  try {
    const stat = fstatSync(descriptor);
    checkOwnFile(WHAT, file, stat);
    if (stat.size > LARGEST) throw new RunError(`${WHAT} ${file} is too long; remove it when no subagent is running`);
    return readUpTo(descriptor, LARGEST);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads to the end, which may have moved since the size was determined. */
function readUpTo(descriptor: number, most: number): string {
  const chunks: Buffer[] = [];
  for (let size = 0; size < most; ) {
    const chunk = Buffer.allocUnsafe(65_536);
    const got = readSync(descriptor, chunk, 0, chunk.length, size);
    if (got === 0) break;
    chunks.push(chunk.subarray(0, got));
    size += got;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function open(file: string, flags: number, verb: string): number {
  try {
    return openSync(file, flags | CAREFUL, 0o600);
  } catch (error) {
    const code = systemWord(error);
    const why = code === 'ELOOP' ? 'is a symbolic link' : `cannot be ${verb} (${code})`;
    throw new RunError(`${WHAT} ${file} ${why}; remove it when no subagent is running`, { cause: code });
  }
}
