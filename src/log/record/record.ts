/** The records of the decision log, and how they are created from calls and events. Pure: time, id and key are arguments. */
import type { ToolCall } from '../../call/tool-call.js';
import type { Decision, Stage } from '../../decide/ruling/decision.js';
import type { Effect, LayerName } from '../../rule/pattern/permission-rule.js';
import { canonicalJson } from './canonical-json.js';
import { cappedInput, cappedText, cut, type JsonValue } from './capped-input.js';
import { isoTime } from './iso-time.js';
import { coverFor } from './mask-decision.js';
import { maskText } from './mask-text.js';
import { hmacSha256 } from './sha256.js';

/** The fields of every record (agent and model always; schemas/log-record.schema.json has the meaning of each). */
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
  /** The run of `policy run` that it belongs to; absent outside of a run. */
  readonly run?: string;
  readonly version: string;
}

/** The input of a tool call in a record. */
export interface RecordedInput {
  readonly input: JsonValue;
  /** JSON pointers into this record: strings with a mask, values that were cut, values that were left out. */
  readonly masked: readonly string[];
  readonly truncated: readonly string[];
  /** `hmac-sha256:` and the hexadecimal digest of the whole input. */
  readonly digest: string;
}

/** The fields of records about a tool call. */
interface RecordedCall extends RecordedInput {
  /** The runner's id of the call: connects a result to its decision. */
  readonly toolUseId: string | null;
  readonly tool: string;
  readonly canonical: string;
  readonly erased: readonly string[];
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
  /** The answer to the runner; in observe mode always allow. */
  readonly decision: Effect;
  /** Observe mode only: the decision that would have been made. */
  readonly would?: Effect;
  readonly stage: Stage;
  readonly rule: RecordedRule | null;
  readonly reasons: readonly string[];
  readonly message: string | null;
  /** Digest of the deciding policy. */
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
  /** Microseconds that the tool took; null if the runner does not report it. */
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

/** The origin of a record; null for unknown values. */
export interface RecordOrigin {
  /** From newRecordId. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly session: string | null;
  readonly model: string | null;
  readonly project: string | null;
  /** The run of `policy run`; absent outside of a run. */
  readonly run?: string;
  readonly version: string;
}

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

/** Maximum characters of a rule in a record. */
export const LONGEST_RULE = 256;
const LONGEST = { name: 200, path: 1_024, message: 512, rule: LONGEST_RULE, joined: 8_192 };
const MOST_REASONS = 32;

/**
 * Returns the record of a decision (including every denial). In observe mode the call is let through: `decision` is allow and
 * `would` is the policy's decision.
 */
export function recordOf(decision: Decision, context: DecisionContext): DecisionRecord {
  const observed = context.mode === 'observe';
  const names = namesOf(context, context.call, [
    ...callNames(context, decision.call.canonical),
    ['permissionMode', context.permissionMode, LONGEST.name],
    ['file', decision.rule?.file, LONGEST.path],
  ]);
  return {
    ...headOf(context, names),
    kind: 'decision',
    mode: context.mode,
    decision: observed ? 'allow' : decision.decision,
    ...(observed && { would: decision.decision }),
    stage: decision.stage,
    rule: ruleOf(decision, names),
    reasons: [...new Set(decision.reasons.map(({ code }) => code))].slice(0, MOST_REASONS),
    message: context.input === 'none' ? null : cappedText(coverFor(context.call.input)(decision.message), LONGEST.message),
    ...callOf(context, names, true),
    policy: context.policy,
    permissionMode: names.permissionMode ?? null,
    us: Math.max(0, Math.round(context.microseconds)),
  };
}

/** How a call ended. */
export interface ToolOutcome {
  readonly result: ResultRecord['result'];
  /** The tool's canonical name. */
  readonly canonical: string;
  /** The tool's error, if it reported one. */
  readonly message: string | null;
  readonly microseconds: number | null;
  /** The call's input from the record of its decision; absent: it is made anew. */
  readonly recorded?: RecordedInput;
}

export function resultRecordOf(
  { result, canonical, message, microseconds, recorded }: ToolOutcome,
  context: CallContext,
): ResultRecord {
  const names = namesOf(context, context.call, callNames(context, canonical));
  return {
    ...headOf(context, names),
    kind: 'result',
    result,
    message: context.input === 'none' || message === null ? null : cappedText(message, LONGEST.message),
    ...callOf(context, names, message !== null, recorded),
    us: microseconds === null ? null : Math.max(0, Math.round(microseconds)),
  };
}

/** Returns the record of an event that is not a call, such as two agents running at once. */
export function eventRecordOf(
  { event, severity, message }: Pick<EventRecord, 'event' | 'severity' | 'message'>,
  origin: RecordOrigin,
  who: Caller,
): EventRecord {
  return {
    ...headOf(origin, namesOf(origin, who, [])),
    kind: 'event',
    event,
    severity,
    message: cappedText(message, LONGEST.message),
  };
}

/** Who did what the record describes. */
type Caller = Pick<ToolCall, 'runner' | 'agent'> & { readonly cwd?: string };

/** A short text of a record: its name, the text, and its maximum length in characters. */
type NamedText = readonly [name: string, text: string | null | undefined, most: number];

/**
 * Returns the short texts of a record, capped and without secrets. They are searched together, since a hook that starts for one
 * record pays for every search; only if that finds a secret, each text is masked separately.
 */
function namesOf(origin: RecordOrigin, who: Caller, more: readonly NamedText[]): Readonly<Partial<Record<string, string>>> {
  const texts: readonly NamedText[] = [
    ['session', origin.session, LONGEST.name],
    ['model', origin.model, LONGEST.name],
    ['project', origin.project, LONGEST.path],
    ['run', origin.run, LONGEST.name],
    ['runner', who.runner, LONGEST.name],
    ['agent', who.agent, LONGEST.name],
    ['cwd', who.cwd, LONGEST.path],
    ...more,
  ];
  const joined = texts.map(([, text]) => text ?? '').join('\n');
  const capped = joined.length < LONGEST.joined && maskText(joined) === joined ? cut : cappedText;
  const names: Partial<Record<string, string>> = {};
  for (const [name, text, most] of texts) if (text !== null && text !== undefined) names[name] = capped(text, most);
  return names;
}

function callNames({ toolUseId, call }: CallContext, canonical: string): readonly NamedText[] {
  return [
    ['toolUseId', toolUseId, LONGEST.name],
    ['tool', call.tool, LONGEST.name],
    ['canonical', canonical, LONGEST.name],
  ];
}

/** Puts the id first in the line, so that a reader finds it without reading the rest. */
function headOf({ id, time, version }: RecordOrigin, names: ReturnType<typeof namesOf>): RecordHead {
  return {
    v: 1,
    id,
    time: isoTime(time),
    session: names.session ?? null,
    runner: names.runner ?? null,
    agent: names.agent ?? null,
    model: names.model ?? null,
    project: names.project ?? null,
    cwd: names.cwd ?? null,
    ...(names.run !== undefined && { run: names.run }),
    version,
  };
}

function callOf(
  context: CallContext,
  names: ReturnType<typeof namesOf>,
  hasMessage: boolean,
  { input, masked, truncated, digest } = recordedInput(context),
): RecordedCall {
  return {
    toolUseId: names.toolUseId ?? null,
    tool: names.tool ?? '',
    canonical: names.canonical ?? '',
    input,
    masked,
    truncated,
    erased: context.input === 'none' ? ['/input', ...(hasMessage ? ['/message'] : [])] : [],
    digest,
  };
}

function recordedInput({ call, key, input: form }: CallContext): RecordedInput {
  const { value, masked, truncated } =
    form === 'none' ? { value: null, masked: [], truncated: [] } : cappedInput(call.input, form === 'masked');
  const digest = `hmac-sha256:${hmacSha256(key, Buffer.from(canonicalJson(call.input)))}`;
  return { input: value, masked, truncated, digest };
}

/** A rule may quote what it forbids, so it is masked, too. */
function ruleOf({ rule }: Decision, names: ReturnType<typeof namesOf>): RecordedRule | null {
  if (rule === null) return null;
  const { text, effect, layer, line, column } = rule;
  return { text: cappedText(text, LONGEST.rule), effect, layer, file: names.file ?? '', line, column };
}
