/**
 * Codex CLI: payloads and answers as recorded from version 0.169 (spec: runners, §1). Its hook cannot ask (an `ask` ran), so a
 * question is a denial. Of a shell call it shows the command only, not the shell, the terminal or an escalated sandbox.
 */
import type { Shell } from '../call/tool-call.js';
import { type CallFields, callOf, isFields, text } from './payload.js';
import { denial, type HookAnswer, type HookEvent, type HookOutput, jsonText, type Runner, SILENCE } from './runner.js';

const TIMEOUT = 30;
const OTHER_EVENTS: ReadonlySet<string> = new Set([
  ...['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'Stop', 'SubagentStart', 'SubagentStop', 'PermissionRequest'],
  ...['Notification', 'PreCompact', 'PostCompact'],
]);
const NAMES: CallFields = { tool: 'tool_name', input: 'tool_input', agentId: 'agent_id', agentType: 'agent_type' };

export const codex: Runner = {
  id: 'codex',
  evidence: { version: '0.169.0', payloads: 'recorded', answers: 'recorded' },
  limits: [
    'A hook cannot make Codex ask: what the policy asks about is denied.',
    'Keystrokes sent to a program that is already running (write_stdin) run no hook.',
    'Project hooks run only when the person trusted the project and this hook; otherwise Codex goes on without a word.',
    'Only the command of a shell call is shown to the hook, not its shell or whether it leaves the sandbox.',
  ],
  parse,
  answer,
  settings,
};

function parse(payload: unknown, shell: Shell): HookEvent {
  if (!isFields(payload)) return { kind: 'unreadable', why: 'is not a JSON object' };
  const event = text(payload, 'hook_event_name');
  if (event === null) return { kind: 'unreadable', why: 'names no hook_event_name' };
  if (OTHER_EVENTS.has(event)) return { kind: 'other', name: event };
  if (event !== 'PreToolUse' && event !== 'PostToolUse')
    return { kind: 'unreadable', why: `is about ${JSON.stringify(event)}, an event that is not known` };
  const call = callOf(payload, NAMES, { runner: 'codex', shell, headless: true });
  if (typeof call === 'string') return { kind: 'unreadable', why: call };
  const context = {
    session: text(payload, 'session_id'),
    toolUseId: text(payload, 'tool_use_id'),
    model: text(payload, 'model'),
    permissionMode: text(payload, 'permission_mode'),
  };
  if (event === 'PreToolUse') return { kind: 'before-call', call, ...context };
  return { kind: 'after-call', call, result: 'success', message: null, microseconds: null, ...context };
}

/** An allow of the hook changes nothing here; `systemMessage` is shown to the person. */
function answer({ effect, message, notice }: HookAnswer): HookOutput {
  if (effect !== 'allow') return denial(message);
  return notice === null ? SILENCE : { stdout: JSON.stringify({ systemMessage: notice }), stderr: '', exitCode: 0 };
}

function settings(command: string): { readonly file: string; readonly text: string } {
  const content = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command, timeout: TIMEOUT }] }] } };
  return { file: '.codex/hooks.json', text: jsonText(content) };
}
