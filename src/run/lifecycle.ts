/** A runner's news about its agents, apart from the calls that start them, and the resulting changes to the record. */
import type { AgentEvent } from '../runner/hook/agent-event.js';
import type { RunContext, RunRequest } from './admission.js';
import { appendToJournal, readJournal } from './journal.js';
import { elapsed, type Timestamp } from './moment.js';
import { type Run, replay } from './replay.js';
import { asRecorded, type RunEvent } from './run-event.js';

/** An event. */
export type Lifecycle =
  | AgentEvent
  /** The call that started an agent has returned; `background`: the agent continues. */
  | {
      readonly kind: 'call-ended';
      readonly call: string | null;
      readonly agent: string;
      readonly agentId: string | null;
      readonly background: boolean;
    };

/** The session and project that the record is about. */
export type RunPlace = Pick<RunRequest, 'runner' | 'session' | 'project'>;

const MOST_TRIES = 8;

/**
 * Records an event. Throws RunError if that fails: the run then stays in the record, and another start is refused.
 * @returns runs that began without a request
 */
export function recordLifecycle(news: Lifecycle, where: RunPlace, runContext: RunContext): readonly Run[] {
  const [event, place] = [asRecorded(news), asRecorded(where)];
  if (event.kind === 'agent-began') return agentBegan(event, place, runContext);
  const running = runningIn(runContext);
  const ended = endedBy(event, running, place.session);
  const when = runContext.now();
  const lines = ended.flatMap(({ id, agentId }): RunEvent[] => {
    if (event.kind !== 'agent-ended' || event.agentId === null || agentId !== null)
      return [{ kind: 'ended', id, how: HOW[event.kind], when }];
    // The news of its start may arrive later, and must then find the run that it belongs to.
    return [
      { kind: 'bound', id, agentId: event.agentId },
      { kind: 'ended', id, how: OVERTAKING, when },
    ];
  });
  if (event.kind === 'call-ended' && event.background) {
    const run = runOfCall(event, running);
    if (run !== null) {
      lines.push({ kind: 'background', id: run.id });
      if (event.agentId !== null) lines.push({ kind: 'bound', id: run.id, agentId: event.agentId });
    }
  }
  appendToJournal(runContext.file, lines);
  return [];
}

const HOW: Readonly<Record<Exclude<Lifecycle['kind'], 'agent-began'>, string>> = {
  'agent-ended': 'completed',
  'call-ended': 'completed',
  'turn-ended': 'ended with the turn',
  'calls-ended': 'was refused, or ended without a report',
  'session-ended': 'ended with the session',
};

const OVERTAKING = 'completed before its start was reported';
/** The maximum time that a hook may take, in milliseconds. */
const MOST_OVERTAKEN = 30_000;

function endedBy(
  event: Exclude<Lifecycle, { readonly kind: 'agent-began' }>,
  running: readonly Run[],
  session: string | null,
): readonly Run[] {
  switch (event.kind) {
    case 'agent-ended': {
      const { agentId, agent } = event;
      const bound = running.filter((run) => agentId !== null && run.agentId === agentId);
      const named = running.filter((run) => run.agent === agent && (agentId === null || run.agentId === null));
      return bound.length > 0 ? bound : named.slice(0, 1);
    }
    case 'call-ended': {
      const run = event.background ? null : runOfCall(event, running);
      return run === null ? [] : [run];
    }
    case 'turn-ended': {
      const { still } = event;
      return running.filter(
        (run) =>
          run.session === session && (still === null || run.agentId === null ? !run.background : !still.includes(run.agentId)),
      );
    }
    case 'calls-ended':
      // A running agent got an id when it began; one without an id was a question that a person refused.
      return running.filter((run) => run.session === session && run.by === event.by && run.agentId === null && !run.background);
    case 'session-ended':
      return running.filter((run) => run.session === session);
  }
}

/** Finds the run by the call's id; if the runner has none, the oldest run with that name. */
function runOfCall(
  { call, agent }: Pick<Lifecycle & { kind: 'call-ended' }, 'call' | 'agent'>,
  running: readonly Run[],
): Run | null {
  return running.find((run) => (call === null ? run.agent === agent : run.call === call)) ?? null;
}

/** Assigns the id to the run that was admitted under that name; an agent without a request gets a run of its own. */
function agentBegan(
  { agentId, agent, by }: Lifecycle & { kind: 'agent-began' },
  place: RunPlace,
  runContext: RunContext,
): readonly Run[] {
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const runs = replay(readJournal(runContext.file));
    const running = runs.filter(({ state }) => state === 'running');
    if (runs.some((run) => run.agentId === agentId && isOvertaken(run, runContext.now()))) return [];
    if (running.some((run) => run.agentId === agentId)) return [];
    const unbound = running.filter((run) => run.agentId === null);
    const run = unbound.find((one) => one.agent === agent) ?? unbound[0];
    if (run === undefined) break;
    appendToJournal(runContext.file, [{ kind: 'bound', id: run.id, agentId }]);
  }
  const running = runningIn(runContext);
  const found = running.find((run) => run.agentId === agentId);
  if (found !== undefined) return [];
  const id = `seen-${agentId.slice(0, 64)}-${runContext.now().up}`;
  const { hook, holder } = runContext;
  appendToJournal(runContext.file, [
    {
      kind: 'start',
      id,
      ...place,
      agent,
      agentId,
      by,
      call: null,
      limit: null,
      asked: false,
      when: runContext.now(),
      hook,
      holder,
    },
  ]);
  return runningIn(runContext).filter((run) => run.id === id);
}

/** Whether news of its end arrived before news of its start; an agent that rests and is woken begins much later. */
function isOvertaken({ lastEvent, endedAt }: Run, now: Timestamp): boolean {
  return lastEvent === OVERTAKING && endedAt !== null && elapsed(endedAt, now) < MOST_OVERTAKEN;
}

function runningIn({ file }: RunContext): readonly Run[] {
  return replay(readJournal(file)).filter(({ state }) => state === 'running');
}

/** Records that the hook is about to allow the start. */
export function answered(id: string, runContext: RunContext): void {
  appendToJournal(runContext.file, [{ kind: 'answered', id }]);
}

/** Records that the start did not take place after all. */
export function withdrawn(id: string, why: string, runContext: RunContext): void {
  appendToJournal(runContext.file, [{ kind: 'ended', id, how: why, when: runContext.now() }]);
}
