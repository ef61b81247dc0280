/**
 * agent-code: from its documentation and source only. Every failure of a hook denies the call. A hook cannot ask, so a question
 * becomes a denial.
 */
import { type CallFields, callOf, type Fields, isFields, own, text } from '../../call/fields.js';
import type { Shell } from '../../call/tool-call.js';
import { notifyingCommandLine } from '../hook/command-line.js';
import {
  denial,
  type HookAnswer,
  type HookEvent,
  type HookOutput,
  NO_OBJECTION,
  NO_TRANSCRIPT,
  type Runner,
} from '../hook/runner.js';

const NAMES: CallFields = { tool: 'tool_name', input: 'tool_input', agentId: null, agentType: 'agent' };
const EVENTS: ReadonlySet<string> = new Set(['pre_tool_use', 'post_tool_use']);
/** All other events in its documentation (docs/concepts/hooks): nothing is decided there. */
const OTHER_EVENTS: ReadonlySet<string> = new Set([
  ...['session_start', 'session_end', 'session_stop', 'user_prompt_submit', 'stop', 'subagent_start', 'subagent_stop'],
  ...['pre_compact', 'post_compact', 'notification', 'error', 'file_changed', 'config_change'],
]);

export const hook: Runner = {
  id: 'agent-code',
  evidence: { version: 'source of August 2026', payloads: 'documentation', answers: 'documentation' },
  places: {
    user: null,
    project: { path: '.agent/settings.toml', form: 'toml' },
    managed: null,
  },
  sandbox: 'None is known; start it in a container or a virtual machine.',
  limits: ['Questions become denials.', 'None of this was tested with the real program.', NO_TRANSCRIPT],
  dialects: ['agent-code'],
  sampleTools: { shell: 'Bash', agent: ['Agent', 'subagent_type'], caller: (agent) => ({ agent }) },
  samplePayload: ({ tool, input }, cwd, session_id) => ({
    event: 'pre_tool_use',
    session_id,
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
  const event = text(payload, 'event') ?? text(payload, 'hook_event_name');
  if (event !== null && OTHER_EVENTS.has(event)) return { kind: 'other', name: event };
  if (event !== null && !EVENTS.has(event))
    return { kind: 'unreadable', why: `is about ${JSON.stringify(event)}, an event that is not known` };
  const call = callOf(unified(payload), NAMES, { runner: 'agent-code', shell, headless: true });
  if (typeof call === 'string') return { kind: 'unreadable', why: call };
  const context = {
    session: text(payload, 'session_id'),
    toolUseId: text(payload, 'tool_use_id'),
    model: null,
    permissionMode: null,
  };
  if (event !== 'post_tool_use') return { kind: 'before-call', call, ...context };
  return { kind: 'after-call', call, result: 'success', message: null, microseconds: null, ...context };
}

/**
 * Returns the payload with uniform names: an event's context uses either of two names for the tool and for its input. It is
 * created in the project's directory.
 */
function unified(payload: Fields): Fields {
  return {
    ...payload,
    tool_name: text(payload, 'tool_name') ?? own(payload, 'tool'),
    tool_input: own(payload, 'tool_input') ?? own(payload, 'input'),
  };
}

function answer({ effect, message }: HookAnswer): HookOutput {
  return effect === 'allow' ? NO_OBJECTION : denial(message);
}

function settings(command: string): { readonly file: string; readonly text: string } {
  // A JSON string is a TOML basic string.
  const hook = (event: string, line: string) =>
    `[[hooks]]\nevent = ${event}\n[hooks.action]\ntype = "shell"\ncommand = ${JSON.stringify(line)}\n`;
  const text = `${hook('"pre_tool_use"', command)}\n${hook('"post_tool_use"\ntool_name = "Agent"', notifyingCommandLine(command))}`;
  return { file: '.agent/settings.toml', text };
}
