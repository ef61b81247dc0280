/** Reports a run's progress and end, for a person or as JSON, and logs its events. */

import { WriteError } from '../../disk/replace.js';
import { OrchestrationError } from '../../enforce/agents/orchestrator.js';
import type { Launch, LaunchEnd } from '../../enforce/launch/launch.js';
import type { Outcome } from '../../enforce/launch/session-record.js';
import { VERSION } from '../../generated/build.js';
import { appendRecord } from '../../log/append.js';
import { LogError } from '../../log/files/log-error.js';
import { type DecisionRecord, eventRecordOf } from '../../log/record/record.js';
import { newRecordId } from '../../log/record/record-id.js';
import { endText } from '../../report/launch.js';
import { jsonLine } from '../../report/printing/escape.js';
import { spanText } from '../../run/moment.js';
import { overlapWarning } from '../../run/overlap.js';
import { RunError } from '../../run/run-error.js';
import { LaunchRefused } from '../../runner/launch/launch-refused.js';
import type { RunPlaces } from '../agents/runs.js';
import { UsageError } from '../terminal/exit.js';
import { print, warn } from '../terminal/terminal.js';
import { AgentProblem } from './agent.js';
import { RefusedByPolicy } from './brought.js';

/** Exit codes of a run. 3 means wrong usage, as everywhere; 124 and 130 are the codes that `timeout` and a shell use. */
export const RUN_EXIT: Readonly<Record<Outcome, number>> = {
  completed: 0,
  failed: 1,
  refused: 2,
  budget: 2,
  timeout: 124,
  interrupted: 130,
};

/** @param asked calls that were denied only because no one could answer a prompt, with what would allow them */
export async function tellEnd(
  { outcome, error, record, denied, refused }: LaunchEnd,
  asked: ReadonlyMap<DecisionRecord, string | null>,
  json: boolean,
): Promise<void> {
  const milliseconds = record === null ? 0 : Date.parse(record.endedAt ?? record.startedAt) - Date.parse(record.startedAt);
  const shown = {
    ...{ outcome, problem: error?.message ?? null, milliseconds, attempts: record?.attempts ?? 0 },
    ...{ usage: record?.usage ?? null, decisions: record?.decisions ?? null, uri: record?.uri ?? null },
  };
  // The session that started the run always continues.
  if (json)
    await print(runLine({ kind: 'end', code: error?.code ?? null, exitCode: RUN_EXIT[outcome], resumed: true, ...shown }));
  else await print(endText({ ...shown, denied, asked, refused, runner: record?.runner ?? 'the runner' }));
}

export function runLine(fields: object): string {
  return jsonLine({ version: 1, ...fields });
}

type Log = (event: string, severity: 'info' | 'warning', message: string) => void;

/** Returns a function that appends to the decision log; if that fails, only a note is printed. */
export function eventLog({ project, stateDirectory }: RunPlaces, { runner, agent, model, cwd }: Partial<Launch>): Log {
  return (event, severity, message) => {
    const time = Date.now();
    const origin = { id: newRecordId(time), time, session: null, model: model ?? null, project, version: VERSION };
    const who = { ...(runner !== undefined && { runner }), ...(agent && { agent }), cwd: cwd ?? project };
    try {
      appendRecord(stateDirectory, eventRecordOf({ event, severity, message }, origin, who));
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      warn(`note: ${error.message}`);
    }
  };
}

/** Reports why a run cannot start, with a stable code; returns the exit code. Rethrows all other errors. */
export async function tellProblem(error: unknown, json: boolean, places: RunPlaces): Promise<number> {
  const known = problemOf(error);
  if (known === null) throw error;
  const { code, outcome, message, exitCode } = known;
  if (error instanceof OrchestrationError && error.runningAgent !== null) {
    const warning = overlapWarning(error.runningAgent, error.requestedAgent);
    warn(warning);
    eventLog(places, {})('run.overlap', 'warning', warning);
  }
  if (json) {
    const concurrent =
      error instanceof OrchestrationError ? { runningAgent: error.runningAgent, requestedAgent: error.requestedAgent } : {};
    await print(runLine({ kind: 'end', code, outcome, exitCode, resumed: true, problem: message, ...concurrent }));
  }
  // The person typed the name, so it may contain anything.
  if (error instanceof AgentProblem) {
    warn(message);
    if (error.hint !== null) warn(`note: ${error.hint}`);
  } else for (const line of message.split('\n')) warn(line);
  if (error instanceof OrchestrationError && error.waitedMs !== null)
    warn(`note: it waited ${spanText(error.waitedMs)} for its turn; --queue-timeout TIME lets it wait longer`);
  return exitCode;
}

interface KnownProblem {
  readonly code: string;
  readonly outcome: Outcome;
  readonly message: string;
  readonly exitCode: number;
}

export function problemOf(error: unknown): KnownProblem | null {
  if (error instanceof OrchestrationError && error.code === 'INTERRUPTED')
    return { code: error.code, outcome: 'interrupted', message: error.message, exitCode: RUN_EXIT.interrupted };
  if (error instanceof AgentProblem || error instanceof OrchestrationError)
    return { code: error.code, outcome: 'failed', message: error.message, exitCode: RUN_EXIT.failed };
  if (error instanceof RefusedByPolicy)
    return { code: 'REFUSED_BY_POLICY', outcome: 'refused', message: error.message, exitCode: RUN_EXIT.refused };
  if (error instanceof LaunchRefused || error instanceof UsageError) {
    const message = error instanceof UsageError ? error.lines.join('\n') : error.message;
    return { code: 'NOT_STARTED', outcome: 'refused', message, exitCode: 3 };
  }
  if (error instanceof RunError || error instanceof LogError || error instanceof WriteError)
    return { code: 'EXECUTION_FAILED', outcome: 'failed', message: error.message, exitCode: RUN_EXIT.failed };
  return null;
}
