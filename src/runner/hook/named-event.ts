/** Payloads that name their event in `hook_event_name`, as most runners write them. */
import { type Fields, isAbsolute, isFields, text } from '../../call/fields.js';
import type { AgentMessage } from './agent-event.js';
import type { HookEvent, Runner, SessionBegin } from './runner.js';

export interface EventNames {
  readonly tool: ReadonlySet<string>;
  /** All other events that the runner is known to have; nothing is decided there. */
  readonly other: ReadonlySet<string>;
  /** Reads what one of the other events reports about agents. */
  readonly agents: (name: string, payload: Fields) => AgentMessage | null;
  /** The event that states the folder of a session before its first call; absent if each call states it. */
  readonly begins?: string;
}

/** A payload about a tool call. */
export interface ToolEvent {
  readonly kind: 'tool';
  readonly name: string;
  readonly payload: Fields;
}

/** Returns the payload as a tool event, or else the event to return instead. An unknown event is unreadable, to fail closed. */
export function toolEventOf(
  payload: unknown,
  names: EventNames,
): ToolEvent | Extract<HookEvent, { kind: 'other' | 'unreadable' }> {
  if (!isFields(payload)) return { kind: 'unreadable', why: 'is not a JSON object' };
  const name = text(payload, 'hook_event_name');
  if (name === null) return { kind: 'unreadable', why: 'names no hook_event_name' };
  if (names.tool.has(name)) return { kind: 'tool', name, payload };
  return names.other.has(name)
    ? { kind: 'other', name, agents: names.agents(name, payload), begins: name === names.begins ? sessionIn(payload) : null }
    : { kind: 'unreadable', why: `is about ${JSON.stringify(name)}, an event that is not known` };
}

function sessionIn(payload: Fields): SessionBegin | null {
  const session = text(payload, 'session_id');
  const cwd = text(payload, 'cwd');
  return session === null || cwd === null || !isAbsolute(cwd) ? null : { session, cwd };
}

/** Returns a function that builds a payload in Claude Code's fields, which several runners use as well (Runner.samplePayload). */
export function samplePayloadOf(event: string): Runner['samplePayload'] {
  return ({ tool, input }, cwd, session) => ({
    session_id: session,
    transcript_path: '',
    cwd,
    hook_event_name: event,
    permission_mode: 'default',
    tool_name: tool,
    tool_input: input,
    tool_use_id: 'policy-doctor',
  });
}
