/**
 * Gemini CLI: payloads and answers as recorded from version 0.61 (spec: runners, §1). An `ask` of the hook hangs a run without a
 * person, so a question is a denial; an allow does not outrank its own policy. Subagents are not named in its payloads.
 */
import type { Shell } from '../call/tool-call.js';
import type { AgentNews } from './agent-event.js';
import { tellingLine } from './command-line.js';
import { type CallFields, callOf, type Fields, isFields, own, text } from './payload.js';
import { denial, type HookAnswer, type HookEvent, type HookOutput, jsonText, type Runner, SILENCE } from './runner.js';

/** Milliseconds. */
const TIMEOUT = 30_000;
const OTHER_EVENTS: ReadonlySet<string> = new Set([
  ...['SessionStart', 'SessionEnd', 'BeforeAgent', 'AfterAgent', 'BeforeModel', 'AfterModel', 'BeforeToolSelection'],
  ...['PreCompress', 'Notification'],
]);
const NAMES: CallFields = { tool: 'tool_name', input: 'tool_input', agentId: null, agentType: null };

export const geminiCli: Runner = {
  id: 'gemini-cli',
  evidence: { version: '0.61.0', payloads: 'recorded', answers: 'recorded' },
  places: {
    user: { path: '.gemini/settings.json', form: 'json' },
    project: {
      path: '.gemini/settings.json',
      form: 'json',
      needs: 'Gemini CLI runs hooks of a folder only when you trusted the folder: start gemini there and trust it.',
    },
    managed: { path: '/etc/gemini-cli/settings.json', form: 'json' },
  },
  limits: [
    'A hook cannot make Gemini CLI ask: what the policy asks about is denied.',
    "Payloads do not say which subagent calls: an agent's own permissions cannot be told apart.",
    'Hooks of a folder run only when the person trusted the folder.',
  ],
  parse,
  answer,
  spokenDenial: (message) => JSON.stringify({ decision: 'deny', reason: message }),
  settings,
};

function parse(payload: unknown, shell: Shell): HookEvent {
  if (!isFields(payload)) return { kind: 'unreadable', why: 'is not a JSON object' };
  const event = text(payload, 'hook_event_name');
  if (event === null) return { kind: 'unreadable', why: 'names no hook_event_name' };
  if (OTHER_EVENTS.has(event)) return { kind: 'other', name: event, agents: agentNews(event, payload) };
  if (event !== 'BeforeTool' && event !== 'AfterTool')
    return { kind: 'unreadable', why: `is about ${JSON.stringify(event)}, an event that is not known` };
  const call = callOf(payload, NAMES, { runner: 'gemini-cli', shell, headless: true });
  if (typeof call === 'string') return { kind: 'unreadable', why: call };
  const named = { ...call, tool: mcpName(payload) ?? call.tool };
  const context = { session: text(payload, 'session_id'), toolUseId: null, model: null, permissionMode: null };
  if (event === 'BeforeTool') return { kind: 'before-call', call: named, ...context };
  return { kind: 'after-call', call: named, result: 'success', message: null, microseconds: null, ...context };
}

/** Its subagents run within the call that starts them; whatever is left of them ends with the turn. */
function agentNews(name: string, payload: Fields): AgentNews | null {
  const cwd = text(payload, 'cwd');
  if (cwd === null || (name !== 'AfterAgent' && name !== 'SessionEnd')) return null;
  const event = name === 'SessionEnd' ? ({ kind: 'session-ended' } as const) : ({ kind: 'turn-ended', still: null } as const);
  return { event, session: text(payload, 'session_id'), cwd };
}

/** `mcp_my_srv_tool` does not say where the server's name ends; `mcp_context` does. */
function mcpName(payload: Fields): string | null {
  const context = own(payload, 'mcp_context');
  if (!isFields(context)) return null;
  const server = text(context, 'server_name');
  const tool = text(context, 'tool_name');
  return server === null || tool === null || server.includes('__') ? null : `mcp__${server}__${tool}`;
}

function answer({ effect, message, notice }: HookAnswer): HookOutput {
  if (effect !== 'allow') return denial(message);
  return notice === null ? SILENCE : { stdout: JSON.stringify({ systemMessage: notice }), stderr: '', exitCode: 0 };
}

function settings(command: string): { readonly file: string; readonly text: string } {
  const handler = { name: 'policy', type: 'command', command, timeout: TIMEOUT };
  const told = [{ hooks: [{ ...handler, command: tellingLine(command) }] }];
  const ended = [{ matcher: '*', ...told[0] }];
  const gate = [{ matcher: '*', hooks: [handler] }];
  const hooks = { BeforeTool: gate, AfterTool: ended, AfterAgent: told, SessionEnd: told };
  return { file: '.gemini/settings.json', text: jsonText({ hooks }) };
}
