/**
 * Determines which agents a call comes from. A child agent may do nothing that an enclosing agent may not (docs/guarantees.md,
 * 9). Payloads name at most the innermost agent, so the enclosing agents come from the record of running agents, as does the
 * caller itself for runners that name none.
 */
import type { ToolCall } from '../../call/tool-call.js';
import type { Run } from '../../run/replay.js';
import { runningAgents } from '../../run/running-agents.js';
import type { HookContext } from '../../runner/hook/runner.js';
import { type RunPlaces, recordedUnder } from './runs.js';

/**
 * Returns the call with every agent that it may come from. Throws RunError when the record cannot be read, since the callers are
 * then unknown.
 */
export function withCallers(call: ToolCall, said: HookContext, places: RunPlaces): ToolCall {
  const read = withRecorded(call, said, places);
  return places.launched ? insideLaunched(read, places.launched) : read;
}

/** `policy run` gave the main agent this definition: it is the caller if no other agent is, and otherwise encloses the caller. */
function insideLaunched(call: ToolCall, agent: string): ToolCall {
  if (call.agent === undefined) return { ...call, agent };
  if (call.agent === agent || call.within?.includes(agent)) return call;
  return { ...call, within: [...(call.within ?? []), agent] };
}

function withRecorded(call: ToolCall, said: HookContext, { stateDirectory, project }: RunPlaces): ToolCall {
  const id = said.agentId;
  // The main agent, even when it was started with a definition (`claude --agent`): no agent encloses it.
  if (id === null) return call;
  const running = runningAgents(stateDirectory, project, recordedUnder(said)).filter((run) => !isOfCaller(run, said));
  if (call.agent === undefined) {
    // Qwen Code reports only the id; the record has the name.
    const own = running.find((run) => id !== undefined && run.agentId === id);
    if (own !== undefined) return inside({ ...call, agent: own.agent }, around(id, running));
    // An id that matches no running agent is not the main agent's; a name without a definition leads to an ask.
    if (running.length === 0) return id === undefined ? call : { ...call, agent: id };
    return unnamed(call, running);
  }
  return running.length === 0 ? call : inside(call, around(id, running));
}

/**
 * True if subagents have sessions of their own and this call comes from the session that started the run: the started agent
 * cannot be the caller then.
 */
function isOfCaller(run: Run, said: HookContext): boolean {
  return recordedUnder(said) === null && run.session === said.session;
}

/**
 * Returns the agents that enclose the agent with this id, found by following who started whom; all running agents if that chain
 * is incomplete.
 */
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
 * For a call that any running agent may have made: treats the most recently started foreground agent as the caller and the others
 * as enclosing it. If all of them run in the background, the caller may also be the main agent, which then has to stay within
 * their limits until they end.
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
