/**
 * Cursor: from its documentation only. If nobody is there, its `ask` allows the call, so a question becomes a denial. A hook with
 * no objection must still print an empty object.
 */
import { type CallFields, callOf, type Fields, isAbsolute, isFields, own, text } from '../../call/fields.js';
import type { Shell, ToolCall } from '../../call/tool-call.js';
import { type AgentEvent, type AgentMessage, shortText } from '../hook/agent-event.js';
import { notifyingCommandLine } from '../hook/command-line.js';
import {
  denial,
  type HookAnswer,
  type HookEvent,
  type HookOutput,
  jsonText,
  NO_TRANSCRIPT,
  type Runner,
} from '../hook/runner.js';

const TIMEOUT = 30;
const NAMES: CallFields = { tool: 'tool_name', input: 'tool_input', agentId: null, agentType: null };
const AFTER_EVENTS: ReadonlySet<string> = new Set(['postToolUse', 'postToolUseFailure']);
/** Events in the documentation that are not about one call, or that follow it. */
const OTHER_EVENTS: ReadonlySet<string> = new Set([
  ...['sessionStart', 'sessionEnd', 'beforeSubmitPrompt', 'afterFileEdit', 'afterShellExecution', 'afterMCPExecution', 'stop'],
  ...['afterAgentResponse', 'afterAgentThought', 'subagentStart', 'subagentStop', 'preCompact', 'beforeTabFileRead'],
  ...['afterTabFileEdit', 'workspaceOpen'],
]);

export const hook: Runner = {
  id: 'cursor',
  grants: true,
  hookEvents: ['preToolUse', 'beforeShellExecution', 'beforeMCPExecution', 'beforeReadFile', ...AFTER_EVENTS, ...OTHER_EVENTS],
  evidence: { version: 'documentation of 2026', payloads: 'documentation', answers: 'documentation' },
  places: {
    user: { path: '.cursor/hooks.json', form: 'json' },
    project: { path: '.cursor/hooks.json', form: 'json' },
    managed: { path: '/etc/cursor/hooks.json', form: 'json' },
  },
  sandbox: 'Its run mode switches the sandbox on, in Settings > Agents; `.cursor/sandbox.json` only says what stays open in it.',
  limits: [
    'Questions become denials, because Cursor would allow an ask if nobody can answer.',
    'None of this was tested with the real program.',
    NO_TRANSCRIPT,
  ],
  sampleTools: { shell: 'Shell', agent: ['Task', 'subagent_type'] },
  samplePayload: ({ tool, input }, cwd, conversation_id) => ({
    hook_event_name: 'preToolUse',
    conversation_id,
    workspace_roots: [cwd],
    cwd,
    tool_name: tool,
    tool_input: input,
  }),
  parse,
  answer,
  settings,
};

function parse(payload: unknown, shell: Shell): HookEvent {
  if (!isFields(payload)) return { kind: 'unreadable', why: 'is not a JSON object' };
  const event = text(payload, 'hook_event_name');
  if (event === null) return { kind: 'unreadable', why: 'names no hook_event_name' };
  if (OTHER_EVENTS.has(event)) return { kind: 'other', name: event, agents: agentNews(event, payload) };
  const call = callOfEvent(event, payload, shell);
  if (typeof call === 'string') return { kind: 'unreadable', why: call };
  const context = {
    session: text(payload, 'conversation_id'),
    toolUseId: text(payload, 'tool_use_id'),
    model: text(payload, 'model'),
    permissionMode: null,
    family: null,
    workspace: workspaceOf(payload),
  } as const;
  if (!AFTER_EVENTS.has(event)) return { kind: 'before-call', call, ...context };
  const result = event === 'postToolUse' ? 'success' : 'error';
  return { kind: 'after-call', call, result, message: null, microseconds: null, ...context };
}

/** A subagent has a conversation of its own; only its start states its id. */
function agentNews(name: string, payload: Fields): AgentMessage | null {
  const event = agentEvent(name, payload);
  const cwd = directoryOf(payload);
  if (event === null || typeof cwd !== 'string' || !isAbsolute(cwd)) return null;
  return { event, session: text(payload, 'conversation_id'), cwd, family: null };
}

function agentEvent(name: string, payload: Fields): AgentEvent | null {
  const agentId = shortText(payload, 'subagent_id');
  const agent = shortText(payload, 'subagent_type') ?? 'unnamed';
  switch (name) {
    case 'subagentStart':
      return agentId === null ? null : { kind: 'agent-began', agentId, agent, by: null };
    case 'subagentStop':
      return { kind: 'agent-ended', agentId, agent };
    case 'stop':
      return { kind: 'turn-ended', still: null };
    case 'sessionEnd':
      return { kind: 'session-ended' };
    default:
      return null;
  }
}

/** Returns the call: each of the events before a call names it in its own way. */
function callOfEvent(event: string, payload: Fields, shell: Shell): ToolCall | string {
  const placed = { ...payload, cwd: directoryOf(payload) };
  const how = { runner: 'cursor', shell, headless: true } as const;
  const named = (tool: string, input: Fields) => callOf({ ...placed, tool_name: tool, tool_input: input }, NAMES, how);
  switch (event) {
    case 'preToolUse':
    case 'postToolUse':
    case 'postToolUseFailure':
      return callOf(placed, NAMES, how);
    case 'beforeShellExecution':
      return named('Shell', { command: own(payload, 'command') });
    case 'beforeReadFile':
      return named('Read', { file_path: own(payload, 'file_path') });
    case 'beforeMCPExecution':
      return named(`MCP:${text(payload, 'tool_name') ?? ''}`, inputOf(own(payload, 'tool_input')));
    default:
      return `is about ${JSON.stringify(event)}, an event that is not known`;
  }
}

/** Returns the input of an MCP tool, which may be an object or its JSON text. */
function inputOf(input: unknown): Fields {
  if (isFields(input)) return input;
  try {
    const parsed: unknown = typeof input === 'string' ? JSON.parse(input) : null;
    if (isFields(parsed)) return parsed;
  } catch {
    // Not JSON: only the text itself can be judged.
  }
  return { input };
}

/** Returns the folder of a call: only some events name one; at the others the call runs in the workspace. */
function directoryOf(payload: Fields): unknown {
  const cwd = text(payload, 'cwd');
  return cwd !== null && isAbsolute(cwd) ? cwd : workspaceOf(payload);
}

/** Returns the first of the open folders; a shell call may choose another. */
function workspaceOf(payload: Fields): string | null {
  const roots = own(payload, 'workspace_roots');
  const first: unknown = Array.isArray(roots) ? roots[0] : null;
  return typeof first === 'string' && isAbsolute(first) ? first : null;
}

function answer({ effect, grant, message, notice }: HookAnswer): HookOutput {
  if (effect !== 'allow') return denial(message);
  const told = { ...(grant && { permission: 'allow' }), ...(notice !== null && { user_message: notice }) };
  return { stdout: JSON.stringify(told), stderr: '', exitCode: 0 };
}

function settings(command: string): { readonly file: string; readonly text: string } {
  const told = [{ command: notifyingCommandLine(command), timeout: TIMEOUT }];
  const about = { subagentStart: told, subagentStop: told, stop: told, sessionEnd: told };
  const gate = [{ command, timeout: TIMEOUT, failClosed: true }];
  const hooks = { preToolUse: gate, postToolUse: told, postToolUseFailure: told, ...about };
  return { file: '.cursor/hooks.json', text: jsonText({ version: 1, hooks }) };
}
