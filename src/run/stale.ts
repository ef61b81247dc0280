/** Finds runs that nobody will ever end: a crashed session must not keep agents from starting forever. */

import { RUN_FAMILY } from './launched.js';
import { elapsed, type Timestamp } from './moment.js';
import { isAlive, type ProcessTable } from './process-identity.js';
import type { Run } from './replay.js';

/** If nothing else ends a run, age does: no subagent works this long. */
const MOST_MILLISECONDS = 12 * 60 * 60 * 1000;

/** Why a run or a waiting request is no longer valid, in a few words; null while it is. */
export function staleness(run: Run, now: Timestamp, table: ProcessTable): string | null {
  // The hook that admitted it ended without an answer, so the runner took that as a denial.
  if (!run.answered && run.hook !== null && isAlive(run.hook, table) === 'no')
    return run.session === RUN_FAMILY ? 'it was interrupted before it began' : 'its hook ended before it answered';
  if (run.holder !== null && isAlive(run.holder, table) === 'no') return `${run.runner || 'what started it'} ended without it`;
  // `policy run` records its own end, and dies with the runner that it started; a runner outlives the agents that it loses.
  const isHeld = run.session === RUN_FAMILY && run.holder !== null && isAlive(run.holder, table) === 'yes';
  return !isHeld && elapsed(run.when, now) > MOST_MILLISECONDS ? 'older than any subagent can run' : null;
}
