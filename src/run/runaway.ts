/** Processes that have left the tree of whoever started them. */
import type { ProcessTable } from './process-identity.js';

const MOST_ANCESTORS = 256;
/** Who takes in processes whose parents have ended: the first process, and the manager of a person's services. */
const FIRST = 1;
const ADOPTS = 'systemd';

/**
 * The uppermost process around one, when nobody is above it but the system: what it was started by may have ended. Null where a person's
 * terminal, or anything else that was not started by the system, is above it.
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

/** Whether one began after the other; false where the system does not tell beginnings as numbers (all but Linux). */
export function beganAfter(one: string, other: string): boolean {
  return /^\d+$/.test(one) && /^\d+$/.test(other) && Number(one) > Number(other);
}
