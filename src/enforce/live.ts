/** Live enforcement: the same decision as the dry mode, written to the decision log before anybody is told of it. */
import type { ToolCall } from '../call/tool-call.js';
import { analyse, type CallAnalysis } from '../decide/analysis.js';
import { mayGrant } from '../decide/call/auto-grant.js';
import { decide } from '../decide/decide.js';
import type { Decision } from '../decide/decision.js';
import { settle, settlingLine } from '../decide/remedy/remedy.js';
import { appendRecord } from '../log/append.js';
import { digestKey } from '../log/files/digest-key.js';
import {
  type CallContext,
  eventRecordOf,
  type LogRecord,
  recordOf,
  resultRecordOf,
  type ToolOutcome,
} from '../log/record/record.js';
import { newRecordId } from '../log/record/record-id.js';
import type { Effect } from '../rule/permission-rule.js';
import { RunError } from '../run/run-error.js';
import type { StartedAgent } from '../runner/agent-event.js';
import type { HookContext } from '../runner/runner.js';
import { withCallers } from './agents/calling-agents.js';
import { agentCallEnded, type RunPlaces } from './agents/runs.js';
import {
  type AgentStart,
  confirmStart,
  overlapDecision,
  startEvents,
  startOf,
  startWarning,
  withdrawStart,
} from './agents/start.js';
import { spendBudget } from './budget.js';
import { keepingSuggestion, withSkill } from './enforce.js';
import { gatherFacts } from './facts/gather.js';
import type { Gate } from './snapshot/prepared-policy.js';

/** Who writes the log, and when the call came in. */
export interface LiveContext {
  readonly stateDirectory: string;
  /** Version of this tool. */
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Microseconds of a clock that only rises; for how long the decision took. */
  readonly microseconds: () => number;
  /** True when whoever waits for the answer has gone, and so has denied the call; false where nobody can tell. */
  readonly isUnheard: () => boolean;
}

/** A decision that is in the log. */
export interface LiveDecision {
  /** Id of its record: `policy log show ID`. */
  readonly id: string;
  readonly decision: Decision;
  /** What the runner is told: the decision, or in observe mode allow. */
  readonly told: Effect;
  readonly observed: boolean;
  /** The runner need not ask again. */
  readonly grant: boolean;
  /** What would settle an ask or a deny: a command for a person to type, or a sentence. */
  readonly settling: string | null;
  /** Something that the person has to see although the call may run. */
  readonly warning: string | null;
}

/**
 * Decides a call and logs the decision; a call that starts an agent is let in only when the record of running agents says so.
 * Throws LogError or RunError when a record could not be read or written: the caller then denies the call (design, "Fail closed").
 */
export function enforceLive(gate: Gate, made: ToolCall, said: HookContext, context: LiveContext): LiveDecision {
  const arrived = context.microseconds();
  const places = runPlaces(gate, made, said, context);
  const call = withCallers(made, said, places);
  const analysis = analyse(call);
  const budget = spendBudget(gate.compiled.policy.budget, call, said, places);
  const surroundings = { ...gate.surroundings, budget };
  const { facts, decideOther } = factsOf(gate, call, analysis, surroundings);
  const judged = keepingSuggestion(decide(gate.compiled, call, facts, analysis), call, decideOther);
  const { mode, hook } = gate.settings;
  const start = startOf(judged, analysis, said, gate.settings, places);
  const decision = start === null || start.admission.admitted ? judged : overlapDecision(judged, start);
  const id = newRecordId(context.time);
  const record = recordOf(decision, {
    ...callContext(gate, call, said, context, id),
    policy: gate.digest,
    permissionMode: said.permissionMode,
    mode,
    microseconds: context.microseconds() - arrived,
  });
  const observed = mode === 'observe';
  logDecision(record, start, () => callContext(gate, call, said, context, newRecordId(context.time)), context);
  const refused = start?.admission.admitted === false;
  const layer = gate.untrusted ? 'user' : 'local';
  const settlement = refused ? null : settle(gate.compiled, call, facts, decision, analysis, layer);
  return {
    id,
    decision,
    told: observed ? 'allow' : decision.decision,
    observed,
    grant: !observed && hook.grant === 'explicit' && mayGrant(decision, analysis, facts, call.cwd),
    settling: settlement && settlingLine(settlement, layer),
    warning: start === null ? null : startWarning(start),
  };
}

/** The facts of a call, those of the skill that it loads included, and what decides about the calls that a skill makes. */
function factsOf(gate: Gate, call: ToolCall, analysis: CallAnalysis, surroundings: Gate['surroundings']) {
  const decideOther = (other: ToolCall): Decision => {
    const read = analyse(other);
    const known = gatherFacts(read, other.cwd, surroundings);
    return decide(gate.compiled, other, withSkill(known, read, other, surroundings.home, decideOther), read);
  };
  const known = gatherFacts(analysis, call.cwd, surroundings);
  return { facts: withSkill(known, analysis, call, surroundings.home, decideOther), decideOther };
}

/**
 * Decides about a skill that a person typed; null where nothing that it does when it is loaded is denied. Whether an agent may use the
 * skill does not matter here. Only a denial is logged. Throws LogError as enforceLive does.
 */
export function enforceTyped(
  gate: Gate,
  call: ToolCall,
  said: HookContext,
  context: LiveContext,
): Pick<LiveDecision, 'id' | 'decision' | 'observed' | 'settling'> | null {
  const arrived = context.microseconds();
  const analysis = analyse(call);
  const { facts } = factsOf(gate, call, analysis, gate.surroundings);
  if (!facts.skill?.claims.some(({ effect }) => effect === 'deny')) return null;
  const decision = decide(gate.compiled, call, facts, analysis);
  const { mode } = gate.settings;
  const id = newRecordId(context.time);
  const record = recordOf(decision, {
    ...callContext(gate, call, said, context, id),
    policy: gate.digest,
    permissionMode: said.permissionMode,
    mode,
    microseconds: context.microseconds() - arrived,
  });
  appendRecord(context.stateDirectory, record);
  return { id, decision, observed: mode === 'observe', settling: null };
}

/** Writes the decision, and what happened to the record of agents; only then does the agent count as running. */
function logDecision(
  record: LogRecord,
  start: AgentStart | null,
  origin: () => CallContext,
  { stateDirectory, isUnheard }: LiveContext,
): void {
  try {
    appendRecord(stateDirectory, record);
    for (const event of start === null ? [] : startEvents(start)) {
      const context = origin();
      appendRecord(stateDirectory, eventRecordOf(event, context, context.call));
    }
  } catch (error) {
    if (start !== null) withdrawStart(start, 'could not be logged');
    throw error;
  }
  if (start === null) return;
  if (isUnheard()) {
    withdrawStart(start, 'nobody heard that it may');
    throw new RunError('what watches over the hook was ended, and with it this call; try again');
  }
  confirmStart(start);
}

/** Logs how a call ended, and with it the agent that it started. Throws LogError or RunError when that could not be written. */
export function logResult(
  gate: Gate,
  call: ToolCall,
  said: HookContext,
  { started, ...outcome }: Omit<ToolOutcome, 'canonical'> & { readonly started: StartedAgent },
  context: LiveContext,
): void {
  const analysis = analyse(call);
  const { canonical } = analysis.tool;
  agentCallEnded(analysis, said, started, runPlaces(gate, call, said, context));
  const record = resultRecordOf({ ...outcome, canonical }, callContext(gate, call, said, context, newRecordId(context.time)));
  appendRecord(context.stateDirectory, record);
}

function callContext(gate: Gate, call: ToolCall, said: HookContext, context: LiveContext, id: string): CallContext {
  return {
    id,
    time: context.time,
    session: said.session,
    model: said.model,
    project: gate.surroundings.project,
    version: context.version,
    call,
    toolUseId: said.toolUseId,
    key: digestKey(context.stateDirectory),
    input: gate.settings.log.input,
  };
}

function runPlaces(gate: Gate, { runner }: ToolCall, said: HookContext, context: LiveContext): RunPlaces {
  const { stateDirectory, time, microseconds } = context;
  return { stateDirectory, project: gate.surroundings.project, runner: runner ?? null, said, now: () => time, microseconds };
}
