/** Changes to the sealed part of the decision log, one at a time: every one of them holds the lock of the tree. */
import { join } from 'node:path';
import { withLock } from '../disk/lock.js';
import { ownDirectory, treeDirectory } from '../log/files/directory.js';
import { pruneLog } from '../log/tree/prune.js';
import { type Rotation, rotate } from '../log/tree/rotate.js';
import { type Sealed, sealLog } from '../log/tree/seal.js';

/** Nobody holds the lock longer than this, so that it is never taken over from somebody who works. */
const LONGEST_WORK = 20_000;

/**
 * Seals what was added to the log, and puts files away that are done. Calls `told` after each round of up to 25,000 records.
 * Throws LogError, and LockError when another seal does not end within `patience` milliseconds.
 * @param time milliseconds that it may take; what is not done by then is left for the next seal
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

/** Seals one round; puts files away when everything is sealed. */
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

/** A runner waits for its hook at the end of a session, and not for long. */
const SESSION_END = { patience: 300, time: 500 };

/** What the hook does when a session ends: half a second of sealing. Throws LogError, and LockError while another seal is at work. */
export function sealAtSessionEnd(stateDirectory: string): void {
  sealAndArchive(stateDirectory, SESSION_END, () => {});
}

/** Deletes old files that were put away; gives how many records are gone. Throws LogError and LockError. */
export function pruneSealed(stateDirectory: string, before: number): number {
  return withLock(lockOf(stateDirectory), () => pruneLog(stateDirectory, before, Date.now()));
}

function lockOf(stateDirectory: string): string {
  return join(treeDirectory(stateDirectory), 'lock');
}
