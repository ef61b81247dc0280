/**
 * A lock that one process holds while it changes a file: an exclusive file that names its holder; the lock of a dead holder is taken over.
 */
import { existsSync, linkSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemCode } from '../log/files/log-error.js';
import { elapsed, isTimestamp, type Timestamp, timestampOf } from '../run/moment.js';
import {
  hasProcess,
  identityOf,
  isAlive,
  isIdentity,
  type ProcessIdentity,
  type ProcessTable,
  processTable,
} from '../run/process-identity.js';
import { shortName } from '../run/short-name.js';

/** A holder on another machine cannot be checked; no lock is held this long. */
const STALE_MILLISECONDS = 60_000;
/** No two clocks differ this much: a lock from further in the future was created while one of them was wrong. */
const MOST_AHEAD_MILLISECONDS = 3_600_000;
const WAIT_MILLISECONDS = 25;
/** Maximum number of guards of dead processes that are cleared away in one attempt. */
const MOST_GUARDS = 8;

/** The content of a lock: its holder, and its time. No two locks ever have the same content. */
interface Holder extends ProcessIdentity {
  readonly host: string;
  readonly when: Timestamp;
}

/**
 * Runs `work` while holding the lock at `path`; `held` returns whether it still does: a process that was suspended for a minute
 * may have lost it. Throws LockError if another process does not release the lock within `patience` milliseconds.
 */
export function withLock<Result>(path: string, work: (held: () => boolean) => Result, patience = 10_000): Result {
  const table = processTable(process.platform);
  const until = Date.now() + patience;
  let own = contentFor(table);
  while (!create(path, own)) {
    removeStale(path, table);
    if (Date.now() > until) throw new LockError(`${path} is held by another policy command; remove it when there is none`);
    pause();
    own = contentFor(table);
  }
  try {
    return work(() => contentOf(path) === own);
  } finally {
    release(path, own, table);
  }
}

export class LockError extends Error {
  override readonly name = 'LockError';
}

/** On a full disk no guard can be created; then only a process that has waited for a minute could interfere. */
function release(path: string, own: string, table: ProcessTable): void {
  try {
    retire(path, path, own, table);
  } catch (error) {
    if (!(error instanceof LockError)) throw error;
    if (contentOf(path) === own) remove(path);
  }
}

function contentFor(table: ProcessTable): string {
  const self = identityOf(process.pid, table) ?? { pid: process.pid, began: '', where: table.where };
  return `${JSON.stringify({ ...self, host: hostname(), when: now(), mark: String(process.hrtime.bigint()) })}\n`;
}

function now(): Timestamp {
  return timestampOf(Date.now(), Number(process.hrtime.bigint() / 1_000_000n));
}

/** Creates the lock with its content in one step: a process that is killed in between leaves no lock without a holder. */
function create(path: string, content: string): boolean {
  if (existsSync(path)) return false;
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, content, { mode: 0o600 });
  } catch (error) {
    discard(draft);
    throw new LockError(`${path} cannot be made (${systemCode(error)})`);
  }
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') return false;
    if (LINKLESS.has(code)) return createInPlace(path, content);
    throw new LockError(`${path} cannot be made (${code})`);
  } finally {
    remove(draft);
  }
}

/** Errors of file systems without hard links. */
const LINKLESS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

function createInPlace(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw new LockError(`${path} cannot be made (${systemCode(error)})`);
  }
}

/** Removes a lock whose holder is gone, or that is older than any work takes. */
function removeStale(path: string, table: ProcessTable): void {
  const content = contentOf(path);
  if (content === null) return;
  if (isGone(content, table) === 'yes' || ageOf(path, content) > STALE_MILLISECONDS) retire(path, path, content, table);
}

/**
 * Removes the file `target` if its content is `content`, and no other. Every process that removes one, including the holder of a
 * lock, holds a guard meanwhile that is named after that content: since no later lock has the same content, a late process finds
 * nothing to remove. A guard that a dead process left is removed in the same way.
 */
function retire(lock: string, target: string, content: string, table: ProcessTable, rounds = MOST_GUARDS): void {
  const guard = `${lock}-${shortName(content)}`;
  for (let left = rounds; left > 0; left -= 1) {
    if (create(guard, contentFor(table))) {
      try {
        if (contentOf(target) === content) remove(target);
      } finally {
        remove(guard);
      }
      return;
    }
    const other = contentOf(guard);
    if (other === null) continue;
    // A live process keeps its guard, however long it is suspended.
    const gone = isGone(other, table);
    if (gone === 'no' || (gone === 'unknown' && ageOf(guard, other) <= STALE_MILLISECONDS)) return;
    retire(lock, guard, other, table, left - 1);
  }
}

/** Whether the process that created a lock has ended; unknown for one on another machine or in another container. */
function isGone(content: string, table: ProcessTable): 'yes' | 'no' | 'unknown' {
  const holder = holderIn(content);
  if (holder === null || holder.host !== hostname() || holder.where !== table.where) return 'unknown';
  if (table.readable) return isAlive(holder, table) === 'no' ? 'yes' : 'no';
  // Such a system reports no more about processes than their ids.
  return hasProcess(holder.pid) ? 'no' : 'yes';
}

/** Returns null for a lock of another version, and for a damaged one: then only its age matters. */
function holderIn(content: string): Holder | null {
  try {
    const said: unknown = JSON.parse(content);
    return isHolder(said) ? said : null;
  } catch {
    return null;
  }
}

function isHolder(said: unknown): said is Holder {
  if (!isIdentity(said)) return false;
  const { host, when }: Partial<Holder> = said;
  return typeof host === 'string' && isTimestamp(when);
}

/** Returns the milliseconds since a lock was created; by its own content, which changes to the clock do not affect. */
function ageOf(path: string, content: string): number {
  const holder = holderIn(content);
  if (holder !== null) {
    const moment = now();
    const age = elapsed(holder.when, moment);
    return age > 0 || holder.when.boot === moment.boot ? age : ageAhead(holder.when.at - moment.at);
  }
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  const age = Date.now() - stat.mtimeMs;
  return age >= 0 ? age : ageAhead(-age);
}

/** Returns the age of a lock whose time is this many milliseconds in the future. */
function ageAhead(ahead: number): number {
  return ahead > MOST_AHEAD_MILLISECONDS ? Number.POSITIVE_INFINITY : 0;
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw new LockError(`${path} cannot be removed (${systemCode(error)})`);
  }
}

/** Removes what a full disk left of a file. */
function discard(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The file does not exist.
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MILLISECONDS);
}
