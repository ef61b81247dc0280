/**
 * Gemini CLI: payloads and answers as recorded from version 0.61. An `ask` by the hook hangs a run without a person, so a
 * question becomes a denial; an allow does not override the runner's own policy. Payloads do not name subagents.
 */
import { type CallFields, callOf, type Fields, isFields, own, text } from '../../call/fields.js';
import type { Shell } from '../../call/tool-call.js';
import type { AgentMessage } from '../hook/agent-event.js';
import { notifyingCommandLine } from '../hook/command-line.js';
import { type EventNames, samplePayloadOf, toolEventOf } from '../hook/named-event.js';
import {
  geminiDenial,
  type HookAnswer,
  type HookEvent,
  type HookOutput,
  jsonText,
  type Runner,
  spokenDenial,
  yesOrNo,
} from '../hook/runner.js';
import { transcriptIn } from '../hook/transcript.js';

/** Milliseconds after which the runner itself abandons the hook. */
const TIMEOUT = 30_000;
const EVENTS: EventNames = {
  tool: new Set(['BeforeTool', 'AfterTool']),
  other: new Set([
    ...['SessionStart', 'SessionEnd', 'BeforeAgent', 'AfterAgent', 'BeforeModel', 'AfterModel', 'BeforeToolSelection'],
    ...['PreCompress', 'Notification'],
  ]),
  agents: agentNews,
};
/** The settings files that may switch hooks off (documentation). */
const SETTINGS = [
  { scope: 'user', path: '.gemini/settings.json', format: 'json' },
  { scope: 'project', path: '.gemini/settings.json', format: 'json' },
  { scope: 'managed', path: '/etc/gemini-cli/settings.json', format: 'json' },
  { scope: 'managed', path: '/etc/gemini-cli/system-defaults.json', format: 'json' },
] as const;
const NAMES: CallFields = { tool: 'tool_name', input: 'tool_input', agentId: null, agentType: null };

const SANDBOXES = ['true', '1', 'docker', 'podman', 'sandbox-exec', 'runsc'];
/** The setting with which the whole runner runs in a sandbox (documentation). */
const SANDBOX = { format: 'json', key: ['tools', 'sandbox'], on: [true, 'docker', 'podman', 'sandbox-exec'] } as const;

export const hook: Runner = {
  id: 'gemini-cli',
  hookEvents: [...EVENTS.tool, ...EVENTS.other],
  evidence: { version: '0.61.0', payloads: 'recorded', answers: 'e2e' },
  // `bash -c` everywhere except on Windows (read in 0.61.0).
  shell: 'bash',
  places: {
    user: { path: '.gemini/settings.json', form: 'json' },
    project: {
      path: '.gemini/settings.json',
      form: 'json',
      needs: 'Gemini CLI runs hooks of a folder only when you trusted the folder: start gemini there and trust it.',
    },
    managed: { path: '/etc/gemini-cli/settings.json', form: 'json' },
  },
  switches: SETTINGS.flatMap((place) => [
    // Any value other than a boolean also switches hooks off (0.61.0: `"false"`, 0).
    { ...place, key: ['hooksConfig', 'enabled'], off: false, orOther: true },
    { ...place, key: ['hooksConfig', 'disabled'], off: 'policy' },
    // The names in former versions.
    { ...place, key: ['hooks', 'enabled'], off: false },
    { ...place, key: ['hooks', 'disabled'], off: 'policy' },
    { ...place, key: ['tools', 'enableHooks'], off: false },
  ]),
  // With a list, null or a string here it runs no hook (tried with 0.61.0).
  hookMaps: ['hooks', 'hooksConfig'],
  sandboxes: [
    { scope: 'managed', path: '/etc/gemini-cli/settings.json', ...SANDBOX },
    { scope: 'project', path: '.gemini/settings.json', ...SANDBOX },
    { scope: 'user', path: '.gemini/settings.json', ...SANDBOX },
  ],
  // `getSandboxCommand` of 0.61.0: `SANDBOX` means that it already runs in a sandbox.
  sandboxVariables: {
    prefixes: ['SANDBOX', 'GEMINI_SANDBOX', 'BUILD_SANDBOX', 'SEATBELT_PROFILE'],
    switch: 'GEMINI_SANDBOX',
    on: SANDBOXES,
    files: [
      { scope: 'user', path: '.gemini/.env' },
      { scope: 'user', path: '.env' },
      { scope: 'project', path: '.gemini/.env', isNearest: true },
      { scope: 'project', path: '.env', isNearest: true },
    ],
  },
  weakVersions: [{ below: '0.26.0', lacks: 'runs no hook, so nothing of a policy holds', runsNoHook: true }],
  sandbox:
    'Its sandbox holds the whole program, and in a container it starts without the hook, so nobody would judge a call; start it in a container that has the hook instead.',
  limits: [
    'A hook cannot make Gemini CLI ask, so questions become denials.',
    'Payloads do not say which subagent calls, so the last one started that is still running counts as the caller.',
    "A folder's hooks run only if the person trusts the folder.",
    "Files that a person mentions with @, and shell commands in a slash command's file, run no hook. `policy run` refuses a slash command as its goal.",
  ],
  sampleTools: { shell: 'run_shell_command', agent: ['invoke_agent', 'agent_name'] },
  samplePayload: samplePayloadOf('BeforeTool'),
  parse,
  answer,
  stdoutDenial: geminiDenial,
  settings,
};

function parse(body: unknown, shell: Shell): HookEvent {
  const event = toolEventOf(body, EVENTS);
  if (event.kind !== 'tool') return event;
  const { payload } = event;
  const call = callOf(payload, NAMES, { runner: 'gemini-cli', shell, headless: true });
  if (typeof call === 'string') return { kind: 'unreadable', why: call };
  const named = { ...call, tool: mcpName(payload) ?? call.tool };
  const context = {
    session: text(payload, 'session_id'),
    toolUseId: null,
    model: null,
    permissionMode: null,
    transcript: transcriptIn(payload, 'gemini'),
  };
  if (event.name === 'BeforeTool') return { kind: 'before-call', call: named, ...context };
  return { kind: 'after-call', call: named, result: 'success', message: null, microseconds: null, ...context };
}

/**
 * With exit code 2 the runner adds a warning that the hook failed. Even then it obeys JSON on standard output, and takes any
 * other text there for the reason of a denial.
 */
function answer(told: HookAnswer): HookOutput {
  return told.effect === 'allow' ? yesOrNo(told) : spokenDenial(geminiDenial(told.message), told.message);
}

/** Its subagents run within the call that starts them; any that are left end with the turn. */
function agentNews(name: string, payload: Fields): AgentMessage | null {
  const cwd = text(payload, 'cwd');
  if (cwd === null || (name !== 'AfterAgent' && name !== 'SessionEnd')) return null;
  const event = name === 'SessionEnd' ? ({ kind: 'session-ended' } as const) : ({ kind: 'turn-ended', still: null } as const);
  return { event, session: text(payload, 'session_id'), cwd };
}

/** Returns the tool's name with its server's: `mcp_my_srv_tool` does not show where the server's name ends, `mcp_context` does. */
function mcpName(payload: Fields): string | null {
  const context = own(payload, 'mcp_context');
  if (!isFields(context)) return null;
  const server = text(context, 'server_name');
  const tool = text(context, 'tool_name');
  return server === null || tool === null || server.includes('__') ? null : `mcp__${server}__${tool}`;
}

function settings(command: string): { readonly file: string; readonly text: string } {
  const handler = { name: 'policy', type: 'command', command, timeout: TIMEOUT };
  const told = [{ hooks: [{ ...handler, command: notifyingCommandLine(command) }] }];
  const ended = [{ matcher: '*', ...told[0] }];
  const gate = [{ matcher: '*', hooks: [handler] }];
  const hooks = { BeforeTool: gate, AfterTool: ended, AfterAgent: told, SessionEnd: told };
  return { file: '.gemini/settings.json', text: jsonText({ hooks }) };
}
