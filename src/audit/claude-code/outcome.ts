/**
 * What Claude Code 2.1.329 does with a tool call once a PreToolUse hook has ended: the measured matrix as a function. Only exit
 * code 2 blocks regardless of the output. With every other failure the call runs, unless the handler has `onFailure: block`;
 * output after exit code 0 that is not JSON never blocks, even with that setting.
 */

import { isFields } from '../../call/fields.js';
import { parsedJson } from '../model/parsed-json.js';
import type { HookOutcome } from '../model/report.js';

export interface HookEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly stdout: string;
}

export interface Outcome {
  readonly outcome: HookOutcome;
  /** Completes "the call is …, because the hook …". */
  readonly why: string;
}

/** Returns what happens to the call that a hook was asked about; `failsClosed` is the handler's `onFailure: block`. */
export function outcomeOf(end: HookEnd, failsClosed: boolean): Outcome {
  const failed = (why: string): Outcome => ({ outcome: failsClosed ? 'blocked' : 'failed-open', why });
  if (end.timedOut) return failed('did not answer in time');
  if (end.exitCode === 2) return { outcome: 'blocked', why: 'ended with exit code 2' };
  const answer = answerOf(end.stdout);
  // Measured with exit code 1: a denial in JSON still blocks.
  if (end.exitCode !== 0) {
    if (answer.kind === 'decision' && answer.outcome === 'blocked') return { outcome: 'blocked', why: 'answered deny' };
    return failed(end.signal === null ? `failed with exit code ${end.exitCode}` : `was killed by ${end.signal}`);
  }
  if (answer.kind === 'silence') return { outcome: 'no-objection', why: 'printed nothing' };
  if (answer.kind === 'no-json')
    return { outcome: 'failed-open', why: 'printed text that is not one JSON object, which the runner ignores' };
  if (answer.kind === 'invalid') return failed(`printed JSON that the runner does not accept (${answer.why})`);
  return { outcome: answer.outcome, why: answer.why };
}

type Answer =
  | { readonly kind: 'silence' }
  | { readonly kind: 'no-json' }
  | { readonly kind: 'invalid'; readonly why: string }
  | { readonly kind: 'decision'; readonly outcome: HookOutcome; readonly why: string };

const DECISIONS: ReadonlyMap<unknown, HookOutcome> = new Map([
  ['deny', 'blocked'],
  ['ask', 'asked'],
  ['allow', 'allowed'],
  ['defer', 'deferred'],
] satisfies [string, HookOutcome][]);

/** The older form of an answer. */
const LEGACY: ReadonlyMap<unknown, HookOutcome> = new Map([
  ['block', 'blocked'],
  ['approve', 'allowed'],
] satisfies [string, HookOutcome][]);

function answerOf(stdout: string): Answer {
  const text = stdout.trim();
  if (text === '') return { kind: 'silence' };
  const answer = parsed(text);
  if (answer === null) return { kind: 'no-json' };
  const specific = member(answer, 'hookSpecificOutput');
  if (specific !== undefined) return specificAnswer(specific);
  const legacy = LEGACY.get(member(answer, 'decision'));
  if (legacy !== undefined) return { kind: 'decision', outcome: legacy, why: `answered ${String(member(answer, 'decision'))}` };
  if (member(answer, 'continue') === false)
    return { kind: 'decision', outcome: 'failed-open', why: 'answered continue: false, but then the tool still runs' };
  return { kind: 'decision', outcome: 'no-objection', why: 'answered without a decision' };
}

function specificAnswer(specific: unknown): Answer {
  if (!isFields(specific)) return { kind: 'invalid', why: 'hookSpecificOutput is no object' };
  const event = member(specific, 'hookEventName');
  if (event !== 'PreToolUse')
    return { kind: 'invalid', why: event === undefined ? 'no hookEventName' : 'a hookEventName other than PreToolUse' };
  const decision = member(specific, 'permissionDecision');
  if (decision === undefined) return { kind: 'decision', outcome: 'no-objection', why: 'answered without a decision' };
  const outcome = DECISIONS.get(decision);
  return outcome === undefined
    ? { kind: 'invalid', why: 'an unknown permissionDecision' }
    : { kind: 'decision', outcome, why: `answered ${String(decision)}` };
}

function parsed(text: string): Record<string, unknown> | null {
  const value = parsedJson(text);
  return isFields(value) ? value : null;
}

function member(record: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
