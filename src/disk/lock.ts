/** A lock that one process holds while it changes a file: an exclusive file that names its holder; that of a dead holder is taken over. */
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

/** A holder of another machine cannot be asked; nobody holds the lock this long. */
const STALE_MILLISECONDS = 60_000;
/** No two clocks are this far apart: a lock from later than that was made while one of them was wrong. */
const MOST_AHEAD_MILLISECONDS = 3_600_000;
const WAIT_MILLISECONDS = 25;
/** So often a guard that a dead process left is cleared away before somebody else may try. */
const MOST_GUARDS = 8;

/** What a lock says: who holds it, and since when. No two locks ever say the same. */
interface Holder extends ProcessIdentity {
  readonly host: string;
  readonly when: Timestamp;
}

/**
 * Runs `work` while holding the lock at `path`; `held` tells it whether it still does: one who stood still for a minute may have lost it.
 * Throws LockError when somebody else does not let go within `patience` milliseconds.
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

/** On a full disk there is no guard to be had; then only somebody who waited for a minute could come in between. */
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

/** Makes the lock with its content in one step: a process that is killed in between leaves no lock that names nobody. */
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

/** What file systems without hard links say of one. */
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
 * Removes the file `target` if it says `content`, and no other. Whoever does so, the holder of a lock as well, holds a guard meanwhile that
 * is named after that content: since no later lock says the same, one who comes late finds nothing to remove. A guard that a dead
 * process left is removed in the same way.
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
    // A process that lives keeps its guard, however long it stands still.
    const gone = isGone(other, table);
    if (gone === 'no' || (gone === 'unknown' && ageOf(guard, other) <= STALE_MILLISECONDS)) return;
    retire(lock, guard, other, table, left - 1);
  }
}

/** Whether the process that made a lock has ended; nobody here can tell of one on another machine or in another container. */
function isGone(content: string, table: ProcessTable): 'yes' | 'no' | 'unknown' {
  const holder = holderIn(content);
  if (holder === null || holder.host !== hostname() || holder.where !== table.where) return 'unknown';
  if (table.readable) return isAlive(holder, table) === 'no' ? 'yes' : 'no';
  // Such a system tells no more of processes than their numbers.
  return hasProcess(holder.pid) ? 'no' : 'yes';
}

/** Null for a lock of another version, and for one that is damaged: then its age counts alone. */
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

/** Milliseconds since a lock was made; by its own word, which a clock that somebody sets does not change. */
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

/** The age of what is so many milliseconds ahead of the clock. */
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

/** What a full disk left of a file. */
function discard(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // There is none.
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MILLISECONDS);
}
