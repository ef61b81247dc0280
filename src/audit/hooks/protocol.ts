/** The way a runner's hook is asked about a test call, and how the runner treats the answer. */

import { isFields, own } from '../../call/fields.js';
import type { RunnerId } from '../../call/tool-call.js';
import type { Runner, SampleCall } from '../../runner/hook/runner.js';
import { type HookEnd, type Outcome, outcomeOf } from '../claude-code/outcome.js';
import { hookVariables, preToolUse, type SyntheticCall } from '../claude-code/payload.js';
import { CLIENT } from '../claude-code/settings.js';
import { parsedJson } from '../model/parsed-json.js';
import type { HookOutcome } from '../model/report.js';

export interface HookProtocol {
  readonly runner: RunnerId;
  /** Returns the payload; null for a call whose form in this runner is unknown. */
  payload(call: SyntheticCall, cwd: string): string | null;
  outcome(end: HookEnd, failsClosed: boolean): Outcome;
  /** Returns the variables that the runner sets for a hook. */
  variables(project: string): Readonly<Record<string, string>>;
}

/** Claude Code: all of its reactions were measured, so that hooks of other programs can be judged as well. */
export const claudeProtocol: HookProtocol = {
  runner: CLIENT,
  payload: preToolUse,
  outcome: outcomeOf,
  variables: hookVariables,
};

/** The same in every audit, so that reports can be compared. */
const SESSION = '00000000-0000-4000-8000-00000000a0d1';

/** Any other runner, for hooks of this program only: the forms in which these deny, ask and allow are known. */
export function ownProtocol(runner: Runner): HookProtocol {
  return {
    runner: runner.id,
    payload: (call, cwd) => {
      const sample = sampleOf(runner, call);
      if (sample === null) return null;
      const caller = call.agent === undefined ? {} : runner.sampleTools.caller?.(call.agent);
      return JSON.stringify({ ...runner.samplePayload(sample, cwd, SESSION), ...caller });
    },
    outcome: ownOutcome,
    variables: () => ({}),
  };
}

/** Supports shell lines and starts of agents; calls of a subagent only if payloads name it. */
function sampleOf({ sampleTools: { shell, agent, caller } }: Runner, call: SyntheticCall): SampleCall | null {
  if (call.agent !== undefined && caller === undefined) return null;
  if (call.tool === 'Bash') return { tool: shell, input: call.input };
  if (call.tool !== 'Agent') return null;
  const [tool, field] = agent;
  const { subagent_type: name, ...more } = call.input;
  return { tool, input: { ...more, [field]: name } };
}

const ANSWERS: ReadonlyMap<unknown, HookOutcome> = new Map([
  ['deny', 'blocked'],
  ['block', 'blocked'],
  ['ask', 'asked'],
  ['allow', 'allowed'],
] satisfies [string, HookOutcome][]);

function ownOutcome({ exitCode, signal, timedOut, stdout }: HookEnd): Outcome {
  if (timedOut) return { outcome: 'failed-open', why: 'did not answer in time' };
  if (exitCode === 2) return { outcome: 'blocked', why: 'ended with exit code 2' };
  if (exitCode !== 0)
    return { outcome: 'failed-open', why: signal === null ? `failed with exit code ${exitCode}` : `was killed by ${signal}` };
  if (stdout.trim() === '') return { outcome: 'no-objection', why: 'printed nothing' };
  const answer = parsedJson(stdout);
  if (!isFields(answer)) return { outcome: 'failed-open', why: 'printed text that is not one JSON object' };
  const decision = own(answer, 'permissionDecision') ?? own(answer, 'permission') ?? own(answer, 'decision');
  const outcome = ANSWERS.get(decision);
  if (outcome !== undefined) return { outcome, why: `answered ${String(decision)}` };
  return { outcome: 'no-objection', why: 'answered without a decision' };
}
