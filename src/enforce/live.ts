/** Live enforcement: the same decision as the dry mode, written to the decision log before the runner receives it. */
import type { AgentDefinition } from '../agent/agent.js';
import { normalizeName } from '../agent/name.js';
import type { ToolCall } from '../call/tool-call.js';
import { decide } from '../decide/decide.js';
import { analyse, type CallAnalysis } from '../decide/flow/analysis.js';
import { findRemedy, remedyLine } from '../decide/remedy/remedy.js';
import type { Decision } from '../decide/ruling/decision.js';
import type { BudgetFacts } from '../decide/ruling/facts.js';
import { appendRecord } from '../log/append.js';
import { digestKey } from '../log/files/digest-key.js';
import {
  type CallContext,
  eventRecordOf,
  type LogRecord,
  type RecordedInput,
  recordOf,
  resultRecordOf,
  type ToolOutcome,
} from '../log/record/record.js';
import { newRecordId } from '../log/record/record-id.js';
import { type PackagePolicy, withPackages } from '../project/packages.js';
import type { Effect } from '../rule/pattern/permission-rule.js';
import { type LaunchedRun, TRIAL_RUN } from '../run/launched.js';
import { RunError } from '../run/run-error.js';
import type { StartedAgent } from '../runner/hook/agent-event.js';
import type { HookContext } from '../runner/hook/runner.js';
import { withCallers } from './agents/calling-agents.js';
import { agentCallEnded, type RunPlaces } from './agents/runs.js';
import {
  type AgentStart,
  confirmStart,
  type LoggedEvent,
  overlapDecision,
  startEvents,
  startOf,
  startWarning,
  withdrawStart,
} from './agents/start.js';
import { asAlike, decisive } from './alike.js';
import { spendBudget, spentEvent } from './budget.js';
import { keepingSuggestion, mayGrant, withSkill } from './enforce.js';
import { gatherFacts } from './facts/gather.js';
import { protectedPulled } from './facts/pulled-files.js';
import type { EnforcementSettings, PreparedPolicy } from './snapshot/prepared-policy.js';

/** Where the decision is logged, and when the call came in. */
export interface LiveContext {
  readonly stateDirectory: string;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Microseconds of a monotonic clock, for measuring how long the decision took. */
  readonly microseconds: () => number;
  /** True when the process that waits for the answer has gone, and so has denied the call; false if that cannot be determined. */
  readonly isUnheard: () => boolean;
  /** The `policy run` that the call belongs to: its denials are enforced in every mode. */
  readonly launched: Pick<LaunchedRun, 'id' | 'agent' | 'model' | 'spent' | 'headless'> | null;
  /** The policy of a package, for calls that touch its files; absent if there is none. */
  readonly packagePolicy?: PackagePolicy;
  /** Returns calls of other tools that do the same as a call of this program's own server; absent for all other calls. */
  readonly alike?: (call: ToolCall) => readonly ToolCall[];
}

export interface LiveDecision {
  /** Id of its record: `policy log show ID`. */
  readonly id: string;
  readonly decision: Decision;
  /** The model of the caller; null if it is not known. */
  readonly model: string | null;
  /** The answer to the runner: the decision, or in observe mode allow. */
  readonly told: Effect;
  readonly observed: boolean;
  /** The runner may skip its own prompt. */
  readonly grant: boolean;
  /** What would turn an ask or a denial into an allow: a command for a person to type, or a sentence. */
  readonly remedy: string | null;
  /** A message that the person has to see although the call may run. */
  readonly warning: string | null;
  /** The input as it was logged, for the record of how the call ended. */
  readonly recorded: RecordedInput;
}

/**
 * Decides a call and logs the decision; a call that starts an agent is admitted only if the record of running agents allows it.
 * Throws LogError or RunError when a record could not be read or written: the caller then denies the call.
 */
export function enforceLive(prepared: PreparedPolicy, made: ToolCall, said: HookContext, context: LiveContext): LiveDecision {
  const arrived = context.microseconds();
  const places = runPlaces(prepared, made, said, context);
  const call = withCallers(context.launched?.headless === true ? { ...made, headless: true } : made, said, places);
  const analysis = analyse(call);
  const budget = withRunSpent(spendBudget(prepared.compiled.policy.budget, call, said, places), context);
  const surroundings = { ...prepared.surroundings, budget };
  const { facts, decideOther, decideWhole } = factsOf(prepared, call, analysis, surroundings, context.packagePolicy);
  const own = { decision: decide(prepared.compiled, call, facts, analysis), compiled: prepared.compiled };
  const governed = withPackages(own, call, facts, analysis, context.packagePolicy);
  const alike = context.alike?.(call).map((one) => ({ ...decideWhole(one), call: one })) ?? [];
  const other = decisive(governed.decision, alike);
  const judged = keepingSuggestion(asAlike(governed.decision, other?.decision), call, decideOther);
  const { hook } = prepared.settings;
  const mode = modeOf(prepared, context);
  const start = startOf(judged, analysis, said, { ...prepared.settings, mode }, places);
  const decision = start === null || start.admission.admitted ? judged : overlapDecision(judged, start);
  const id = newRecordId(context.time);
  const record = recordOf(decision, {
    ...callContext(prepared, call, said, context, id),
    policy: prepared.digest,
    permissionMode: said.permissionMode,
    mode,
    microseconds: context.microseconds() - arrived,
  });
  const observed = mode === 'observe';
  const origin = () => callContext(prepared, call, said, context, newRecordId(context.time));
  const spent = spentEvent(decision, said, places);
  const startedEvents = start === null ? [] : startEvents(start, definitionOf(prepared, start.agent)?.override);
  logDecision(record, start, [...startedEvents, ...(spent === null ? [] : [spent])], origin, context);
  const refused = start?.admission.admitted === false;
  const layer = prepared.untrusted ? 'user' : 'local';
  const about = other ?? { ...governed, call, facts, decision, analysis };
  const remedy = refused ? null : findRemedy(about.compiled, about.call, about.facts, about.decision, about.analysis, layer);
  return {
    id,
    decision,
    model: record.model,
    told: observed ? 'allow' : decision.decision,
    observed,
    // In a run no one can answer a prompt, so the runner's default would be a refusal.
    grant: mayGrant(decision, { hook, mode }, context.launched !== null),
    remedy: remedy && remedyLine(remedy, layer),
    warning: start === null ? null : startWarning(start),
    recorded: record,
  };
}

/**
 * Returns the mode: the permissions of a `policy run` are always enforced, even if the policy only observes or the mode is
 * changed meanwhile.
 */
function modeOf({ settings }: PreparedPolicy, { launched }: LiveContext): EnforcementSettings['mode'] {
  return launched === null ? settings.mode : 'enforce';
}

const NOTHING_COUNTED: BudgetFacts = { tokens: 0, calls: 0, seconds: 0, perAgent: {} };

/** Returns the counted budget, and whether the `policy run` has spent its own. */
function withRunSpent(counted: BudgetFacts | null, { launched }: LiveContext): BudgetFacts | null {
  return launched === null || launched.spent === null ? counted : { ...(counted ?? NOTHING_COUNTED), runSpent: launched.spent };
}

/**
 * Returns the facts of a call, including those of the skill that it loads, and a function that decides the calls that a skill makes.
 * @param hear called with each call that the skill itself makes
 */
function factsOf(
  prepared: PreparedPolicy,
  call: ToolCall,
  analysis: CallAnalysis,
  surroundings: PreparedPolicy['surroundings'],
  policyOf: PackagePolicy | undefined,
  hear: (made: ToolCall, decision: Decision) => void = () => {},
) {
  const decideWhole = (other: ToolCall) => {
    const analysed = analyse(other);
    const known = gatherFacts(analysed, other.cwd, surroundings);
    const facts = withSkill(known, analysed, other, surroundings.home, decideOther);
    const own = { decision: decide(prepared.compiled, other, facts, analysed), compiled: prepared.compiled };
    return { ...withPackages(own, other, facts, analysed, policyOf), facts, analysis: analysed };
  };
  const decideOther = (other: ToolCall): Decision => decideWhole(other).decision;
  const decideMade = (made: ToolCall): Decision => {
    const decision = decideOther(made);
    hear(made, decision);
    return decision;
  };
  const known = gatherFacts(analysis, call.cwd, surroundings);
  return { facts: withSkill(known, analysis, call, surroundings.home, decideMade), decideOther, decideWhole };
}

/**
 * Decides about a skill that a person typed, or that was given to a run as its goal; null if the runner may load it. Whether an
 * agent may use the skill does not matter here, only what the skill runs and reads when it is loaded: if that is denied, the
 * denial is logged as one of the skill, else each decision about it separately, since no call of an agent will report it. Typing
 * the name counts as the answer to an ask; in a headless run, an ask is a denial. Throws LogError as enforceLive does.
 */
export function enforceTyped(
  prepared: PreparedPolicy,
  typed: ToolCall,
  said: HookContext,
  context: LiveContext,
): Pick<LiveDecision, 'id' | 'decision' | 'model' | 'observed' | 'remedy'> | null {
  const arrived = context.microseconds();
  const call = ofRun(prepared, typed, said, context);
  const analysis = analyse(call);
  const { skill, facts, parts } = loadedBy(prepared, call, analysis, context.packagePolicy);
  const mode = modeOf(prepared, context);
  const log = (about: ToolCall, decision: Decision) => {
    const id = newRecordId(context.time);
    const record = recordOf(decision, {
      ...callContext(prepared, about, said, context, id),
      policy: prepared.digest,
      permissionMode: said.permissionMode,
      mode,
      microseconds: context.microseconds() - arrived,
    });
    appendRecord(context.stateDirectory, record);
    return id;
  };
  const refusing = new Set<Effect>(call.headless ? ['deny', 'ask'] : ['deny']);
  if (!skill.some(({ effect }) => refusing.has(effect))) {
    for (const part of parts) log(part.call, part.decision);
    return null;
  }
  const decision = decide(prepared.compiled, call, facts, analysis);
  const model = modelOf(prepared, call, said, context);
  return { id: log(call, decision), decision, model, observed: mode === 'observe', remedy: null };
}

/** Returns the typed call with its callers: none for a person's own call; in a run, the limits of its agent apply. */
function ofRun(prepared: PreparedPolicy, typed: ToolCall, said: HookContext, context: LiveContext): ToolCall {
  if (context.launched === null) return typed;
  const places = runPlaces(prepared, typed, said, context);
  return withCallers({ ...typed, headless: context.launched.headless }, { ...said, agentId: null }, places);
}

/** Returns the actions of a skill when it is loaded: its rulings, and the calls that they are about, each with its decision. */
function loadedBy(prepared: PreparedPolicy, call: ToolCall, analysis: CallAnalysis, policyOf: PackagePolicy | undefined) {
  const parts: { readonly call: ToolCall; readonly decision: Decision }[] = [];
  const { facts } = factsOf(prepared, call, analysis, prepared.surroundings, policyOf, (part, decision) =>
    parts.push({ call: part, decision }),
  );
  return { skill: facts.skill?.rulings ?? [], facts, parts };
}

/** Writes the decision and the changes to the record of agents; only then does the agent count as running. */
function logDecision(
  record: LogRecord,
  start: AgentStart | null,
  events: readonly LoggedEvent[],
  origin: () => CallContext,
  { stateDirectory, isUnheard }: LiveContext,
): void {
  try {
    appendRecord(stateDirectory, record);
    for (const event of events) {
      const context = origin();
      appendRecord(stateDirectory, eventRecordOf(event, context, context.call));
    }
  } catch (error) {
    if (start !== null) withdrawStart(start, 'could not be logged');
    throw error;
  }
  if (start === null) return;
  if (isUnheard()) {
    withdrawStart(start, 'the answer reached nobody');
    throw new RunError("the hook's watcher was stopped, and this call with it; try again");
  }
  confirmStart(start);
}

/**
 * Logs how a call ended, with the agent that it started, and the protected files that a `git pull` has changed. Throws LogError
 * or RunError when that could not be written.
 */
export function logResult(
  prepared: PreparedPolicy,
  call: ToolCall,
  said: HookContext,
  { started, ...outcome }: Omit<ToolOutcome, 'canonical'> & { readonly started: StartedAgent },
  context: LiveContext,
): void {
  const analysis = analyse(call);
  const { canonical } = analysis.tool;
  agentCallEnded(analysis, said, started, runPlaces(prepared, call, said, context));
  const record = resultRecordOf({ ...outcome, canonical }, callContext(prepared, call, said, context, newRecordId(context.time)));
  appendRecord(context.stateDirectory, record);
  // If the runner does not report how long a call took, a minute is assumed.
  const since = Math.floor(context.time / 1000 - (outcome.microseconds ?? A_MINUTE) / 1_000_000) - 1;
  const pulled = protectedPulled(analysis, call.cwd, prepared.surroundings, since);
  if (pulled.length === 0) return;
  const named = pulled.slice(0, 5).join(', ') + (pulled.length > 5 ? ` and ${pulled.length - 5} more` : '');
  const event = {
    event: 'protected.changed',
    severity: 'warning',
    message: `git pull changed protected files: ${named}`,
  } as const;
  const origin = callContext(prepared, call, said, context, newRecordId(context.time));
  appendRecord(context.stateDirectory, eventRecordOf(event, origin, call));
}

const A_MINUTE = 60_000_000;

function callContext(prepared: PreparedPolicy, call: ToolCall, said: HookContext, context: LiveContext, id: string): CallContext {
  return {
    id,
    time: context.time,
    session: said.session,
    model: modelOf(prepared, call, said, context),
    project: prepared.surroundings.project,
    ...(context.launched !== null && context.launched.id !== TRIAL_RUN && { run: context.launched.id }),
    version: context.version,
    call,
    toolUseId: said.toolUseId,
    get key() {
      return digestKey(context.stateDirectory);
    },
    input: prepared.settings.log.input,
  };
}

/** Returns the model of the caller; that of a subagent is the one in its definition, unless the runner names another. */
function modelOf(prepared: PreparedPolicy, { agent }: ToolCall, said: HookContext, { launched }: LiveContext): string | null {
  const own = agent === undefined || agent === launched?.agent ? null : (definitionOf(prepared, agent)?.model ?? null);
  const written = own === 'inherit' ? null : own;
  return said.model ?? written ?? launched?.model ?? null;
}

function definitionOf({ compiled }: PreparedPolicy, agent: string): AgentDefinition | undefined {
  return compiled.agent(normalizeName(agent))?.definition;
}

function runPlaces(prepared: PreparedPolicy, { runner }: ToolCall, said: HookContext, context: LiveContext): RunPlaces {
  const { stateDirectory, time, microseconds } = context;
  return {
    stateDirectory,
    project: prepared.surroundings.project,
    runner: runner ?? null,
    news: said,
    launched: context.launched?.agent ?? null,
    now: () => time,
    microseconds,
  };
}
