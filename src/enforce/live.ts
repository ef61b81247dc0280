/** Live enforcement: the same decision as the dry mode, written to the decision log before anybody is told of it. */
import type { ToolCall } from '../call/tool-call.js';
import { analyse } from '../decide/analysis.js';
import { decide } from '../decide/decide.js';
import type { Decision } from '../decide/decision.js';
import { mayGrant } from '../decide/reach.js';
import { settle, settlingLine } from '../decide/settle.js';
import { appendRecord } from '../log/append.js';
import { digestKey } from '../log/digest-key.js';
import { type CallContext, recordOf, resultRecordOf, type ToolOutcome } from '../log/record.js';
import { newRecordId } from '../log/record-id.js';
import type { Effect } from '../rule/permission-rule.js';
import type { HookContext } from '../runner/runner.js';
import { keepingSuggestion } from './enforce.js';
import type { Gate } from './gate.js';
import { gatherFacts } from './gather.js';

/** Who writes the log, and when the call came in. */
export interface LiveContext {
  readonly stateDirectory: string;
  /** Version of this tool. */
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Microseconds of a clock that only rises; for how long the decision took. */
  readonly microseconds: () => number;
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
}

/**
 * Decides a call and logs the decision. Throws LogError when the record could not be written as a whole: the caller then
 * denies the call (design, "Fail closed").
 */
export function enforceLive(gate: Gate, call: ToolCall, said: HookContext, context: LiveContext): LiveDecision {
  const arrived = context.microseconds();
  const analysis = analyse(call);
  const facts = gatherFacts(analysis, call.cwd, gate.surroundings);
  const first = decide(gate.compiled, call, facts, analysis);
  const decision = keepingSuggestion(first, call, (other) => {
    const read = analyse(other);
    return decide(gate.compiled, other, gatherFacts(read, other.cwd, gate.surroundings), read);
  });
  const { mode, hook } = gate.settings;
  const id = newRecordId(context.time);
  const record = recordOf(decision, {
    ...callContext(gate, call, said, context, id),
    policy: gate.digest,
    permissionMode: said.permissionMode,
    mode,
    microseconds: context.microseconds() - arrived,
  });
  appendRecord(context.stateDirectory, record);
  const observed = mode === 'observe';
  const settlement = settle(gate.compiled, call, facts, decision, analysis);
  return {
    id,
    decision,
    told: observed ? 'allow' : decision.decision,
    observed,
    grant: !observed && hook.grant === 'explicit' && mayGrant(decision, analysis, facts, call.cwd),
    settling: settlement && settlingLine(settlement, gate.untrusted ? 'user' : 'default'),
  };
}

/** Logs how a call ended. Throws LogError when the record could not be written. */
export function logResult(
  gate: Gate,
  call: ToolCall,
  said: HookContext,
  outcome: Omit<ToolOutcome, 'canonical'>,
  context: LiveContext,
): void {
  const { canonical } = analyse({ ...call, input: {} }).tool;
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
