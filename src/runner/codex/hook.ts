/**
 * Codex CLI: payloads and answers as recorded from version 0.169. Its hook cannot ask (a call with the answer `ask` ran), so a question
 * becomes a denial. Of a shell call the hook sees only the command, not the shell, the terminal or whether the call leaves the sandbox.
 */

import { describeTool } from '../../call/catalogue.js';
import { type CallFields, callOf, type Fields, isFields, text } from '../../call/fields.js';
import type { Shell, ToolCall } from '../../call/tool-call.js';
import { claudeAgentMessage, type StartedAgent, shortText } from '../hook/agent-event.js';
import { notifyingCommandLine } from '../hook/command-line.js';
import { type EventNames, samplePayloadOf, toolEventOf } from '../hook/named-event.js';
import { type HookEvent, jsonDenial, jsonText, type Runner, yesOrNo } from '../hook/runner.js';
import { patchInShellLine } from '../hook/shell-patch.js';
import { transcriptIn } from '../hook/transcript.js';

const TIMEOUT = 30;
const EVENTS: EventNames = {
  tool: new Set(['PreToolUse', 'PostToolUse']),
  other: new Set([
    ...['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'Stop', 'SubagentStart', 'SubagentStop', 'PermissionRequest'],
    ...['Notification', 'PreCompact', 'PostCompact', 'Interrupt'],
  ]),
  agents: claudeAgentMessage,
  // The cwd of a call is the workdir that the model chose, so only this event states the session's folder.
  begins: 'SessionStart',
};
const TRUST = "Codex runs a hook only once you trusted it: start codex, type /hooks and trust policy's hook.";
const PROJECT_TRUST =
  'Codex runs hooks of a project only when you trusted the project and the hook: start codex there, and type /hooks.';
const NAMES: CallFields = { tool: 'tool_name', input: 'tool_input', agentId: 'agent_id', agentType: 'agent_type' };

const SANDBOX = { format: 'toml', key: ['sandbox_mode'], on: ['read-only', 'workspace-write'] } as const;
/** The name of the permission profile that `policy install --sandbox` writes. */
const PROFILE = 'policy';
/** Permission profiles; they only apply if no file sets `sandbox_mode` (OpenAI's page on permissions). */
const PERMISSIONS = { format: 'toml', key: ['default_permissions'], on: [':read-only', ':workspace', PROFILE] } as const;
const CONFIG = '.codex/config.toml';

export const hook: Runner = {
  id: 'codex',
  hookEvents: [...EVENTS.tool, ...EVENTS.other],
  evidence: { version: '0.171.0', payloads: 'recorded', answers: 'e2e' },
  places: {
    user: { path: '.codex/hooks.json', form: 'strict-json', folderVariable: 'CODEX_HOME', needs: TRUST },
    project: { path: '.codex/hooks.json', form: 'strict-json', needs: PROJECT_TRUST },
    // `requirements.toml` may name hooks, too, but nobody has seen that work.
    managed: null,
  },
  // Profiles and the command line may set other values; these are not known here.
  sandboxes: [
    { scope: 'project', path: '.codex/config.toml', ...SANDBOX, onlyOff: true },
    { scope: 'user', path: '.codex/config.toml', ...SANDBOX },
    { scope: 'project', path: CONFIG, ...PERMISSIONS, onlyOff: true },
    { scope: 'user', path: CONFIG, ...PERMISSIONS },
  ],
  // The same as `sandbox_mode = "workspace-write"`, except that secrets cannot be read: that mode lets commands read everything
  // (tried with 0.171).
  sandbox: {
    files: { user: { path: CONFIG, form: 'toml', folderVariable: 'CODEX_HOME' } },
    settings: (secrets) => [
      { key: ['default_permissions'], value: PROFILE },
      { key: ['permissions', PROFILE, 'extends'], value: ':workspace' },
      ...secrets.map((path) => ({ key: ['permissions', PROFILE, 'filesystem', path], value: 'deny' })),
    ],
    costs:
      'Commands write only in the project, but not in its .git, and in temporary folders; they reach no network and find no credentials (ssh, gh, npm, clouds). What needs more, such as git commit, Codex asks you about, or it fails.',
  },
  switches: [
    { scope: 'user', path: '.codex/config.toml', format: 'toml', key: ['features', 'hooks'], off: false },
    { scope: 'project', path: '.codex/config.toml', format: 'toml', key: ['features', 'hooks'], off: false },
    // The former name of the setting, which Codex still reads.
    { scope: 'user', path: '.codex/config.toml', format: 'toml', key: ['features', 'codex_hooks'], off: false },
    { scope: 'project', path: '.codex/config.toml', format: 'toml', key: ['features', 'codex_hooks'], off: false },
    // The machine's defaults, and what its administrators require (OpenAI's page on managed configuration).
    { scope: 'managed', path: '/etc/codex/config.toml', format: 'toml', key: ['features', 'hooks'], off: false },
    { scope: 'managed', path: '/etc/codex/managed_config.toml', format: 'toml', key: ['features', 'hooks'], off: false },
    { scope: 'managed', path: '/etc/codex/requirements.toml', format: 'toml', key: ['features', 'hooks'], off: false },
    { scope: 'managed', path: '/etc/codex/requirements.toml', format: 'toml', key: ['allow_managed_hooks_only'], off: true },
    // Settings that apply under `--profile NAME`.
    { scope: 'user', path: '.codex/config.toml', format: 'toml', key: ['profiles', '*', 'features', 'hooks'], off: false },
    { scope: 'user', path: '.codex/config.toml', format: 'toml', key: ['profiles', '*', 'features', 'codex_hooks'], off: false },
  ],
  limits: [
    'A hook cannot make Codex ask, so questions become denials.',
    'Keystrokes sent to a running program (write_stdin) run no hook; programs that would wait for them are denied (`sh`, `python`, `psql` without a script).',
    'Project hooks run only if the person trusts the project and this hook; otherwise Codex silently skips them.',
    "With `--remote`, another server makes the calls; only the hooks in that server's settings check them.",
    'The hook sees only the command of a shell call, not its shell or whether it leaves the sandbox.',
  ],
  dialects: ['codex-markdown', 'codex-yaml'],
  sampleTools: {
    shell: 'Bash',
    agent: ['spawn_agent', 'agent_type'],
    caller: (agent) => ({ agent_id: 'policy-audit', agent_type: agent }),
  },
  samplePayload: samplePayloadOf('PreToolUse'),
  parse,
  asRun,
  // An allow by the hook changes nothing here; `systemMessage` is shown to the person.
  answer: yesOrNo,
  stdoutDenial: jsonDenial,
  settings,
};

function asRun(call: ToolCall): ToolCall {
  return describeTool(call.tool, 'codex').canonical === 'Bash' ? patchInShellLine(call) : call;
}

function parse(body: unknown, shell: Shell): HookEvent {
  const event = toolEventOf(body, EVENTS);
  if (event.kind !== 'tool') return event;
  const { payload } = event;
  const read = callOf(payload, NAMES, { runner: 'codex', shell, headless: true });
  if (typeof read === 'string') return { kind: 'unreadable', why: read };
  const call = asRun(read);
  const context = {
    session: text(payload, 'session_id'),
    toolUseId: text(payload, 'tool_use_id'),
    model: text(payload, 'model'),
    permissionMode: text(payload, 'permission_mode'),
    agentId: shortText(payload, 'agent_id'),
    // A patch may be applied in a folder other than the one that the session works in.
    ...(call !== read && { workspace: read.cwd }),
    transcript: transcriptIn(payload, 'codex'),
  };
  if (event.name === 'PreToolUse') return { kind: 'before-call', call, ...context };
  const started = startedAgent(payload);
  return { kind: 'after-call', call, result: 'success', message: null, microseconds: null, started, ...context };
}

/** `spawn_agent` returns at once, with the agent's id in JSON (0.169, first generation) or without it; the agent keeps running. */
function startedAgent(payload: Fields): StartedAgent {
  try {
    const response: unknown = JSON.parse(text(payload, 'tool_response') ?? 'null');
    return { id: isFields(response) ? shortText(response, 'agent_id') : null, background: true };
  } catch {
    // A sentence instead of JSON: the agent was not started.
    return { id: null, background: false };
  }
}

function settings(command: string): { readonly file: string; readonly text: string } {
  const told = [{ hooks: [{ type: 'command', command: notifyingCommandLine(command), timeout: TIMEOUT }] }];
  const about = { SubagentStart: told, SubagentStop: told, Stop: told };
  const gate = [{ hooks: [{ type: 'command', command, timeout: TIMEOUT }] }];
  const content = { hooks: { PreToolUse: gate, PostToolUse: told, SessionStart: told, ...about } };
  return { file: '.codex/hooks.json', text: jsonText(content) };
}
