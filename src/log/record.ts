/** The records of the decision log, and how they are made from what happened. Pure: time, id and key are handed in. */
import { describeTool } from '../call/catalogue.js';
import type { ToolCall } from '../call/tool-call.js';
import type { Decision, Stage } from '../decide/decision.js';
import type { Effect, LayerName } from '../rule/permission-rule.js';
import { canonicalJson } from './canonical-json.js';
import { cappedInput, cappedText, type JsonValue } from './capped-input.js';
import { hmacSha256 } from './sha256.js';

/** What every record says (R042: agent and model always; schemas/log-record.schema.json has the meaning of each). */
interface RecordHead {
  readonly v: 1;
  /** UUID version 7: sorts by time. */
  readonly id: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly time: string;
  readonly session: string | null;
  readonly runner: string | null;
  readonly agent: string | null;
  readonly model: string | null;
  readonly project: string | null;
  readonly cwd: string | null;
  /** Version of this tool. */
  readonly version: string;
}

/** What records about a tool call say of it. */
interface RecordedCall {
  /** The runner's id of the call: joins a result to its decision. */
  readonly toolUseId: string | null;
  readonly tool: string;
  readonly canonical: string;
  readonly input: JsonValue;
  /** JSON pointers into this record: what holds a mask, what was cut, what was left out. */
  readonly masked: readonly string[];
  readonly truncated: readonly string[];
  readonly erased: readonly string[];
  /** `hmac-sha256:` and the hexadecimal digest of the whole input. */
  readonly digest: string;
}

export interface RecordedRule {
  readonly text: string;
  readonly effect: Effect;
  readonly layer: LayerName;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface DecisionRecord extends RecordHead, RecordedCall {
  readonly kind: 'decision';
  readonly mode: 'enforce' | 'observe';
  /** What the runner was told; in observe mode that is always allow. */
  readonly decision: Effect;
  /** Observe mode only: what would have been decided. */
  readonly would?: Effect;
  readonly stage: Stage;
  readonly rule: RecordedRule | null;
  readonly reasons: readonly string[];
  readonly message: string | null;
  /** Digest of the policy that decided. */
  readonly policy: string | null;
  /** The runner's own permission mode or sandbox at that moment. */
  readonly permissionMode: string | null;
  /** Microseconds from the call's arrival to the decision. */
  readonly us: number;
}

export interface ResultRecord extends RecordHead, RecordedCall {
  readonly kind: 'result';
  readonly result: 'success' | 'error' | 'denied';
  readonly message: string | null;
  /** Microseconds that the tool took; null when the runner does not say. */
  readonly us: number | null;
}

export interface EventRecord extends RecordHead {
  readonly kind: 'event';
  /** `run.overlap`, `engine.error`, `policy.changed` … */
  readonly event: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
}

export type LogRecord = DecisionRecord | ResultRecord | EventRecord;

/** Where a record comes from; null for what is not known. */
export interface RecordOrigin {
  /** From newRecordId. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly session: string | null;
  readonly model: string | null;
  readonly project: string | null;
  /** Version of this tool. */
  readonly version: string;
}

/** A call and how its input is to be recorded. */
export interface CallContext extends RecordOrigin {
  readonly call: ToolCall;
  readonly toolUseId: string | null;
  /** From digestKey. */
  readonly key: Uint8Array;
  /** `log.input` of the policy. */
  readonly input: 'masked' | 'none' | 'full';
}

export interface DecisionContext extends CallContext {
  readonly mode: 'enforce' | 'observe';
  readonly policy: string | null;
  readonly permissionMode: string | null;
  readonly microseconds: number;
}

const LONGEST = { name: 200, path: 1_024, message: 512, rule: 256 };
const MOST_REASONS = 32;

/**
 * The record of a decision (R255: also of every denial). In observe mode the call is let through: `decision` is allow and
 * `would` says what the policy wanted.
 */
export function recordOf(decision: Decision, context: DecisionContext): DecisionRecord {
  const observed = context.mode === 'observe';
  return {
    ...headOf(context, context.call),
    kind: 'decision',
    mode: context.mode,
    decision: observed ? 'allow' : decision.decision,
    ...(observed && { would: decision.decision }),
    stage: decision.stage,
    rule: ruleOf(decision),
    reasons: [...new Set(decision.reasons.map(({ code }) => code))].slice(0, MOST_REASONS),
    message: context.input === 'none' ? null : cappedText(decision.message, LONGEST.message),
    ...callOf(context, decision.call.canonical, true),
    policy: context.policy,
    permissionMode: short(context.permissionMode, LONGEST.name),
    us: Math.max(0, Math.round(context.microseconds)),
  };
}

/** The record of how a call ended (R256, R257). `message` is the tool's error, if it said one. */
export function resultRecordOf(
  outcome: { readonly result: ResultRecord['result']; readonly message: string | null; readonly microseconds: number | null },
  context: CallContext,
): ResultRecord {
  const { result, message, microseconds } = outcome;
  return {
    ...headOf(context, context.call),
    kind: 'result',
    result,
    message: context.input === 'none' ? null : short(message, LONGEST.message),
    ...callOf(context, describeTool(context.call.tool, context.call.runner).canonical, message !== null),
    us: microseconds === null ? null : Math.max(0, Math.round(microseconds)),
  };
}

/** The record of something that happened beside the calls, such as two agents at once (R016). */
export function eventRecordOf(
  happened: Pick<EventRecord, 'event' | 'severity' | 'message'>,
  origin: RecordOrigin,
  who: Pick<ToolCall, 'runner' | 'agent'> & { readonly cwd?: string },
): EventRecord {
  return {
    ...headOf(origin, who),
    kind: 'event',
    event: happened.event,
    severity: happened.severity,
    message: cappedText(happened.message, LONGEST.message),
  };
}

/** The id stands first in the line: a reader finds it without reading the rest. */
function headOf(
  { id, time, session, model, project, version }: RecordOrigin,
  { runner, agent, cwd }: Pick<ToolCall, 'runner' | 'agent'> & { readonly cwd?: string },
): RecordHead {
  return {
    v: 1,
    id,
    time: new Date(time).toISOString(),
    session: short(session, LONGEST.name),
    runner: runner ?? null,
    agent: short(agent, LONGEST.name),
    model: short(model, LONGEST.name),
    project: short(project, LONGEST.path),
    cwd: short(cwd, LONGEST.path),
    version,
  };
}

function callOf(context: CallContext, canonical: string, hasMessage: boolean): RecordedCall {
  const { call, toolUseId, key, input: form } = context;
  const { value, masked, truncated } =
    form === 'none' ? { value: null, masked: [], truncated: [] } : cappedInput(call.input, form === 'masked');
  return {
    toolUseId: short(toolUseId, LONGEST.name),
    tool: cappedText(call.tool, LONGEST.name),
    canonical: cappedText(canonical, LONGEST.name),
    input: value,
    masked,
    truncated,
    erased: form === 'none' ? ['/input', ...(hasMessage ? ['/message'] : [])] : [],
    digest: `hmac-sha256:${Buffer.from(hmacSha256(key, Buffer.from(canonicalJson(call.input)))).toString('hex')}`,
  };
}

/** A rule may quote what it forbids; so it is masked, too. */
function ruleOf({ rule }: Decision): RecordedRule | null {
  if (rule === null) return null;
  const { text, effect, layer, file, line, column } = rule;
  return { text: cappedText(text, LONGEST.rule), effect, layer, file: cappedText(file, LONGEST.path), line, column };
}

function short(text: string | null | undefined, most: number): string | null {
  return text === null || text === undefined ? null : cappedText(text, most);
}
