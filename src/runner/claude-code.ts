/**
 * Claude Code: payloads and answers of its hooks as recorded from versions 2.1.197 and 2.1.329 (spec: claude-code, §2.3, §2.4).
 * Only exit code 2 blocks whatever else goes wrong; a JSON answer counts only when it is all of standard output.
 */
import type { Shell, ToolCall } from '../call/tool-call.js';
import type { HookAnswer, HookContext, HookEvent, HookOutput, Runner } from './runner.js';

/** Seconds after which the runner itself gives up on the hook; the installed command line gives up before. */
const TIMEOUT = 30;

/** Every hook event of the runner (SDK 0.3.329) that is not about a single tool call: nothing is decided there. */
const OTHER_EVENTS: ReadonlySet<string> = new Set([
  ...['PostToolBatch', 'Notification', 'UserPromptSubmit', 'UserPromptExpansion', 'SessionStart', 'SessionEnd', 'Stop'],
  ...['StopFailure', 'SubagentStart', 'SubagentStop', 'PreCompact', 'PostCompact', 'PreModelSwitch', 'PostModelSwitch'],
  ...['PermissionDenied', 'Setup', 'TeammateIdle', 'TaskCreated', 'TaskCompleted', 'Elicitation', 'ElicitationResult'],
  ...['ConfigChange', 'WorktreeCreate', 'WorktreeRemove', 'InstructionsLoaded', 'CwdChanged', 'FileChanged'],
  ...['DirectoryAdded', 'MessageDisplay', 'PermissionRequest'],
]);

export const claudeCode: Runner = { id: 'claude-code', parse, answer, settings };

function parse(payload: unknown, shell: Shell): HookEvent {
  if (!isRecord(payload)) return { kind: 'unreadable', why: 'is not a JSON object' };
  const event = text(payload, 'hook_event_name');
  if (event === null) return { kind: 'unreadable', why: 'names no hook_event_name' };
  if (OTHER_EVENTS.has(event)) return { kind: 'other', name: event };
  if (event !== 'PreToolUse' && event !== 'PostToolUse' && event !== 'PostToolUseFailure')
    return { kind: 'unreadable', why: `is about ${JSON.stringify(event)}, an event that is not known` };
  const call = callOf(payload, shell);
  if (typeof call === 'string') return { kind: 'unreadable', why: call };
  const context = contextOf(payload);
  if (event === 'PreToolUse') return { kind: 'before-call', call, ...context };
  const failed = event === 'PostToolUseFailure';
  const milliseconds = own(payload, 'duration_ms');
  return {
    kind: 'after-call',
    call,
    result: failed ? 'error' : 'success',
    message: failed ? text(payload, 'error') : null,
    microseconds: typeof milliseconds === 'number' && Number.isFinite(milliseconds) ? milliseconds * 1000 : null,
    ...context,
  };
}

/** The call, or what is wrong with it. */
function callOf(payload: Fields, shell: Shell): ToolCall | string {
  const tool = text(payload, 'tool_name');
  const input = own(payload, 'tool_input');
  const cwd = text(payload, 'cwd');
  if (tool === null) return 'names no tool_name';
  if (!isRecord(input)) return 'has no tool_input that is an object';
  if (cwd === null || !/^(?:\/|[A-Za-z]:[\\/])/.test(cwd)) return 'has no cwd that is an absolute path';
  const agent = agentOf(payload);
  return { tool, input, runner: 'claude-code', ...(agent !== null && { agent }), cwd, headless: false, shell };
}

/** The calling subagent; one without a type is still a subagent, of a name that no definition has. */
function agentOf(payload: Fields): string | null {
  const id = own(payload, 'agent_id');
  const type = own(payload, 'agent_type');
  if (typeof type === 'string' && type !== '') return type;
  return id === undefined && type === undefined ? null : `unnamed subagent ${typeof id === 'string' ? id : ''}`.trim();
}

function contextOf(payload: Fields): HookContext {
  return {
    session: text(payload, 'session_id'),
    toolUseId: text(payload, 'tool_use_id'),
    model: text(payload, 'model'),
    permissionMode: text(payload, 'permission_mode'),
  };
}

/** Deny is exit 2 and a line on standard error; no objection is silence; only ask, grants and notices are JSON. */
function answer({ effect, grant, message, notice }: HookAnswer): HookOutput {
  if (effect === 'deny') return { stdout: '', stderr: `${message}\n`, exitCode: 2 };
  const verdict = effect === 'ask' ? 'ask' : grant ? 'allow' : null;
  if (verdict === null && notice === null) return { stdout: '', stderr: '', exitCode: 0 };
  const output = {
    ...(notice !== null && { systemMessage: notice }),
    ...(verdict !== null && {
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: verdict, permissionDecisionReason: message },
    }),
  };
  return { stdout: JSON.stringify(output), stderr: '', exitCode: 0 };
}

/** `onFailure` makes newer clients block when the hook itself fails; older ones pass over it (claude-code.md §0.2). */
function settings(command: string): { readonly file: string; readonly content: unknown } {
  const handler = { type: 'command', command, timeout: TIMEOUT, onFailure: 'block' };
  return { file: '.claude/settings.json', content: { hooks: { PreToolUse: [{ matcher: '*', hooks: [handler] }] } } };
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** A non-empty text field; null when it is absent or something else. */
function text(fields: Fields, name: string): string | null {
  const value = own(fields, name);
  return typeof value === 'string' && value !== '' ? value : null;
}
