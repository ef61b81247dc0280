/**
 * OpenCode: its hook is a plugin that passes each call to the hook process and throws if that denies (recorded from version 1.18:
 * a throw in `tool.execute.before` is a tool error with that message). A plugin cannot ask, so a question becomes a denial.
 */
import { callOf, type Fields, isFields, own, text } from '../../call/fields.js';
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

export const hook: Runner = {
  id: 'opencode',
  evidence: { version: '1.18.33', payloads: 'recorded', answers: 'e2e' },
  places: {
    user: { path: '.config/opencode/plugins/policy.js', form: 'plugin', folderVariable: 'XDG_CONFIG_HOME' },
    project: { path: '.opencode/plugins/policy.js', form: 'plugin' },
    managed: null,
  },
  sandbox: 'It has none; start it in a container or a virtual machine.',
  limits: [
    'A plugin cannot make OpenCode ask, so questions become denials.',
    "Subagent calls come from a separate session, without the agent's name.",
    NO_TRANSCRIPT,
  ],
  sampleTools: { shell: 'bash', agent: ['task', 'subagent_type'] },
  samplePayload: ({ tool, input }, cwd, sessionID) => ({
    hook: 'tool.execute.before',
    input: { tool, sessionID, callID: 'policy-doctor' },
    output: { args: input },
    cwd,
  }),
  parse,
  answer,
  settings,
};

/** Reads what the plugin writes: the arguments of `tool.execute.before` or `.after`, and the folder it runs in. */
function parse(payload: unknown, shell: Shell): HookEvent {
  if (!isFields(payload)) return { kind: 'unreadable', why: 'is not a JSON object' };
  const hook = text(payload, 'hook');
  const input = own(payload, 'input');
  if (hook === 'session.idle') return idle(payload, input);
  const output = own(payload, 'output');
  if (hook !== 'tool.execute.before' && hook !== 'tool.execute.after')
    return { kind: 'unreadable', why: 'is not about tool.execute.before or tool.execute.after' };
  if (!isFields(input) || !isFields(output)) return { kind: 'unreadable', why: 'has no input and output that are objects' };
  const before = hook === 'tool.execute.before';
  const call = callOf(
    { tool: own(input, 'tool'), args: own(before ? output : input, 'args'), cwd: own(payload, 'cwd') },
    { tool: 'tool', input: 'args', agentId: null, agentType: null },
    { runner: 'opencode', shell, headless: true },
  );
  if (typeof call === 'string') return { kind: 'unreadable', why: call };
  const context = {
    session: text(input, 'sessionID'),
    toolUseId: text(input, 'callID'),
    model: null,
    permissionMode: null,
    // Calls of a subagent have a session of their own.
    family: null,
  };
  if (before) return { kind: 'before-call', call, ...context };
  return { kind: 'after-call', call, result: 'success', message: null, microseconds: null, ...context };
}

/** A session has finished its turn, and with it the agents that it started: a call of `task` returns when its agent has ended. */
function idle(payload: Fields, input: unknown): HookEvent {
  const cwd = text(payload, 'cwd');
  if (!isFields(input) || cwd === null) return { kind: 'other', name: 'session.idle' };
  const event = { kind: 'turn-ended', still: null } as const;
  return { kind: 'other', name: 'session.idle', agents: { event, session: text(input, 'sessionID'), cwd, family: null } };
}

/** The plugin reads the exit code; for it, anything but 0 is a denial. */
function answer({ effect, message }: HookAnswer): HookOutput {
  return effect === 'allow' ? NO_OBJECTION : denial(message);
}

function settings(command: string): { readonly file: string; readonly text: string } {
  return {
    file: '.opencode/plugins/policy.js',
    text: `// Written by \`policy hook opencode --print-settings\`: hands every tool call to the policy before it runs.
import { spawnSync } from 'node:child_process';

const command = ${JSON.stringify(command)};
const telling = ${JSON.stringify(notifyingCommandLine(command))};
const run = (line, payload) => spawnSync('/bin/sh', ['-c', line], { input: JSON.stringify(payload), encoding: 'utf8', cwd: payload.cwd });

export const PolicyGate = async ({ directory }) => ({
  'tool.execute.before': async (input, output) => {
    const { status, stderr } = run(command, { hook: 'tool.execute.before', input, output, cwd: directory });
    if (status !== 0) throw new Error((stderr ?? '').trim() || 'policy denied this call: the hook did not answer');
  },
  'tool.execute.after': async (input, output) => {
    if (input.tool === 'task') run(telling, { hook: 'tool.execute.after', input, output, cwd: directory });
  },
  event: async ({ event }) => {
    if (event.type === 'session.idle') run(telling, { hook: 'session.idle', input: event.properties, cwd: directory });
  },
});
`,
  };
}
