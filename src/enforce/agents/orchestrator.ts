/** Runs work on behalf of agents, one at a time by default: for programs that start agents themselves. */
import { type Admission, type FreedRun, type RunContext, requestInSteps } from '../../run/admission.js';
import { answered, withdrawn } from '../../run/lifecycle.js';
import { spanText, type Timestamp } from '../../run/moment.js';
import { concurrentExecution } from '../../run/overlap.js';
import { processTable } from '../../run/process-identity.js';
import { liveRuns, runningAgents } from '../../run/running-agents.js';
import { currentTimestamp, type RunPlaces, recordedUnder, runContextOf } from './runs.js';

/** Stable codes for the reasons that keep an agent from running to its end. */
export type OrchestrationCode =
  | 'CONCURRENT_EXECUTION'
  | 'TIMEOUT'
  | 'EXECUTION_FAILED'
  | 'UNEXPECTED_FAILURE'
  | 'INTERRUPTED'
  | 'BUDGET_EXCEEDED';

/** Why an agent did not start, or did not end successfully. */
export class OrchestrationError extends Error {
  override readonly name = 'OrchestrationError';

  /**
   * @param requestedAgent the agent that was to run
   * @param runningAgent the agent that is running instead; null unless the code is `CONCURRENT_EXECUTION`
   * @param waitedMs how long the request waited for its turn before it was refused; null: not at all
   */
  constructor(
    readonly code: OrchestrationCode,
    message: string,
    readonly requestedAgent: string,
    readonly runningAgent: string | null = null,
    options: ErrorOptions = {},
    readonly waitedMs: number | null = null,
  ) {
    super(message, options);
  }
}

/** Thrown by an attempt that ended without saying why; when no attempt succeeds, the code is then `UNEXPECTED_FAILURE`. */
export class UnexplainedEnd extends Error {
  override readonly name = 'UnexplainedEnd';
}

export interface ExecuteOptions {
  /** Milliseconds that one attempt may take (default: 300,000). An attempt that times out is not retried. */
  readonly timeoutMs?: number;
  /** Maximum number of retries after a failed attempt (default: 2). */
  readonly maxRetries?: number;
  /** Called with each failed attempt that is retried, and the reason for the failure. */
  readonly warn?: (message: string, why: string) => void;
  /** Makes a request wait for its turn, in the order of the requests, instead of being refused. */
  readonly queue?: QueueOptions;
  /**
   * Called when the turn has come, with the id of the run and the runs that were removed from the record because nothing would
   * have ended them.
   */
  readonly admitted?: (id: string, freed: readonly FreedRun[]) => void;
  /**
   * Awaited before an attempt that does not begin at once: the first one if it had to wait for its turn, and each further one.
   * Facts checked before the run may have changed meanwhile. An error that it throws ends the run and is passed on unchanged.
   */
  readonly recheck?: () => Promise<void>;
  /** Keeps the turn after a timeout until the attempt has really ended; the attempt then has to heed its signal. */
  readonly awaitsEnd?: boolean;
}

export interface QueueOptions {
  /** Maximum wait in milliseconds. */
  readonly patienceMs: number;
  /** Called with the number of requests ahead of this one, whenever that number changes. */
  readonly waiting?: (ahead: number) => void;
  /** Aborting it ends the wait with `INTERRUPTED`; if the abort reason is a string, it is part of the message. */
  readonly interrupt?: AbortSignal;
}

/** One attempt. The signal is aborted when its time is up; `attempt` starts at 1. */
export type Attempt<Request, Result> = (request: Request, signal: AbortSignal, attempt: number) => Promise<Result>;

export interface Execution<Result> {
  readonly result: Result;
  readonly attempts: number;
}

export interface OrchestratorOptions {
  /** Real path of the project whose agents take turns. */
  readonly project: string;
  /** Absolute path; created if missing, and refused if others may write to it. */
  readonly stateDirectory: string;
  /** The session whose agents take turns among themselves; null: all agents of the project do. */
  readonly session?: string | null;
  /** Maximum number of agents running at once (default: 1). */
  readonly maxConcurrent?: number;
}

export interface Orchestrator {
  /**
   * Runs `attempt` until it succeeds, and keeps other agents from starting meanwhile. Without a queue, a second caller is refused
   * at once; the turn ends with success, failure, timeout, or the death of this process. Throws OrchestrationError; RangeError
   * for options that are not non-negative integers; RunError or LogError when the record of running agents cannot be kept.
   */
  readonly execute: <Request, Result>(
    agent: { readonly name: string },
    request: Request,
    options: ExecuteOptions,
    attempt: Attempt<Request, Result>,
  ) => Promise<Execution<Result>>;
  /** Returns the names of the running agents, in the order of their starts. Throws RunError when the record cannot be read. */
  readonly running: () => readonly string[];
  /** Returns what runs and what waits, in this program and in others that take turns with it. Throws RunError like `running`. */
  readonly state: () => ExecutionState;
}

/** Times are of the form 2026-11-29T18:30:00.000Z. */
export interface ExecutionState {
  /** The agent that started first of those that run; null: none does. */
  readonly current: { readonly agent: string; readonly id: string; readonly startedAt: string } | null;
  /** Requests that wait for their turn, in its order; `position` starts at 1. */
  readonly queue: readonly {
    readonly agent: string;
    readonly id: string;
    readonly position: number;
    readonly enqueuedAt: string;
  }[];
}

const TIMEOUT_MS = 300_000;
const MAX_RETRIES = 2;
/** The longest delay that setTimeout supports, in milliseconds. */
const LONGEST = 2_147_483_647;

/** Creates an orchestrator that takes turns with every hook and every other program that uses the same state directory. */
export function createOrchestrator({
  project,
  stateDirectory,
  session = null,
  maxConcurrent = 1,
}: OrchestratorOptions): Orchestrator {
  const places: RunPlaces = {
    ...{ stateDirectory, project, runner: null, news: { session } },
    now: Date.now,
    microseconds: () => Number(process.hrtime.bigint() / 1000n),
  };
  const limit = wholeNumber('maxConcurrent', maxConcurrent);
  return {
    execute: async (agent, request, options, attempt) => {
      const timeoutMs = Math.min(wholeNumber('timeoutMs', options.timeoutMs ?? TIMEOUT_MS), LONGEST);
      const attempts = wholeNumber('maxRetries', options.maxRetries ?? MAX_RETRIES) + 1;
      const runContext = clerkOfThisProcess(places);
      const { id, waited, freed } = await start(agent.name, { project, session, limit }, options.queue, runContext);
      let outcome = 'could not begin';
      try {
        if (waited !== null) await options.recheck?.();
        if (options.queue?.interrupt?.aborted === true) throw notWaited(agent.name, options.queue.interrupt);
        options.admitted?.(id, freed);
        outcome = 'failed';
        const done = await tryAgain(agent.name, attempts, options, (number) =>
          inTime(agent.name, timeoutMs, options.awaitsEnd === true, (signal) => attempt(request, signal, number)),
        );
        outcome = 'completed';
        return done;
      } finally {
        withdrawn(id, outcome, runContext);
      }
    },
    running: () => runningAgents(stateDirectory, project, recordedUnder(places.news)).map(({ agent }) => agent),
    state: () => stateOf(places),
  };
}

function stateOf(places: RunPlaces): ExecutionState {
  const { stateDirectory, project, news } = places;
  const table = () => processTable(process.platform);
  const runs = liveRuns(stateDirectory, project, recordedUnder(news), currentTimestamp(places), table);
  const current = runs.find(({ state }) => state === 'running');
  const waiting = runs.filter(({ state }) => state === 'waiting');
  return {
    current: current === undefined ? null : { agent: current.agent, id: current.id, startedAt: timeText(current.when) },
    queue: waiting.map(({ agent, id, when }, at) => ({ agent, id, position: at + 1, enqueuedAt: timeText(when) })),
  };
}

function timeText({ at }: Timestamp): string {
  return new Date(at).toISOString();
}

/** Returns a run context whose runs end with this process, not with the process that started it. */
function clerkOfThisProcess(places: RunPlaces): RunContext {
  const runContext = runContextOf(places);
  return { ...runContext, holder: runContext.hook };
}

async function start(
  agent: string,
  { project, session, limit }: { readonly project: string; readonly session: string | null; readonly limit: number },
  queue: QueueOptions | undefined,
  runContext: RunContext,
): Promise<Admission & { readonly admitted: true }> {
  const request = { agent, runner: '', session, project, by: null, call: null, asked: false };
  const since = runContext.now().up;
  const steps = requestInSteps(request, { limit, patience: queue?.patienceMs ?? 0 }, runContext);
  // Nothing is awaited before a wait is needed, so a refusal is immediate.
  let step = steps.next(true);
  let told = -1;
  while (step.done !== true) {
    const { milliseconds, ahead } = step.value;
    if (ahead !== told) queue?.waiting?.(ahead);
    told = ahead;
    await pause(Math.min(LONGEST_PAUSE, Math.max(milliseconds, ahead * PAUSE_EACH)), queue?.interrupt);
    step = steps.next(queue?.interrupt?.aborted !== true);
  }
  const admission = step.value;
  if (!admission.admitted && queue?.interrupt?.aborted === true) throw notWaited(agent, queue.interrupt);
  if (!admission.admitted) {
    const running = admission.running[0]?.agent ?? 'another agent';
    const waited = admission.waited ? runContext.now().up - since : null;
    throw new OrchestrationError('CONCURRENT_EXECUTION', concurrentExecution(running, agent), agent, running, {}, waited);
  }
  answered(admission.id, runContext);
  return admission;
}

/**
 * Milliseconds between two checks of the record, per request ahead of this one: later places check less often. Many waiting
 * requests would otherwise keep the machine busy checking.
 */
const PAUSE_EACH = 100;
const LONGEST_PAUSE = 5_000;

/** Resolves when the time is over or the wait is interrupted. */
function pause(milliseconds: number, interrupt: AbortSignal | undefined): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      interrupt?.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, milliseconds);
    interrupt?.addEventListener('abort', end);
    if (interrupt?.aborted === true) end();
  });
}

function notWaited(agent: string, interrupt: AbortSignal): OrchestrationError {
  const { reason } = interrupt as { readonly reason: unknown };
  const why = typeof reason === 'string' ? ` (${reason})` : '';
  return new OrchestrationError('INTERRUPTED', `${agent} no longer waits for its turn${why}; nothing was started`, agent);
}

const UNEXPECTED = ['UNEXPECTED_FAILURE', 'failed unexpectedly'] as const;

async function tryAgain<Result>(
  agent: string,
  attempts: number,
  { warn, recheck }: ExecuteOptions,
  run: (attempt: number) => Promise<Result>,
): Promise<Execution<Result>> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return { result: await run(attempt), attempts: attempt };
    } catch (error) {
      if (error instanceof OrchestrationError) throw error;
      const isExplained = error instanceof Error && error.message !== '' && !(error instanceof UnexplainedEnd);
      const why = error instanceof Error && error.message !== '' ? error.message : `it gave no reason (${String(error)})`;
      if (attempt >= attempts) {
        const [code, what] = isExplained ? (['EXECUTION_FAILED', 'failed'] as const) : UNEXPECTED;
        throw new OrchestrationError(code, `${agent} ${what}: ${why}`, agent, null, { cause: error });
      }
      warn?.(`Subagent execution attempt ${attempt} failed, retrying...`, why);
      await recheck?.();
    }
}

async function inTime<Result>(
  agent: string,
  timeoutMs: number,
  awaitsEnd: boolean,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let attempt: Promise<Result> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new OrchestrationError('TIMEOUT', `${agent} took longer than ${spanText(timeoutMs)}`, agent);
      abort.abort(error);
      if (awaitsEnd)
        attempt?.then(
          () => reject(error),
          () => reject(error),
        );
      else reject(error);
    }, timeoutMs);
  });
  try {
    attempt = run(abort.signal);
    const result = await Promise.race([attempt, late]);
    // An attempt that was ended by the timeout may still report success: its work was ended, too.
    abort.signal.throwIfAborted();
    return result;
  } catch (error) {
    // The error of an attempt that was ended by the timeout is not the reason for the failure.
    throw abort.signal.aborted ? abort.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

function wholeNumber(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} is a whole number from 0`);
  return value;
}
