/** Logs a call that was denied because it could not be judged, as an event in the decision log. */
import type { RunnerId } from '../call/tool-call.js';
import { realPath } from '../disk/real-path.js';
import { appendRecord } from '../log/append.js';
import { eventRecordOf } from '../log/record/record.js';
import { newRecordId } from '../log/record/record-id.js';
import { projectOf } from '../project/project.js';

export interface FailedCall {
  readonly stateDirectory: string;
  readonly runner: RunnerId;
  /** As named by the installed hook line; null: the project that contains `cwd`. */
  readonly project: string | null;
  readonly cwd: string | null;
  readonly session: string | null;
  readonly agent: string | null;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly version: string;
}

/**
 * Logs `engine.error`. Never throws: the cause that keeps the hook from judging may keep it from writing, and the call is denied
 * with or without a record.
 */
export function logFailure(why: string, call: FailedCall): void {
  const { stateDirectory, runner, cwd, session, agent, time, version } = call;
  try {
    const project = call.project ?? (cwd === null ? null : projectOf(realPath(cwd) ?? cwd));
    const origin = { id: newRecordId(time), time, session, model: null, project, version };
    const event = { event: 'engine.error', severity: 'error', message: `A call was denied: ${why}` } as const;
    const who = { runner, ...(agent !== null && { agent }), ...(cwd !== null && { cwd }) };
    appendRecord(stateDirectory, eventRecordOf(event, origin, who));
  } catch {
    // The denial states the problem.
  }
}
