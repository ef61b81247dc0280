/** Processes that have left the process tree they were started in. */
import type { ProcessTable } from './process-identity.js';

const MOST_ANCESTORS = 256;
/** Processes that adopt others whose parents have ended: the first process, and the manager of a user's services. */
const FIRST = 1;
const ADOPTS = 'systemd';

/**
 * The topmost ancestor of a process, if only the system is above it: the process that started it may have ended. Null if a
 * person's terminal, or anything else that the system did not start, is above it.
 */
export function adoptedAncestor(pid: number, processes: ProcessTable): { readonly pid: number; readonly began: string } | null {
  let at = pid;
  for (let step = 0; step < MOST_ANCESTORS; step += 1) {
    const status = processes.status(at);
    if (status === null || status.parent <= 0) return null;
    if (status.parent === FIRST || processes.status(status.parent)?.name === ADOPTS) return { pid: at, began: status.began };
    at = status.parent;
  }
  return null;
}

/** Whether one began after the other; false if the system does not report start times as numbers (all except Linux). */
export function beganAfter(one: string, other: string): boolean {
  return /^\d+$/.test(one) && /^\d+$/.test(other) && Number(one) > Number(other);
}
