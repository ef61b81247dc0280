/** Counts what a session has spent when a call comes in: only if the policy has limits, since it costs time. */
import { writeFileSync } from 'node:fs';
import type { ToolCall } from '../call/tool-call.js';
import type { Decision } from '../decide/ruling/decision.js';
import type { BudgetFacts } from '../decide/ruling/facts.js';
import { ownDirectory } from '../log/files/directory.js';
import { systemCode } from '../log/files/log-error.js';
import { isoTime } from '../log/record/iso-time.js';
import type { Budget } from '../policy/policy.js';
import { readJournal } from '../run/journal.js';
import { elapsed, type Timestamp } from '../run/moment.js';
import { type Run, replay } from '../run/replay.js';
import { shortName } from '../run/short-name.js';
import { type SpentCalls, spendCall } from '../run/spent-calls.js';
import { spentTokens } from '../run/spent-tokens.js';
import type { HookContext } from '../runner/hook/runner.js';
import { currentTimestamp, journalOf, type RunPlaces } from './agents/runs.js';
import type { LoggedEvent } from './agents/start.js';

const NOTHING: SpentCalls = { calls: 0, milliseconds: 0 };

/**
 * Counts this call and returns what was spent before it; null when the policy has no limits. Throws RunError or LogError when the
 * call cannot be counted: the rest of the budget is then unknown, and the call is denied.
 */
export function spendBudget(budget: Budget, call: ToolCall, said: HookContext, places: RunPlaces): BudgetFacts | null {
  const perAgent = [budget.perAgent, budget.perAgentCalls, budget.perAgentSeconds].map(
    (limits) => Object.keys(limits).length > 0,
  );
  const [agentTokens, agentCalls, agentSeconds] = perAgent;
  const limited = [budget.tokens, budget.calls, budget.seconds].some((limit) => limit !== null) || perAgent.includes(true);
  if (!limited) return null;
  ownDirectory(places.stateDirectory);
  ownDirectory(`${places.stateDirectory}/budget`);
  const file = fileOf(said, places);
  const moment = once(() => currentTimestamp(places));
  const count = (name: string) => spendCall(`${name}.calls`, moment(), markOf(moment()));
  const agents = call.agent === undefined ? (call.within ?? []) : [call.agent];
  const spent = budget.calls !== null || budget.seconds !== null ? count(file) : NOTHING;
  const calls = agentCalls === true ? agents.map((agent) => [agent, count(`${file}-${shortName(agent)}`).calls] as const) : [];
  const runs = agentTokens === true || agentSeconds === true ? replay(readJournal(journalOf(places))) : [];
  const tokens = budget.tokens !== null || agentTokens === true ? tokensOf(`${file}.tokens.json`, call, said, runs) : null;
  return {
    tokens: tokens?.tokens ?? 0,
    calls: spent.calls,
    seconds: Math.floor(spent.milliseconds / 1000),
    perAgent: Object.fromEntries(tokens?.perAgent ?? []),
    perAgentCalls: Object.fromEntries(calls),
    perAgentSeconds: Object.fromEntries(secondsByAgent(runs, said.session, moment)),
  };
}

/**
 * Returns the event for the first call of a session that a spent limit denies; null for every other call. A limit of `policy run`
 * is not one of them: the run records it. If the mark cannot be written, the event is recorded again.
 */
export function spentEvent({ stage, reasons }: Decision, said: HookContext, places: RunPlaces): LoggedEvent | null {
  const [reason] = reasons;
  if (stage !== 'budget' || reason === undefined || !LIMITS.has(reason.code)) return null;
  const mark = `${fileOf(said, places)}-${shortName(reason.message.replace(/\d+/g, ''))}.told`;
  try {
    writeFileSync(mark, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return null;
  }
  return { event: 'budget.exceeded', severity: 'warning', message: `T${reason.message.slice(1)}.` };
}

const LIMITS: ReadonlySet<string> = new Set(['budget/tokens', 'budget/calls', 'budget/seconds']);

/** Returns the beginning of the paths of a session's counts. */
function fileOf({ session }: HookContext, { stateDirectory, project, now }: RunPlaces): string {
  return `${stateDirectory}/budget/${shortName(`${project}\0${session ?? dayOf(now())}`)}`;
}

/** Returns the UTC day, which serves as the session for runners that name none. */
function dayOf(time: number): string {
  return isoTime(time).slice(0, 10);
}

/** Reads the clocks only if something is counted. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function markOf({ up }: Timestamp): string {
  return `${process.pid.toString(36)}.${up.toString(36)}.${Math.random().toString(36).slice(2)}`;
}

function tokensOf(file: string, { agent }: ToolCall, { transcript }: HookContext, runs: readonly Run[]) {
  if (transcript === null || transcript === undefined) return null;
  const byId = new Map(runs.flatMap((run) => (run.agentId === null ? [] : [[run.agentId, run.agent] as const])));
  return spentTokens(file, transcript, agent ?? null, { byId, at: (time) => workingAt(time, runs) });
}

/** Returns the agents running at a time, in milliseconds since 1970. */
function workingAt(time: number, runs: readonly Run[]): readonly string[] {
  const working = runs.filter(({ state, when, endedAt }) => {
    if (state !== 'running' && state !== 'ended') return false;
    return when.at <= time && (endedAt === null || time <= endedAt.at);
  });
  return [...new Set(working.map(({ agent }) => agent))];
}

/** Returns how long the runs of each agent took, including those still in progress. */
function secondsByAgent(runs: readonly Run[], session: string | null, now: () => Timestamp): ReadonlyMap<string, number> {
  const milliseconds = new Map<string, number>();
  for (const { agent, state, when, endedAt, session: whose } of runs) {
    if (whose !== session || (state !== 'running' && state !== 'ended')) continue;
    milliseconds.set(agent, (milliseconds.get(agent) ?? 0) + elapsed(when, endedAt ?? now()));
  }
  return new Map([...milliseconds].map(([agent, time]) => [agent, Math.floor(time / 1000)]));
}
