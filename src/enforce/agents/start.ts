/** The start of an agent in live enforcement: requested, refused or admitted, logged, confirmed. */
import type { CallAnalysis } from '../../decide/flow/analysis.js';
import type { Decision } from '../../decide/ruling/decision.js';
import type { EventRecord } from '../../log/record/record.js';
import { type Admission, type RunContext, requestRun } from '../../run/admission.js';
import { markWaiting } from '../../run/journal.js';
import { answered, withdrawn } from '../../run/lifecycle.js';
import { concurrentExecution, overlapWarning, waitsForAnswer } from '../../run/overlap.js';
import type { HookContext } from '../../runner/hook/runner.js';
import type { EnforcementSettings } from '../snapshot/prepared-policy.js';
import { agentStartedBy, type RunPlaces, runContextOf } from './runs.js';

/** An agent that is to start, the result of its request, and the context of its record. */
export interface AgentStart {
  readonly agent: string;
  readonly admission: Admission;
  readonly runContext: RunContext;
}

export type LoggedEvent = Pick<EventRecord, 'event' | 'severity' | 'message'>;

/** Maximum wait for the turn in milliseconds: the runner waits for the hook meanwhile, and soon treats silence as permission. */
const PATIENCE = 750;

/**
 * Requests the start of the agent that a call starts; null for every other call, and for a call that is denied anyway. In observe
 * mode the agent starts regardless of the record. Throws RunError or LogError when the record cannot be kept.
 */
export function startOf(
  judged: Decision,
  analysis: CallAnalysis,
  said: HookContext,
  { sequential, mode }: EnforcementSettings,
  places: RunPlaces,
): AgentStart | null {
  const agent = agentStartedBy(analysis);
  if (agent === null || judged.decision === 'deny') return null;
  const runContext = runContextOf(places);
  const request = {
    agent,
    runner: places.runner ?? '',
    session: said.session,
    project: places.project,
    by: said.agentId ?? null,
    call: said.toolUseId,
    // The person may say no, and then the agent never runs.
    asked: judged.decision === 'ask',
  };
  const patience = sequential.mode === 'queue' ? PATIENCE : 0;
  const admission = requestRun(request, { limit: sequential.maxConcurrent, patience }, runContext);
  if (mode === 'observe' && !admission.admitted) observeStart(request, runContext);
  if (mode === 'observe' || admission.admitted) markWaiting(places.stateDirectory, runContext.file);
  return { agent, admission, runContext };
}

function observeStart(request: Parameters<typeof requestRun>[0], runContext: RunContext): void {
  const started = requestRun(request, { limit: Number.MAX_SAFE_INTEGER, patience: 0 }, runContext);
  if (started.admitted) answered(started.id, runContext);
}

/** Returns the decision on a start that was refused: the limit on running agents is one of the limits of the budget stage. */
export function overlapDecision(judged: Decision, { agent, admission }: AgentStart): Decision {
  const other = admission.admitted ? admission.waited : admission.running[0];
  // Without an id of its own the agent has not begun: the prompt about it is still open.
  const isAsked = other?.asked === true && other.agentId === null;
  const message = (isAsked ? waitsForAnswer : concurrentExecution)(otherAgent(admission) ?? UNKNOWN, agent);
  const reasons = [{ code: 'run/concurrent', message }];
  const budget = { stage: 'budget', decision: 'deny', rule: null, reasons } as const;
  return {
    ...judged,
    ...budget,
    stages: judged.stages.map((result) => (result.stage === 'budget' ? budget : result)),
    suggestion: null,
    message,
  };
}

const UNKNOWN = 'another agent';

/** Returns the agent that kept this one from starting, or made it wait; null if there is none. */
function otherAgent(admission: Admission): string | null {
  if (admission.admitted) return admission.waited?.agent ?? null;
  return admission.running[0]?.agent ?? UNKNOWN;
}

/** Returns the message about two agents at once, also when the second one only had to wait; null when it did not. */
export function startWarning({ agent, admission }: AgentStart): string | null {
  const other = otherAgent(admission);
  return other === null ? null : overlapWarning(other, agent);
}

/**
 * Returns the events for the decision log: overlaps, runs that were removed from the record, and that the agent's definition hides another.
 * @param override AgentDefinition.override
 */
export function startEvents(start: AgentStart, override: string | undefined): readonly LoggedEvent[] {
  const overlap = startWarning(start);
  const struck = start.admission.freed.map(({ run, why }) => ({
    event: 'lock.stale',
    severity: 'warning' as const,
    message: `The run of ${run.agent} was removed from the record of running agents: ${why}.`,
  }));
  return [
    ...struck,
    ...(overlap === null ? [] : [{ event: 'run.overlap', severity: 'warning', message: overlap } as const]),
    ...(override === undefined ? [] : [{ event: 'agent.override', severity: 'info', message: `${override}.` } as const]),
  ];
}

/** Records that the hook is about to allow the start. */
export function confirmStart({ admission, runContext }: AgentStart): void {
  if (admission.admitted) answered(admission.id, runContext);
}

/** Records that the start does not take place after all. */
export function withdrawStart({ admission, runContext }: AgentStart, why: string): void {
  if (admission.admitted) withdrawn(admission.id, why, runContext);
}
