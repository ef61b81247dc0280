/** Lets an agent start, or not: at most so many of a session run at once. */
import { appendToJournal, readJournal } from './journal.js';
import type { Timestamp } from './moment.js';
import type { ProcessIdentity, ProcessTable } from './process-identity.js';
import { type Run, replay } from './replay.js';
import type { RunStart } from './run-event.js';
import { staleness } from './stale.js';

export type RunRequest = Pick<RunStart, 'agent' | 'runner' | 'session' | 'project' | 'by' | 'call' | 'asked'>;

/** What a hook knows of itself and its surroundings. */
export interface RunContext {
  readonly file: string;
  readonly now: () => Timestamp;
  readonly table: ProcessTable;
  /** This process, and the runner behind it. */
  readonly hook: ProcessIdentity | null;
  readonly holder: ProcessIdentity | null;
  /** Sleeps for milliseconds; only used while waiting for a turn. */
  readonly pause: (milliseconds: number) => void;
}

/** Whoever asks in steps pauses by itself. */
type WithoutPause = Omit<RunContext, 'pause'>;

export type Admission =
  | { readonly admitted: true; readonly id: string; readonly waited: Run | null; readonly freed: readonly FreedRun[] }
  /** `running`: what stands in the way, oldest first. */
  | { readonly admitted: false; readonly running: readonly Run[]; readonly waited: boolean; readonly freed: readonly FreedRun[] };

/** A run that was struck off because nobody would have ended it. */
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

/** Milliseconds between two looks while waiting. */
const POLL = 20;
/** So often another start may come in between before this one gives up. */
const MOST_LOST = 100;

/** The turn has not come: look again after so many milliseconds. */
export interface NotYet {
  readonly milliseconds: number;
  /** So many wait whose turn comes first. */
  readonly ahead: number;
}

/**
 * Asks for a start. An admitted run stays in the record until somebody ends it; its hook has to say `answered` before it answers.
 * Throws RunError when the record cannot be read or written; the caller then refuses the start.
 */
export function requestRun(request: RunRequest, rules: AdmissionRules, runContext: RunContext): Admission {
  const steps = requestInSteps(request, rules, runContext);
  for (;;) {
    const step = steps.next(true);
    if (step.done === true) return step.value;
    runContext.pause(step.value.milliseconds);
  }
}

/** The same for a program that has other things to do meanwhile. It yields for each pause, and is told then whether it still waits. */
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
      appendToJournal(runContext.file, [{ kind: 'start', ...line, limit }]);
      if (stateOf(id, runContext) === 'running') return { admitted: true, id, waited: queued, freed };
      // Somebody was quicker; look again at who that is.
      lost += 1;
      if (lost < MOST_LOST) continue;
    }
    // Whoever asks from inside all that runs would wait for itself.
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

/** Those whose turn comes first: they began to wait earlier, or at all. */
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

/** The run of the agent that asks, or of one that it runs inside. */
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

/** Writes down what ended without anybody saying so, and gives what is left. */
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
  // Between the look at the record and that at the processes a hook may have answered and ended: the record is looked at again.
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

/** Unlike any other: the process, its clock and chance. */
function newRunId({ hook, now }: WithoutPause): string {
  const chance = () =>
    Math.floor(Math.random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0');
  return `${(hook?.pid ?? 0).toString(16)}-${now().up.toString(16)}-${chance()}${chance()}`;
}
