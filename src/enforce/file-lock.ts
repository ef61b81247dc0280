/** A lock that one process holds while it changes a file: an exclusive file that names its holder; that of a dead holder is taken over. */
import { existsSync, linkSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** A holder of another machine cannot be asked; nobody holds the lock this long. */
const STALE_MILLISECONDS = 60_000;
const WAIT_MILLISECONDS = 25;

/**
 * Runs `work` while holding the lock at `path`; `held` tells it whether it still does: one who stood still for a minute may have lost it.
 * Throws LockError when somebody else does not let go within `patience` milliseconds.
 */
export function withLock<Result>(path: string, work: (held: () => boolean) => Result, patience = 10_000): Result {
  const own = `${process.pid} ${hostname()} ${process.hrtime.bigint()}\n`;
  const until = Date.now() + patience;
  while (!create(path, own)) {
    if (isStale(path)) takeAway(path);
    if (Date.now() > until) throw new LockError(`${path} is held by another policy command; remove it when there is none`);
    pause();
  }
  try {
    return work(() => contentOf(path) === own);
  } finally {
    if (contentOf(path) === own) remove(path);
  }
}

export class LockError extends Error {
  override readonly name = 'LockError';
}

/** Makes the lock with its content in one step: a process that is killed in between leaves no lock that names nobody. */
function create(path: string, content: string): boolean {
  if (existsSync(path)) return false;
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, content, { mode: 0o600 });
  } catch (error) {
    throw new LockError(`${path} cannot be made (${codeOf(error)})`);
  }
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    const code = codeOf(error);
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
    if (codeOf(error) === 'EEXIST') return false;
    throw new LockError(`${path} cannot be made (${codeOf(error)})`);
  }
}

/** Removes a stale lock; a second lock sees to it that nobody removes the lock that somebody made in the meantime. */
function takeAway(path: string): void {
  const guard = `${path}.stale`;
  if (!create(guard, `${process.pid} ${hostname()}\n`)) {
    if (isStale(guard)) remove(guard);
    return;
  }
  try {
    if (isStale(path)) remove(path);
  } finally {
    remove(guard);
  }
}

/** The holder is a process of this machine that is gone, or the lock is older than any work takes. */
function isStale(path: string): boolean {
  const age = ageOf(path);
  if (age === null) return false;
  if (age > STALE_MILLISECONDS) return true;
  const [, pid = '', host] = /^(\d+) (\S+)/.exec(contentOf(path) ?? '') ?? [];
  return host === hostname() && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

function ageOf(path: string): number | null {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return null;
  }
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
    if (codeOf(error) !== 'ENOENT') throw new LockError(`${path} cannot be removed (${codeOf(error)})`);
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MILLISECONDS);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
