/** Connects calls to the record of running agents: which calls start an agent, whether it may start, and when it has ended. */

import { join } from 'node:path';
import type { RunnerId } from '../../call/tool-call.js';
import type { CallAnalysis } from '../../decide/flow/analysis.js';
import { appendRecord } from '../../log/append.js';
import { ownDirectory } from '../../log/files/directory.js';
import { eventRecordOf } from '../../log/record/record.js';
import { newRecordId } from '../../log/record/record-id.js';
import type { RunContext } from '../../run/admission.js';
import { forgetOld } from '../../run/forget-old.js';
import { journalFile, runsDirectory, unmarkWaiting } from '../../run/journal.js';
import { type Lifecycle, recordLifecycle } from '../../run/lifecycle.js';
import { type Timestamp, timestampOf } from '../../run/moment.js';
import { identityOf, processTable, runnerProcess } from '../../run/process-identity.js';
import type { Run } from '../../run/replay.js';
import { isRecordOver, runningAgents } from '../../run/running-agents.js';
import type { AgentMessage, StartedAgent } from '../../runner/hook/agent-event.js';
import { WAITING } from '../../runner/hook/command-line.js';
import type { HookContext } from '../../runner/hook/runner.js';
import { snapshotFolder } from '../snapshot/read.js';

/** The project, session and runner whose record is used, and the clocks. */
export interface RunPlaces {
  readonly stateDirectory: string;
  readonly project: string;
  readonly runner: RunnerId | null;
  /** The session of the call; `family` as in HookContext. */
  readonly news: Pick<HookContext, 'session' | 'family'>;
  /** The agent that `policy run` gave to the main agent of the runner; null or absent: none. */
  readonly launched?: string | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Microseconds of a monotonic clock. */
  readonly microseconds: () => number;
}

/** The tools that start an agent; a message to a sleeping agent shows only when it wakes (SubagentStart). */
const STARTING: ReadonlySet<string> = new Set(['Agent', 'ResumeAgent']);
const LONGEST_NAME = 200;

/** Returns the agent that a call starts; null if it starts none. */
export function agentStartedBy({ tool, subjects }: CallAnalysis): string | null {
  if (tool.mcp !== null || !STARTING.has(tool.canonical)) return null;
  const name = subjects.subjects.find(({ kind }) => kind === 'name')?.value;
  return (name ?? 'an agent without a name').slice(0, LONGEST_NAME);
}

/** Returns the session that running agents are recorded under: see HookContext.family. */
export function recordedUnder({ session, family }: RunPlaces['news']): string | null {
  return family === null ? null : session;
}

/** Records that a call that may have started an agent has returned. Throws RunError or LogError when that fails. */
export function agentCallEnded(analysis: CallAnalysis, news: HookContext, started: StartedAgent, places: RunPlaces): void {
  const agent = agentStartedBy(analysis);
  if (agent === null) return;
  const { id: agentId, background } = started;
  tellOfAgents({ kind: 'call-ended', call: news.toolUseId, agent, agentId, background }, places);
}

/**
 * Records what the runner reports about its agents; an agent that began without a judged call also gets an entry in the decision
 * log. Throws RunError or LogError.
 * @param version of this tool
 */
export function recordAgentEvent({ event, cwd }: Pick<AgentMessage, 'event' | 'cwd'>, places: RunPlaces, version: string): void {
  const { stateDirectory, runner, project, news } = places;
  const unasked = tellOfAgents(event, places);
  const waits = runningAgents(stateDirectory, project, recordedUnder(news)).some(({ agentId }) => agentId === null);
  if (!waits) unmarkWaiting(stateDirectory, journalOf(places));
  for (const { agent } of unasked) {
    const time = places.now();
    const message = `${agent} began without a judged call; it counts as running.`;
    const origin = { id: newRecordId(time), time, session: news.session, model: null, project, version };
    const record = eventRecordOf({ event: 'run.unasked', severity: 'warning', message }, origin, {
      ...(runner && { runner }),
      agent,
      cwd,
    });
    appendRecord(stateDirectory, record);
  }
}

/**
 * Removes the data of sessions that ended long ago, and snapshots that were not rewritten for as long: those of former versions,
 * and of projects whose snapshot has another name by now or that are gone. A snapshot that is still valid is soon made again.
 * @param now milliseconds since 1970
 */
export function forgetSessions(stateDirectory: string, now: number): void {
  forgetOld(runsDirectory(stateDirectory), now, isRecordOver);
  const others = [join(stateDirectory, 'budget'), join(stateDirectory, WAITING), snapshotFolder({ stateDirectory })];
  for (const folder of others) forgetOld(folder, now);
}

function tellOfAgents(event: Lifecycle, places: RunPlaces): readonly Run[] {
  const { runner, project, news } = places;
  return recordLifecycle(event, { runner: runner ?? '', project, session: news.session }, runContextOf(places));
}

/** Returns the path of the record of running agents. */
export function journalOf({ stateDirectory, project, news }: RunPlaces): string {
  return journalFile(stateDirectory, project, recordedUnder(news));
}

/** Returns the current time by both clocks. */
export function currentTimestamp({ now, microseconds }: RunPlaces): Timestamp {
  return timestampOf(now(), microseconds() / 1000);
}

/**
 * Returns the context for changing the record, and creates its folder. Throws LogError when the folder does not belong to this user alone.
 */
export function runContextOf(places: RunPlaces): RunContext {
  const { stateDirectory } = places;
  ownDirectory(stateDirectory);
  ownDirectory(runsDirectory(stateDirectory));
  const table = processTable(process.platform);
  return {
    file: journalOf(places),
    now: () => currentTimestamp(places),
    table,
    hook: identityOf(process.pid, table),
    holder: runnerProcess(process.ppid, table),
    pause: (milliseconds) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    },
  };
}
