/** Decides whether an agent may start: a session may run only a limited number at once. */
import { appendToJournal, readJournal } from './journal.js';
import type { Timestamp } from './moment.js';
import type { ProcessIdentity, ProcessTable } from './process-identity.js';
import { type Run, replay } from './replay.js';
import type { RunStart } from './run-event.js';
import { staleness } from './stale.js';

export type RunRequest = Pick<RunStart, 'agent' | 'runner' | 'session' | 'project' | 'by' | 'call' | 'asked'>;

/** What a hook knows about itself and its surroundings. */
export interface RunContext {
  readonly file: string;
  readonly now: () => Timestamp;
  readonly table: ProcessTable;
  /** This process, and the runner that it belongs to. */
  readonly hook: ProcessIdentity | null;
  readonly holder: ProcessIdentity | null;
  /** Sleeps for this many milliseconds; used only while waiting for a turn. */
  readonly pause: (milliseconds: number) => void;
}

/** A caller that asks in steps pauses by itself. */
type WithoutPause = Omit<RunContext, 'pause'>;

export type Admission =
  | { readonly admitted: true; readonly id: string; readonly waited: Run | null; readonly freed: readonly FreedRun[] }
  /** `running`: the runs in the way, oldest first. */
  | { readonly admitted: false; readonly running: readonly Run[]; readonly waited: boolean; readonly freed: readonly FreedRun[] };

/** A run that was removed because nobody would have ended it. */
export interface FreedRun {
  readonly run: Run;
  readonly why: string;
}

export interface AdmissionRules {
  /** `sequential.maxConcurrent`. */
  readonly limit: number;
  /** Milliseconds to wait for a turn; 0 refuses at once (`sequential.mode: reject`). */
  readonly patience: number;
}

/** Milliseconds between two checks while waiting. */
const POLL = 20;
/** The maximum number of times that another start may come first before this one gives up. */
const MOST_LOST = 100;

/** It is not this request's turn yet: check again after this many milliseconds. */
export interface NotYet {
  readonly milliseconds: number;
  /** The number of waiting requests that come first. */
  readonly ahead: number;
}

/**
 * Requests a start. An admitted run stays in the record until it is ended; its hook has to record `answered` before it answers.
 * Throws RunError if the record cannot be read or written; the caller then refuses the start.
 */
export function requestRun(request: RunRequest, rules: AdmissionRules, runContext: RunContext): Admission {
  const steps = requestInSteps(request, rules, runContext);
  for (;;) {
    const step = steps.next(true);
    if (step.done === true) return step.value;
    runContext.pause(step.value.milliseconds);
  }
}

/**
 * Like `requestRun`, for a program that does other work meanwhile. It yields before each pause; the value sent back tells whether
 * to keep waiting.
 */
export function* requestInSteps(
  request: RunRequest,
  { limit, patience }: AdmissionRules,
  runContext: WithoutPause,
): Generator<NotYet, Admission, boolean> {
  const id = newRunId(runContext);
  const line = { id, ...request, agentId: null, when: runContext.now(), hook: runContext.hook, holder: runContext.holder };
  const freed: FreedRun[] = [];
  const until = runContext.now().up + patience;
  let queued: Run | null = null;
  for (let lost = 0; ; ) {
    const before = strikeOff(runContext, freed);
    const ahead = waitingBefore(id, before);
    const inTheWay = running(before);
    if (ahead.length === 0 && inTheWay.length < limit) {
      appendToJournal(runContext.file, [{ kind: 'start', ...line, when: runContext.now(), limit }]);
      if (stateOf(id, runContext) === 'running') return { admitted: true, id, waited: queued, freed };
      // Another start came first; check again which one.
      lost += 1;
      if (lost < MOST_LOST) continue;
    }
    // A caller inside all running agents would wait for itself.
    const canEnd = ahead.length > 0 || inTheWay.some((run) => !isCaller(run, request.by, inTheWay));
    if (!canEnd || runContext.now().up >= until) return refused(id, queued, [...inTheWay, ...ahead], freed, runContext);
    if (queued === null) {
      queued = inTheWay[0] ?? ahead[0] ?? null;
      appendToJournal(runContext.file, [{ kind: 'wait', ...line }]);
    }
    if (!(yield { milliseconds: POLL, ahead: ahead.length }))
      return refused(id, queued, [...inTheWay, ...ahead], freed, runContext, 'no longer waits');
  }
}

/** The waiting requests that come first: they began to wait earlier, or this one does not wait yet. */
function waitingBefore(id: string, runs: readonly Run[]): readonly Run[] {
  const mine = runs.findIndex((run) => run.id === id && run.state === 'waiting');
  return runs.filter((run, at) => run.state === 'waiting' && run.id !== id && (mine < 0 || at < mine));
}

function refused(
  id: string,
  queued: Run | null,
  inTheWay: readonly Run[],
  freed: readonly FreedRun[],
  runContext: WithoutPause,
  how = 'refused',
): Admission {
  if (queued !== null) appendToJournal(runContext.file, [{ kind: 'ended', id, how, when: runContext.now() }]);
  const first = inTheWay.length > 0 || queued === null ? inTheWay : [queued];
  return { admitted: false, running: first, waited: queued !== null, freed };
}

/** Whether the run is that of the asking agent, or of one that it runs inside. */
function isCaller(run: Run, by: string | null, all: readonly Run[]): boolean {
  const seen = new Set<string>();
  for (let at = by; at !== null && !seen.has(at); ) {
    seen.add(at);
    if (run.agentId === at) return true;
    const holder = all.find((one) => one.agentId === at);
    at = holder?.by ?? null;
  }
  return false;
}

/** Records runs that ended without notice, and returns the remaining ones. */
function strikeOff(runContext: WithoutPause, freed: FreedRun[]): readonly Run[] {
  const now = runContext.now();
  const stale = (runs: readonly Run[]) =>
    runs.flatMap((run): FreedRun[] => {
      const why = run.state === 'running' || run.state === 'waiting' ? staleness(run, now, runContext.table) : null;
      return why === null ? [] : [{ run, why }];
    });
  const runs = runsOf(runContext);
  const suspects = stale(runs);
  if (suspects.length === 0) return runs;
  // Between reading the record and checking the processes, a hook may have answered and exited, so the record is read again.
  const again = new Set(stale(runsOf(runContext)).map(({ run }) => run.id));
  const gone = suspects.filter(({ run }) => again.has(run.id));
  appendToJournal(
    runContext.file,
    gone.map(({ run, why }) => ({ kind: 'ended', id: run.id, how: `struck off: ${why}`, when: now })),
  );
  freed.push(...gone);
  return runsOf(runContext);
}

function runsOf(runContext: WithoutPause): readonly Run[] {
  return replay(readJournal(runContext.file));
}

function running(runs: readonly Run[]): readonly Run[] {
  return runs.filter(({ state }) => state === 'running');
}

function stateOf(id: string, runContext: WithoutPause): Run['state'] | null {
  return runsOf(runContext).find((run) => run.id === id)?.state ?? null;
}

/** A unique id from the process, its clock and random numbers. */
function newRunId({ hook, now }: WithoutPause): string {
  const chance = () =>
    Math.floor(Math.random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0');
  return `${(hook?.pid ?? 0).toString(16)}-${now().up.toString(16)}-${chance()}${chance()}`;
}
