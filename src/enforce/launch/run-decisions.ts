/** The decisions about a run in the decision log, from all sessions of the runner, including unnamed ones. */
import { lastRecords, oldestFirst } from '../../log/read/query.js';
import type { DecisionRecord } from '../../log/record/record.js';
import type { DecisionCounts, SessionRecord } from './session-record.js';

type Run = Pick<SessionRecord, 'id' | 'startedAt'>;

export interface RunDecisions {
  /** Null when the log cannot be read. */
  readonly counts: DecisionCounts | null;
  /** The first few. */
  readonly denied: readonly DecisionRecord[];
  /** The first few calls that the policy allowed and the runner did not run. */
  readonly refused: readonly DecisionRecord[];
}

const MOST_SHOWN = 5;
/** Maximum number of bytes, from the end of the log, that are searched for one decision. */
const MOST_LOG = 16 * 1024 * 1024;

/** @param stopped ids of calls that were not carried out, according to the runner */
export function decisionsOf(stateDirectory: string, run: Run, stopped: ReadonlySet<string>): RunDecisions {
  const counts = { allow: 0, ask: 0, deny: 0 };
  let stoppedByRunner = 0;
  const denied: DecisionRecord[] = [];
  const refused: DecisionRecord[] = [];
  try {
    for (const read of oldestFirst(stateDirectory, filterOf(run))) {
      if (!('record' in read) || read.record.kind !== 'decision') continue;
      counts[read.record.would ?? read.record.decision] += 1;
      const { decision, toolUseId } = read.record;
      if (decision === 'deny' && denied.length < MOST_SHOWN) denied.push(read.record);
      if (decision !== 'allow' || toolUseId === null || !stopped.has(toolUseId)) continue;
      stoppedByRunner += 1;
      if (refused.length < MOST_SHOWN) refused.push(read.record);
    }
    return { counts: { ...counts, ...(stoppedByRunner > 0 && { refused: stoppedByRunner }) }, denied, refused };
  } catch {
    return { counts: null, denied, refused };
  }
}

/** Whether the hook has judged a call of the run; true also if that cannot be determined. */
export function hasDecision(stateDirectory: string, run: Run): boolean {
  try {
    const { records, whole } = lastRecords(stateDirectory, filterOf(run), 1, MOST_LOG);
    return records.length > 0 || !whole;
  } catch {
    // If the log cannot be read, it cannot be written either, and then the hook denies.
    return true;
  }
}

function filterOf({ id, startedAt }: Run) {
  return { kind: 'decision', run: id, since: Date.parse(startedAt) } as const;
}
