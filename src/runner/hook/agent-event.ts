/**
 * What runners report about their subagents besides the calls themselves, and the fields that Claude Code and similar runners use for it.
 */
import { type Fields, isFields, own, text } from '../../call/fields.js';

/** Ids are the runner's own; null where the runner does not state them. */
export type AgentEvent =
  /** An agent has started. `by`: the id of the agent that started it. */
  | { readonly kind: 'agent-began'; readonly agentId: string; readonly agent: string; readonly by: string | null }
  /** Identified by its id; if the runner states only the name, the oldest running agent of that name has ended. */
  | { readonly kind: 'agent-ended'; readonly agentId: string | null; readonly agent: string | null }
  /** The main agent has finished its turn. `still`: ids of the agents that keep running; null if the runner does not state them. */
  | { readonly kind: 'turn-ended'; readonly still: readonly string[] | null }
  /** Every call that the agent `by` (null: the main agent) has made so far has returned or was refused. */
  | { readonly kind: 'calls-ended'; readonly by: string | null }
  | { readonly kind: 'session-ended' };

/** An event about the agents of a session. */
export interface AgentMessage {
  readonly event: AgentEvent;
  readonly session: string | null;
  /** Absolute path. */
  readonly cwd: string;
  /** See HookContext. */
  readonly family?: null;
}

/** What the result of a call states about the agent that the call started. */
export interface StartedAgent {
  readonly id: string | null;
  /** True if the agent keeps running after the call returns. */
  readonly background: boolean;
}

/** Maximum length of an agent's id or name; the record of running agents keeps no more. */
const LONGEST = 200;

/** Returns an id or name, cut to that maximum length. */
export function shortText(fields: Fields, name: string): string | null {
  return text(fields, name)?.slice(0, LONGEST) ?? null;
}

/**
 * Reads `SubagentStart`, `SubagentStop`, `Stop`, `SessionEnd`, `PostToolBatch` and `UserPromptSubmit` with snake_case fields
 * (recorded: Claude Code, Codex).
 */
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
      // The end of a subagent has its own event; a Stop that names a subagent is not the main agent's.
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

/** Reads Claude Code's `background_tasks`: the tasks that keep running after the turn. */
function stillRunning(payload: Fields): readonly string[] | null {
  const tasks = own(payload, 'background_tasks');
  if (!Array.isArray(tasks)) return null;
  return tasks.flatMap((task) => (isFields(task) ? (shortText(task, 'id') ?? []) : []));
}

/** Reads Claude Code's result of an Agent call: `async_launched` means that the call returned at once. */
export function claudeStartedAgent(payload: Fields): StartedAgent {
  const response = own(payload, 'tool_response');
  if (!isFields(response)) return { id: null, background: false };
  return { id: shortText(response, 'agentId'), background: text(response, 'status') === 'async_launched' };
}
