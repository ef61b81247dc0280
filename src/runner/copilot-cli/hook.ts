/**
 * Copilot CLI: payloads and answers as recorded from version 1.0.102. It uses two dialects: its own (camelCase, without the
 * event's name), and that of Claude Code for events that are registered in PascalCase.
 */
import { type CallFields, callOf, type Fields, isFields, own, text } from '../../call/fields.js';
import type { Shell } from '../../call/tool-call.js';
import { type AgentEvent, type AgentMessage, shortText } from '../hook/agent-event.js';
import { notifyingCommandLine } from '../hook/command-line.js';
import {
  copilotVerdict,
  type HookAnswer,
  type HookEvent,
  type HookOutput,
  jsonText,
  NO_OBJECTION,
  NO_TRANSCRIPT,
  type Runner,
  spokenDenial,
} from '../hook/runner.js';

const TIMEOUT = 30;
const OWN: CallFields = { tool: 'toolName', input: 'toolArgs', agentId: 'agentId', agentType: 'agentType' };
const PASCAL: CallFields = { tool: 'tool_name', input: 'tool_input', agentId: 'agent_id', agentType: 'agent_type' };
/** PascalCase names of events that are not about one call. */
const OTHER_EVENTS: ReadonlySet<string> = new Set([
  ...['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'Stop', 'SubagentStart', 'SubagentStop', 'PermissionRequest'],
  ...['Notification', 'PreCompact', 'ErrorOccurred'],
]);
/**
 * Names, in its own dialect, of events whose payloads contain their name. They may also contain a tool: `permissionRequest` did,
 * after the hook had been asked.
 */
const OWN_OTHER_EVENTS: ReadonlySet<string> = new Set([
  ...['sessionStart', 'sessionEnd', 'userPromptSubmitted', 'agentStop', 'subagentStart', 'subagentStop', 'permissionRequest'],
  ...['notification', 'preCompact', 'errorOccurred', 'postToolUseFailure'],
]);

export const hook: Runner = {
  id: 'copilot-cli',
  grants: true,
  asks: true,
  hookEvents: ['preToolUse', 'postToolUse', ...OWN_OTHER_EVENTS, 'PreToolUse', 'PostToolUse', ...OTHER_EVENTS],
  evidence: { version: '1.0.102', payloads: 'recorded', answers: 'e2e' },
  places: {
    user: { path: '.copilot/hooks/policy.json', form: 'strict-json', folderVariable: 'COPILOT_HOME' },
    project: {
      path: '.github/hooks/policy.json',
      form: 'strict-json',
      needs: 'Copilot CLI runs hooks of a repository only in a folder that you trusted: start copilot there and trust it.',
    },
    managed: null,
  },
  switches: [
    { scope: 'user', path: '.copilot/settings.json', format: 'json', key: ['disableAllHooks'], off: true },
    { scope: 'user', path: '.copilot/config.json', format: 'json', key: ['disableAllHooks'], off: true },
    { scope: 'user', path: '.copilot/hooks/policy.json', format: 'json', key: ['disableAllHooks'], off: true },
    { scope: 'project', path: '.github/copilot/settings.json', format: 'json', key: ['disableAllHooks'], off: true },
    { scope: 'project', path: '.github/copilot/settings.local.json', format: 'json', key: ['disableAllHooks'], off: true },
    { scope: 'project', path: '.github/hooks/policy.json', format: 'json', key: ['disableAllHooks'], off: true },
    // It also reads Claude Code's project settings (tried with 1.0.102).
    { scope: 'project', path: '.claude/settings.json', format: 'json', key: ['disableAllHooks'], off: true },
    { scope: 'project', path: '.claude/settings.local.json', format: 'json', key: ['disableAllHooks'], off: true },
  ],
  sandbox:
    'Its sandbox is an experiment that the settings alone do not switch on; type /sandbox in a session that was started with --experimental.',
  limits: [
    "A repository's hooks run only in a trusted folder (or with COPILOT_ALLOW_ALL=true); otherwise Copilot silently skips them.",
    'Copilot runs the call if a hook takes too long; the installed command line answers earlier.',
    'After a person refuses a subagent, no other one can start before the turn ends, because Copilot reports the refusal only then.',
    NO_TRANSCRIPT,
  ],
  sampleTools: { shell: 'bash', agent: ['task', 'agent_type'] },
  samplePayload: ({ tool, input }, cwd, sessionId) => ({ sessionId, timestamp: 0, cwd, toolName: tool, toolArgs: input }),
  parse,
  answer,
  settings,
};

function parse(payload: unknown, shell: Shell): HookEvent {
  if (!isFields(payload)) return { kind: 'unreadable', why: 'is not a JSON object' };
  const event = text(payload, 'hook_event_name');
  return event === null ? copilotEvent(payload, shell) : pascalDialect(payload, event, shell);
}

/** Reads a payload in its own dialect, which does not name the event: the fields show which one it is. */
function copilotEvent(payload: Fields, shell: Shell): HookEvent {
  if (text(payload, 'sessionId') === null) return { kind: 'unreadable', why: 'names neither sessionId nor hook_event_name' };
  const name = text(payload, 'hookName');
  if (name !== null && OWN_OTHER_EVENTS.has(name)) return { kind: 'other', name };
  // A payload with any trace of a tool is about a call, and then it has to be complete.
  if (own(payload, 'toolName') === undefined && own(payload, 'toolArgs') === undefined)
    return { kind: 'other', name: name ?? 'session', agents: agentNews(payload) };
  const call = callOf(payload, OWN, { runner: 'copilot-cli', shell, headless: false });
  if (typeof call === 'string') return { kind: 'unreadable', why: call };
  const context = {
    session: text(payload, 'sessionId'),
    toolUseId: null,
    model: null,
    permissionMode: null,
    agentId: shortText(payload, 'agentId'),
    family: null,
  };
  const outcome = own(payload, 'toolResult');
  // Only a complete result shows that the call is over.
  if (!isFields(outcome)) return { kind: 'before-call', call, ...context };
  const succeeded = text(outcome, 'resultType') === 'success';
  const result = succeeded ? 'success' : 'error';
  const started = { id: null, background: succeeded && text(call.input, 'mode') === 'background' };
  return { kind: 'after-call', call, result, message: null, microseconds: null, started, ...context };
}

/**
 * Its own dialect does not name these events either. The start of a subagent has an id and a type (recorded); the end of an agent
 * has a `stopReason`, and a name if it is a subagent; the end of a session has a `reason` (documentation). Only a person's prompt
 * has a `prompt` (recorded).
 */
function agentNews(payload: Fields): AgentMessage | null {
  const cwd = text(payload, 'cwd');
  const event = agentEvent(payload);
  return event === null || cwd === null ? null : { event, session: text(payload, 'sessionId'), cwd, family: null };
}

function agentEvent(payload: Fields): AgentEvent | null {
  const agentId = shortText(payload, 'agentId');
  const agent = shortText(payload, 'agentType') ?? shortText(payload, 'agentName');
  if (text(payload, 'stopReason') !== null)
    return agent === null ? { kind: 'turn-ended', still: null } : { kind: 'agent-ended', agentId, agent };
  if (text(payload, 'reason') !== null) return { kind: 'session-ended' };
  if (agentId === null || agent === null) return text(payload, 'prompt') === null ? null : { kind: 'calls-ended', by: agentId };
  return { kind: 'agent-began', agentId, agent, by: shortText(payload, 'parentAgentId') };
}

function pascalDialect(payload: Fields, event: string, shell: Shell): HookEvent {
  if (OTHER_EVENTS.has(event)) return { kind: 'other', name: event };
  if (event !== 'PreToolUse' && event !== 'PostToolUse')
    return { kind: 'unreadable', why: `is about ${JSON.stringify(event)}, an event that is not known` };
  const call = callOf(payload, PASCAL, { runner: 'copilot-cli', shell, headless: false });
  if (typeof call === 'string') return { kind: 'unreadable', why: call };
  const session = text(payload, 'session_id');
  const context = { session, toolUseId: null, model: null, permissionMode: null, family: null };
  if (event === 'PreToolUse') return { kind: 'before-call', call, ...context };
  return { kind: 'after-call', call, result: 'success', message: null, microseconds: null, ...context };
}

/**
 * The answer contains the fields of both dialects: each ignores the other's (recorded: a denial with an additional field holds).
 * With exit code 2 the model learns only the code, unless there is a denial in words as well (e2e).
 */
function answer({ effect, grant, message }: HookAnswer): HookOutput {
  if (effect === 'deny') return spokenDenial(copilotVerdict('deny', message), message);
  const verdict = effect === 'ask' ? 'ask' : grant ? 'allow' : null;
  return verdict === null ? NO_OBJECTION : { stdout: copilotVerdict(verdict, message), stderr: '', exitCode: 0 };
}

function settings(command: string): { readonly file: string; readonly text: string } {
  const told = [{ type: 'command', bash: notifyingCommandLine(command), timeoutSec: TIMEOUT }];
  const gate = [{ type: 'command', bash: command, timeoutSec: TIMEOUT }];
  const agents = { subagentStart: told, subagentStop: told, agentStop: told, userPromptSubmitted: told, sessionEnd: told };
  const content = { version: 1, hooks: { preToolUse: gate, postToolUse: told, ...agents } };
  return { file: '.github/hooks/policy.json', text: jsonText(content) };
}
