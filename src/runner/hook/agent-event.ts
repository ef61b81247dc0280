/** What runners tell about their subagents beside the calls themselves, and the fields in which Claude Code and its kin tell it. */
import { type Fields, isFields, own, text } from './payload.js';

/** Ids are the runner's own; null for what it does not say. */
export type AgentEvent =
  /** An agent runs now. `by`: the id of the agent that started it. */
  | { readonly kind: 'agent-began'; readonly agentId: string; readonly agent: string; readonly by: string | null }
  /** By its id; where the runner tells only the name, the oldest of that name. */
  | { readonly kind: 'agent-ended'; readonly agentId: string | null; readonly agent: string | null }
  /** The main agent has finished its turn. `still`: ids of the agents that go on; null when the runner does not say. */
  | { readonly kind: 'turn-ended'; readonly still: readonly string[] | null }
  /** Every call that the agent `by` (null: the main agent) made so far has returned or was refused. */
  | { readonly kind: 'calls-ended'; readonly by: string | null }
  | { readonly kind: 'session-ended' };

/** An event about the agents of a session. */
export interface AgentMessage {
  readonly event: AgentEvent;
  readonly session: string | null;
  /** Absolute. */
  readonly cwd: string;
  /** See HookContext. */
  readonly family?: null;
}

/** What the result of a call says of the agent that it started. */
export interface StartedAgent {
  readonly id: string | null;
  /** The agent goes on. */
  readonly background: boolean;
}

/** No id or name of an agent is longer; the record of running agents keeps no more. */
const LONGEST = 200;

/** An id or name, cut to what is kept of it. */
export function shortText(fields: Fields, name: string): string | null {
  return text(fields, name)?.slice(0, LONGEST) ?? null;
}

/** `SubagentStart`, `SubagentStop`, `Stop`, `SessionEnd`, `PostToolBatch` and `UserPromptSubmit` with snake_case fields (recorded: Claude Code, Codex). */
export function claudeAgentMessage(name: string, payload: Fields): AgentMessage | null {
  const event = claudeAgentEvent(name, payload);
  const cwd = text(payload, 'cwd');
  return event === null || cwd === null ? null : { event, session: text(payload, 'session_id'), cwd };
}

function claudeAgentEvent(name: string, payload: Fields): AgentEvent | null {
  const agentId = shortText(payload, 'agent_id');
  switch (name) {
    case 'SubagentStart':
      return agentId === null
        ? null
        : { kind: 'agent-began', agentId, agent: shortText(payload, 'agent_type') ?? 'unnamed', by: null };
    case 'SubagentStop':
      return agentId === null ? null : { kind: 'agent-ended', agentId, agent: null };
    case 'Stop':
      // A subagent has its own word for its end; a Stop that names one is not the main agent's.
      return agentId === null ? { kind: 'turn-ended', still: stillRunning(payload) } : null;
    case 'PostToolBatch':
    case 'UserPromptSubmit':
      return { kind: 'calls-ended', by: agentId };
    case 'SessionEnd':
      return { kind: 'session-ended' };
    default:
      return null;
  }
}

/** `background_tasks` of Claude Code: what goes on when the turn is over. */
function stillRunning(payload: Fields): readonly string[] | null {
  const tasks = own(payload, 'background_tasks');
  if (!Array.isArray(tasks)) return null;
  return tasks.flatMap((task) => (isFields(task) ? (shortText(task, 'id') ?? []) : []));
}

/** Claude Code's result of an Agent call: `async_launched` returns at once. */
export function claudeStartedAgent(payload: Fields): StartedAgent {
  const response = own(payload, 'tool_response');
  if (!isFields(response)) return { id: null, background: false };
  return { id: shortText(response, 'agentId'), background: text(response, 'status') === 'async_launched' };
}
