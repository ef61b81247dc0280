/**
 * The project of a session (docs/guarantees.md, 1): fixed at the session's first call and remembered, so that no later call from
 * elsewhere (another folder, a nested repository, a chosen working directory) can choose the policy that judges it.
 */
import { closeSync, constants, fstatSync, linkSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownDirectory, ownershipProblem } from '../log/files/directory.js';
import { systemCode } from '../log/files/log-error.js';
import { forgetOld } from '../run/forget-old.js';
import { shortName } from '../run/short-name.js';

export interface SessionKey {
  readonly stateDirectory: string;
  readonly runner: string;
  /** As the runner names it. */
  readonly session: string;
}

const LARGEST = 64 * 1024;

/**
 * Returns the real path of the session's remembered project; null for the first call of a session.
 * @throws Error naming the file when the record cannot be read: then nothing may be allowed
 */
export function recallProject(key: SessionKey): string | null {
  return remembered(fileOf(key), key);
}

/**
 * Remembers the project of a session's first call.
 * @param now milliseconds since 1970
 * @returns the project that applies: that of another call if it came first
 * @throws Error naming the file when it cannot be written: then nothing may be allowed
 */
export function rememberProject(key: SessionKey, project: string, now: number): string {
  ownDirectory(key.stateDirectory);
  ownDirectory(folderOf(key));
  forgetOld(folderOf(key), now);
  return remember(fileOf(key), key, project);
}

function folderOf({ stateDirectory }: SessionKey): string {
  return join(stateDirectory, 'sessions');
}

function fileOf(key: SessionKey): string {
  return join(folderOf(key), `${shortName(`${key.runner}\0${key.session}`)}.json`);
}

/** Writes the complete record, and gives it its name only if the name is free: of concurrent calls, one is the first. */
function remember(file: string, key: SessionKey, project: string): string {
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, JSON.stringify({ runner: key.runner, session: key.session, project }), { mode: 0o600 });
    linkSync(temporary, file);
    return project;
  } catch (error) {
    if (systemCode(error) !== 'EEXIST')
      throw new Error(`${file}, which remembers the project of this session, cannot be written (${systemCode(error)})`);
    const known = remembered(file, key);
    if (known === null) throw new Error(`${file} came and went`);
    return known;
  } finally {
    discard(temporary);
  }
}

/** Removes the temporary file; a full disk leaves an empty one. */
function discard(temporary: string): void {
  try {
    unlinkSync(temporary);
  } catch {
    // It was never created, or stays until it is old enough to be removed.
  }
}

/** Returns the project in the record; null if there is no record yet. */
function remembered(file: string, key: SessionKey): string | null {
  const text = readOwn(file);
  if (text === null) return null;
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    record = null;
  }
  if (!isRecord(record) || record.runner !== key.runner || record.session !== key.session)
    throw new Error(`${file}, which remembers the project of this session, is damaged; delete it`);
  return record.project;
}

function isRecord(value: unknown): value is { runner: string; session: string; project: string } {
  if (typeof value !== 'object' || value === null) return false;
  return 'runner' in value && 'session' in value && 'project' in value && typeof value.project === 'string';
}

/** Returns the text of a regular file that belongs to the user alone; null if it does not exist. */
function readOwn(file: string): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const stat = fstatSync(descriptor);
    const stranger = ownershipProblem(stat);
    if (!stat.isFile() || stat.size > LARGEST || stranger !== null)
      throw new Error(`${file} ${stranger ?? 'is no record of ours'}; delete it`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}
