/**
 * Which agents a call comes from. A child may do nothing that an agent around it may not (docs/guarantees.md, 9), and payloads name
 * the innermost agent at most, so the record of running agents says who is around it; of runners that name nobody it says who calls.
 */
import type { ToolCall } from '../../call/tool-call.js';
import type { Run } from '../../run/replay.js';
import { runningAgents } from '../../run/running-agents.js';
import type { HookContext } from '../../runner/hook/runner.js';
import { type RunPlaces, recordedUnder } from './runs.js';

/**
 * The call with every agent that it may come from. Throws RunError when the record cannot be read: then nobody knows.
 */
export function withCallers(call: ToolCall, said: HookContext, places: RunPlaces): ToolCall {
  const read = withRecorded(call, said, places);
  return places.launched ? insideLaunched(read, places.launched) : read;
}

/** `policy run` gave the main agent this definition: it is the caller where nobody else is, and around everybody else. */
function insideLaunched(call: ToolCall, agent: string): ToolCall {
  if (call.agent === undefined) return { ...call, agent };
  if (call.agent === agent || call.within?.includes(agent)) return call;
  return { ...call, within: [...(call.within ?? []), agent] };
}

function withRecorded(call: ToolCall, said: HookContext, { stateDirectory, project }: RunPlaces): ToolCall {
  const id = said.agentId;
  // The main agent, also where it was given a definition (`claude --agent`): nobody is around it.
  if (id === null) return call;
  const running = runningAgents(stateDirectory, project, recordedUnder(said)).filter((run) => !isOfCaller(run, said));
  if (call.agent === undefined) {
    // Qwen Code tells the id only; the record has the name.
    const own = running.find((run) => id !== undefined && run.agentId === id);
    if (own !== undefined) return inside({ ...call, agent: own.agent }, around(id, running));
    // An id of nobody who is known to run is no main agent's; a name that no definition has is asked about.
    if (running.length === 0) return id === undefined ? call : { ...call, agent: id };
    return unnamed(call, running);
  }
  return running.length === 0 ? call : inside(call, around(id, running));
}

/** Where subagents have sessions of their own, whoever speaks in the session that started an agent is not that agent. */
function isOfCaller(run: Run, said: HookContext): boolean {
  return recordedUnder(said) === null && run.session === said.session;
}

/** The agents around the one with this id, by who asked for whom; all that run where that is not known to its end. */
function around(id: string | undefined, running: readonly Run[]): readonly Run[] {
  const found: Run[] = [];
  const own = running.find((run) => id !== undefined && run.agentId === id);
  for (let by = own === undefined ? undefined : own.by; by !== null; ) {
    const outer = running.find((run) => run.agentId === by);
    if (by === undefined || outer === undefined || found.includes(outer)) return running.filter((run) => run !== own);
    found.push(outer);
    by = outer.by;
  }
  return found;
}

/**
 * A call that may be any running agent's: the one that was started last is taken for the caller, the others as around it. While all
 * of them run in the background it may be the main agent's as well, which then has to keep within their bounds for as long.
 */
function unnamed(call: ToolCall, running: readonly Run[]): ToolCall {
  const foreground = running.filter((run) => !run.background);
  const last = foreground.at(-1);
  return inside(
    last === undefined ? call : { ...call, agent: last.agent },
    running.filter((run) => run !== last),
  );
}

function inside(call: ToolCall, runs: readonly Run[]): ToolCall {
  return runs.length === 0 ? call : { ...call, within: [...new Set(runs.map(({ agent }) => agent))] };
}
