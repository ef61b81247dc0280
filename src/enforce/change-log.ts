/** Changes the sealed part of the decision log, one change at a time: each of them holds the lock of the tree. */
import { join } from 'node:path';
import { withLock } from '../disk/lock.js';
import { ownDirectory, treeDirectory } from '../log/files/directory.js';
import { pruneLog } from '../log/tree/prune.js';
import { type Rotation, rotate } from '../log/tree/rotate.js';
import { type Sealed, sealLog } from '../log/tree/seal.js';

/** Maximum time that a change holds the lock, in milliseconds, so that the lock is never taken from a process that is still working. */
const LONGEST_WORK = 20_000;

/**
 * Seals records that were added to the log, and archives files that are complete. Calls `told` after each round of up to 25,000
 * records. Throws LogError, and LockError when another seal does not end within `patience` milliseconds.
 * @param time milliseconds that it may take; the rest is left for the next seal
 */
export function sealAndArchive(
  stateDirectory: string,
  { patience, time }: { readonly patience: number; readonly time: number },
  told: (sealed: Sealed) => void,
): Rotation {
  const until = Date.now() + time;
  ownDirectory(stateDirectory);
  ownDirectory(treeDirectory(stateDirectory));
  for (;;) {
    const { sealed, away } = withLock(lockOf(stateDirectory), (held) => oneRound(stateDirectory, until, held), patience);
    told(sealed);
    if (away !== null) return away;
    if (Date.now() >= until) return { moved: [], packed: [] };
  }
}

/** Seals one round; archives files once everything is sealed. */
function oneRound(
  stateDirectory: string,
  until: number,
  held: () => boolean,
): { readonly sealed: Sealed; readonly away: Rotation | null } {
  const now = Date.now();
  const end = Math.min(until, now + LONGEST_WORK);
  const limits = { now, goOn: () => Date.now() < end, held };
  const sealed = sealLog(stateDirectory, limits);
  return { sealed, away: sealed.complete ? rotate(stateDirectory, limits) : null };
}

/** In milliseconds: a runner waits for its hook at the end of a session, but not for long. */
const SESSION_END = { patience: 300, time: 500 };

/**
 * Seals for at most half a second when the hook is told that a session ends. Throws LogError, and LockError while another seal is at work.
 */
export function sealAtSessionEnd(stateDirectory: string): void {
  sealAndArchive(stateDirectory, SESSION_END, () => {});
}

/** Deletes old archived files; returns the number of deleted records. Throws LogError and LockError. */
export function pruneSealed(stateDirectory: string, before: number): number {
  return withLock(lockOf(stateDirectory), () => pruneLog(stateDirectory, before, Date.now()));
}

function lockOf(stateDirectory: string): string {
  return join(treeDirectory(stateDirectory), 'lock');
}
