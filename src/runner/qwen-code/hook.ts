/**
 * Qwen Code: payloads and answers as recorded from version 0.24.4: Claude Code's fields with Gemini CLI's tools. It was not
 * recorded whether its `ask` reaches a person, so a question becomes a denial.
 */
import { type CallFields, callOf, type Fields, isFields, own, text } from '../../call/fields.js';
import type { Shell } from '../../call/tool-call.js';
import { claudeAgentMessage, type StartedAgent, shortText } from '../hook/agent-event.js';
import { notifyingCommandLine } from '../hook/command-line.js';
import { type EventNames, samplePayloadOf, toolEventOf } from '../hook/named-event.js';
import { type HookEvent, jsonDenial, jsonText, type Runner, type VariableFile, yesOrNo } from '../hook/runner.js';
import { transcriptIn } from '../hook/transcript.js';

/** Milliseconds after which the runner itself abandons the hook. */
const TIMEOUT = 30_000;
const EVENTS: EventNames = {
  tool: new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure']),
  other: new Set([
    ...['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'Stop', 'SubagentStart', 'SubagentStop', 'PermissionRequest'],
    ...['Notification', 'PreCompact'],
  ]),
  agents: claudeAgentMessage,
};
/** The settings files that may switch hooks off (documentation). */
const SETTINGS = [
  { scope: 'user', path: '.qwen/settings.json', format: 'json' },
  { scope: 'project', path: '.qwen/settings.json', format: 'json' },
  { scope: 'managed', path: '/etc/qwen-code/settings.json', format: 'json' },
  { scope: 'managed', path: '/etc/qwen-code/system-defaults.json', format: 'json' },
] as const;
const NAMES: CallFields = { tool: 'tool_name', input: 'tool_input', agentId: null, agentType: null };

/** The setting with which the whole runner runs in a sandbox (documentation). */
const SANDBOX = { format: 'json', key: ['tools', 'sandbox'], on: [true, 'docker', 'podman', 'sandbox-exec'] } as const;

const VARIABLE_FILES: readonly VariableFile[] = [
  { scope: 'user', path: '.qwen/settings.json' },
  { scope: 'user', path: '.qwen/.env' },
  { scope: 'user', path: '.env' },
  { scope: 'project', path: '.qwen/settings.json' },
  { scope: 'project', path: '.qwen/.env', isNearest: true },
  { scope: 'project', path: '.env', isNearest: true },
];

export const hook: Runner = {
  id: 'qwen-code',
  hookEvents: [...EVENTS.tool, ...EVENTS.other],
  evidence: { version: '0.24.4', payloads: 'recorded', answers: 'e2e' },
  // `bash -c` everywhere except on Windows (read in 0.24.4).
  shell: 'bash',
  places: {
    user: { path: '.qwen/settings.json', form: 'json' },
    project: { path: '.qwen/settings.json', form: 'json' },
    managed: { path: '/etc/qwen-code/settings.json', form: 'json' },
  },
  switches: SETTINGS.flatMap((place) => [
    { ...place, key: ['hooksConfig', 'enabled'], off: false },
    { ...place, key: ['disableAllHooks'], off: true, orOther: true },
    // The names in former versions, inherited from Gemini CLI.
    { ...place, key: ['hooks', 'enabled'], off: false },
    { ...place, key: ['hooks', 'disableAllHooks'], off: true },
    { ...place, key: ['tools', 'enableHooks'], off: false },
  ]),
  // Tried with 0.24.4, which trusts every project unless the person turned on folder trust.
  hookVariables: {
    off: ['QWEN_CODE_SAFE_MODE', 'QWEN_CODE_SIMPLE'],
    environmentWins: true,
    sparesManaged: false,
    files: VARIABLE_FILES,
  },
  sandboxes: [
    { scope: 'managed', path: '/etc/qwen-code/settings.json', ...SANDBOX },
    { scope: 'project', path: '.qwen/settings.json', ...SANDBOX },
    { scope: 'user', path: '.qwen/settings.json', ...SANDBOX },
  ],
  // `getSandboxCommand` of 0.24.4: `SANDBOX` means that it already runs in a sandbox.
  sandboxVariables: {
    prefixes: ['SANDBOX', 'QWEN_SANDBOX', 'BUILD_SANDBOX', 'SEATBELT_PROFILE'],
    switch: 'QWEN_SANDBOX',
    on: ['true', '1', 'docker', 'podman', 'sandbox-exec'],
    files: VARIABLE_FILES,
  },
  weakVersions: [
    { below: '0.13.0', lacks: "runs no hook of anybody's settings, so nothing of a policy holds", runsNoHook: true },
  ],
  sandbox:
    'Its sandbox holds the whole program, and in a container it starts without the hook, so nobody would judge a call; start it in a container that has the hook instead.',
  limits: [
    'Questions become denials.',
    "Some versions' payloads do not say which subagent calls, so the last one started that is still running counts as the caller.",
    "Files that a person mentions with @, and shell commands in a slash command's file, run no hook. `policy run` refuses a slash command as its goal.",
  ],
  sampleTools: { shell: 'run_shell_command', agent: ['agent', 'subagent_type'] },
  samplePayload: samplePayloadOf('PreToolUse'),
  parse,
  // An allow by the hook does not override Qwen Code's own approval mode.
  answer: yesOrNo,
  stdoutDenial: jsonDenial,
  settings,
};

function parse(body: unknown, shell: Shell): HookEvent {
  const event = toolEventOf(body, EVENTS);
  if (event.kind !== 'tool') return event;
  const { payload } = event;
  const call = callOf(payload, NAMES, { runner: 'qwen-code', shell, headless: true });
  if (typeof call === 'string') return { kind: 'unreadable', why: call };
  // Only the id, without the agent's name (recorded from 0.24.4); versions that do not state it do not identify the main agent either.
  const agentId = shortText(payload, 'agent_id');
  const context = {
    session: text(payload, 'session_id'),
    toolUseId: text(payload, 'tool_use_id'),
    model: null,
    permissionMode: text(payload, 'permission_mode'),
    ...(agentId !== null && { agentId }),
    transcript: transcriptIn(payload, 'qwen'),
  };
  if (event.name === 'PreToolUse') return { kind: 'before-call', call, ...context };
  const result = event.name === 'PostToolUse' ? 'success' : 'error';
  const started = startedAgent(payload);
  return { kind: 'after-call', call, result, message: text(payload, 'error'), microseconds: null, started, ...context };
}

/** A call of `agent` may return while the agent keeps running (recorded: the default of 0.24.4); SubagentStop reports its end. */
function startedAgent(payload: Fields): StartedAgent {
  const response = own(payload, 'tool_response');
  const shown = isFields(response) ? own(response, 'returnDisplay') : null;
  return { id: null, background: isFields(shown) && text(shown, 'status') === 'background' };
}

function settings(command: string): { readonly file: string; readonly text: string } {
  const handler = { type: 'command', command, timeout: TIMEOUT };
  const told = [{ hooks: [{ type: 'command', command: notifyingCommandLine(command), timeout: TIMEOUT }] }];
  const ended = [{ matcher: '*', ...told[0] }];
  const gate = [{ matcher: '*', hooks: [handler] }];
  const about = { SubagentStart: told, SubagentStop: told, Stop: told, SessionEnd: told };
  const hooks = { PreToolUse: gate, PostToolUse: ended, PostToolUseFailure: ended, ...about };
  return { file: '.qwen/settings.json', text: jsonText({ hooks }) };
}
