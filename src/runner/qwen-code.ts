/**
 * Qwen Code: payloads and answers as recorded from version 0.24.4 (spec: runners, §1): Claude Code's fields around Gemini CLI's
 * tools. Whether its `ask` reaches a person was not recorded, so a question is a denial.
 */
import type { Shell } from '../call/tool-call.js';
import { claudeAgentNews } from './agent-event.js';
import { tellingLine } from './command-line.js';
import { type CallFields, callOf, isFields, text } from './payload.js';
import {
  denial,
  type HookAnswer,
  type HookEvent,
  type HookOutput,
  jsonDenial,
  jsonText,
  type Runner,
  SILENCE,
} from './runner.js';

/** Milliseconds. */
const TIMEOUT = 30_000;
const OTHER_EVENTS: ReadonlySet<string> = new Set([
  ...['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'Stop', 'SubagentStart', 'SubagentStop', 'PermissionRequest'],
  ...['Notification', 'PreCompact'],
]);
const NAMES: CallFields = { tool: 'tool_name', input: 'tool_input', agentId: null, agentType: null };

export const qwenCode: Runner = {
  id: 'qwen-code',
  evidence: { version: '0.24.4', payloads: 'recorded', answers: 'recorded' },
  places: {
    user: { path: '.qwen/settings.json', form: 'json' },
    project: { path: '.qwen/settings.json', form: 'json' },
    managed: { path: '/etc/qwen-code/settings.json', form: 'json' },
  },
  limits: [
    'What the policy asks about is denied.',
    "Payloads do not say which subagent calls: an agent's own permissions cannot be told apart.",
  ],
  parse,
  answer,
  spokenDenial: jsonDenial,
  settings,
};

function parse(payload: unknown, shell: Shell): HookEvent {
  if (!isFields(payload)) return { kind: 'unreadable', why: 'is not a JSON object' };
  const event = text(payload, 'hook_event_name');
  if (event === null) return { kind: 'unreadable', why: 'names no hook_event_name' };
  if (OTHER_EVENTS.has(event)) return { kind: 'other', name: event, agents: claudeAgentNews(event, payload) };
  if (event !== 'PreToolUse' && event !== 'PostToolUse' && event !== 'PostToolUseFailure')
    return { kind: 'unreadable', why: `is about ${JSON.stringify(event)}, an event that is not known` };
  const call = callOf(payload, NAMES, { runner: 'qwen-code', shell, headless: true });
  if (typeof call === 'string') return { kind: 'unreadable', why: call };
  const context = {
    session: text(payload, 'session_id'),
    toolUseId: text(payload, 'tool_use_id'),
    model: null,
    permissionMode: text(payload, 'permission_mode'),
  };
  if (event === 'PreToolUse') return { kind: 'before-call', call, ...context };
  const result = event === 'PostToolUse' ? 'success' : 'error';
  return { kind: 'after-call', call, result, message: text(payload, 'error'), microseconds: null, ...context };
}

/** An allow of the hook does not outrank Qwen Code's own approval mode. */
function answer({ effect, message, notice }: HookAnswer): HookOutput {
  if (effect !== 'allow') return denial(message);
  return notice === null ? SILENCE : { stdout: JSON.stringify({ systemMessage: notice }), stderr: '', exitCode: 0 };
}

function settings(command: string): { readonly file: string; readonly text: string } {
  const handler = { type: 'command', command, timeout: TIMEOUT };
  const told = [{ hooks: [{ type: 'command', command: tellingLine(command), timeout: TIMEOUT }] }];
  const ended = [{ matcher: '*', ...told[0] }];
  const gate = [{ matcher: '*', hooks: [handler] }];
  const hooks = { PreToolUse: gate, PostToolUse: ended, PostToolUseFailure: ended, Stop: told, SessionEnd: told };
  return { file: '.qwen/settings.json', text: jsonText({ hooks }) };
}
