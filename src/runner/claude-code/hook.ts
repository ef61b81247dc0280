/**
 * Claude Code: payloads and answers of its hooks as recorded from versions 2.1.197 to 2.1.332. Only exit code 2 blocks whatever
 * else goes wrong; a JSON answer is only read if it is all of standard output.
 */
import { type CallFields, callOf, type Fields, own, text } from '../../call/fields.js';
import type { Shell, ToolCall } from '../../call/tool-call.js';
import { claudeAgentMessage, claudeStartedAgent, shortText } from '../hook/agent-event.js';
import { notifyingCommandLine, stderrOnlyCommandLine, whileAgentsWait } from '../hook/command-line.js';
import { type EventNames, samplePayloadOf, toolEventOf } from '../hook/named-event.js';
import {
  type HookAnswer,
  type HookContext,
  type HookEvent,
  type HookOutput,
  jsonDenial,
  jsonText,
  NO_OBJECTION,
  type Runner,
  spokenDenial,
} from '../hook/runner.js';
import { transcriptIn } from '../hook/transcript.js';

/** Seconds after which the runner itself abandons the hook; the installed command line gives up earlier. */
const TIMEOUT = 30;

/** Every hook event of the runner (SDK 0.3.329). `tool`: events about a single tool call; nothing is decided at the others. */
const EVENTS: EventNames = {
  tool: new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'UserPromptExpansion', 'PreSkillShellCommand']),
  other: new Set([
    ...['PostToolBatch', 'Notification', 'UserPromptSubmit', 'SessionStart', 'SessionEnd', 'Stop'],
    ...['StopFailure', 'SubagentStart', 'SubagentStop', 'PreCompact', 'PostCompact', 'PreModelSwitch', 'PostModelSwitch'],
    ...['PermissionDenied', 'Setup', 'TeammateIdle', 'TaskCreated', 'TaskCompleted', 'Elicitation', 'ElicitationResult'],
    ...['ConfigChange', 'WorktreeCreate', 'WorktreeRemove', 'InstructionsLoaded', 'CwdChanged', 'FileChanged'],
    ...['DirectoryAdded', 'MessageDisplay', 'PermissionRequest'],
  ]),
  agents: claudeAgentMessage,
};
/**
 * Modes in which the runner ignores a hook's question about a command line that writes one of the runner's own protected paths
 * (e2e: 2.1.197, 2.1.330, `cat key > copy; echo x > .mcp.json`). In `acceptEdits`, `dontAsk`, `plan` and `default` it does ask.
 */
const BYPASS: ReadonlySet<string> = new Set(['bypassPermissions']);
const NAMES: CallFields = { tool: 'tool_name', input: 'tool_input', agentId: 'agent_id', agentType: 'agent_type' };

/**
 * The setting with which its shell tool runs commands in the operating system's sandbox (documentation); the programs that the
 * sandbox needs were read in 2.1.330.
 */
const SANDBOX = {
  format: 'json',
  key: ['sandbox', 'enabled'],
  on: [true],
  needs: { platform: 'linux', programs: ['bwrap', 'socat'], unless: ['sandbox', 'failIfUnavailable'] },
} as const;

export const hook: Runner = {
  id: 'claude-code',
  grants: true,
  asks: true,
  hookEvents: [...EVENTS.tool, ...EVENTS.other],
  evidence: { version: '2.1.197, 2.1.332', payloads: 'recorded', answers: 'e2e' },
  // It uses CLAUDE_CODE_SHELL, SHELL or the first shell that it finds, but only bash or zsh (read in 2.1.197 and 2.1.330).
  shell: 'bash-or-zsh',
  places: {
    user: { path: '.claude/settings.json', form: 'strict-json', folderVariable: 'CLAUDE_CONFIG_DIR' },
    // The command line names folders of one person, so it goes into a file that is theirs alone.
    project: { path: '.claude/settings.local.json', form: 'strict-json' },
    managed: { path: '/etc/claude-code/managed-settings.json', form: 'strict-json' },
  },
  // Always read from `env` in a person's settings; from `env` in a project's, 2.1.197 reads the first variable, 2.1.330 neither (tried).
  hookVariables: {
    off: ['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE'],
    environmentWins: false,
    sparesManaged: true,
    files: [
      { scope: 'user', path: '.claude/settings.json' },
      { scope: 'project', path: '.claude/settings.json' },
      { scope: 'project', path: '.claude/settings.local.json' },
    ],
  },
  sandboxes: [
    { scope: 'managed', path: '/etc/claude-code/managed-settings.json', ...SANDBOX },
    { scope: 'project', path: '.claude/settings.local.json', ...SANDBOX },
    { scope: 'project', path: '.claude/settings.json', ...SANDBOX },
    { scope: 'user', path: '.claude/settings.json', ...SANDBOX },
  ],
  // The keys of 2.1.332. Without `autoAllowBashIfSandboxed: false`, older versions do not ask about anything that runs in the sandbox.
  sandbox: {
    settings: (secrets) => [
      { key: ['sandbox', 'enabled'], value: true },
      { key: ['sandbox', 'failIfUnavailable'], value: true },
      { key: ['sandbox', 'allowUnsandboxedCommands'], value: false },
      { key: ['sandbox', 'autoAllowBashIfSandboxed'], value: false },
      { key: ['sandbox', 'filesystem', 'denyRead'], value: secrets },
    ],
    costs:
      'Commands write only in the project and in a temporary folder of their own; what needs more fails. They ask before they reach the network, and find no credentials (ssh, gh, npm, clouds). On Linux `git add` needs names: `-A` and `.` fail.',
  },
  weakVersions: [
    { below: '2.1.329', lacks: 'passes over onFailure, so only the command line itself fails closed', runsNoHook: false },
  ],
  limits: [
    'Files that a person mentions with @ and commands typed with ! run no hook.',
    'A slash command that a person types is refused if its file contains a denied call. Questions about it count as answered, but not in a run with a goal (`policy run`), where nobody can answer.',
    'Claude Code does not wait until results are logged: if a session without a person ends at once, results of the last calls may be missing.',
    'A project may switch hooks off (`disableAllHooks`): protect its settings, or install the hook in managed settings.',
  ],
  dialects: ['claude-code'],
  sampleTools: { shell: 'Bash', agent: ['Agent', 'subagent_type'] },
  samplePayload: samplePayloadOf('PreToolUse'),
  parse,
  answer,
  // At this event the runner ignores a denial in the form of another event, whatever the exit code (e2e: 2.1.197, 2.1.330).
  refuseTyped: (message) => spokenDenial(JSON.stringify({ decision: 'block', reason: message }), message),
  stdoutDenial: jsonDenial,
  settings,
};

function parse(body: unknown, shell: Shell): HookEvent {
  const event = toolEventOf(body, EVENTS);
  if (event.kind !== 'tool') return event;
  const { payload } = event;
  if (event.name === 'UserPromptExpansion') return typedSkill(payload, shell);
  if (event.name === 'PreSkillShellCommand') return skillLine(payload, shell);
  const read = callOf(payload, NAMES, { runner: 'claude-code', shell, headless: false });
  if (typeof read === 'string') return { kind: 'unreadable', why: read };
  const context = contextOf(payload);
  const call: ToolCall = context.permissionMode !== null && BYPASS.has(context.permissionMode) ? { ...read, bypass: true } : read;
  if (event.name === 'PreToolUse') return { kind: 'before-call', call, ...context };
  const failed = event.name === 'PostToolUseFailure';
  const milliseconds = own(payload, 'duration_ms');
  return {
    kind: 'after-call',
    call,
    result: failed ? 'error' : 'success',
    message: failed ? text(payload, 'error') : null,
    microseconds: typeof milliseconds === 'number' && Number.isFinite(milliseconds) ? milliseconds * 1000 : null,
    started: failed ? { id: null, background: false } : claudeStartedAgent(payload),
    ...context,
  };
}

/**
 * Reads a typed `/name arguments`, before the runner reads the command's file (recorded: 2.1.197, 2.1.330). The call belongs to
 * no agent because a person typed it.
 */
function typedSkill(payload: Fields, shell: Shell): HookEvent {
  const input = { skill: own(payload, 'command_name'), args: own(payload, 'command_args') };
  const how = { runner: 'claude-code', shell, headless: false } as const;
  const call = callOf({ ...payload, tool_name: 'Skill', tool_input: input }, { ...NAMES, agentId: null, agentType: null }, how);
  return typeof call === 'string' ? { kind: 'unreadable', why: call } : { kind: 'typed-skill', call, ...contextOf(payload) };
}

/**
 * Reads a command line that runs when a skill or command is loaded (recorded: 2.1.332). The runner asks nobody about it; a person
 * who typed the skill's name has thereby answered. If loaded for an agent that starts, the line is not one of that agent's calls.
 */
function skillLine(payload: Fields, shell: Shell): HookEvent {
  const by = text(payload, 'invoked_by');
  const names = by === 'claude' ? NAMES : { ...NAMES, agentId: null, agentType: null };
  const answered = by === 'user';
  const call = callOf(payload, names, { runner: 'claude-code', shell, headless: !answered });
  if (typeof call === 'string') return { kind: 'unreadable', why: call };
  const context = contextOf(payload);
  const told = by === 'claude' ? context : { ...context, agentId: null };
  return { kind: 'before-call', call, ...told, ...(answered && { answered }) };
}

function contextOf(payload: Fields): HookContext {
  return {
    session: text(payload, 'session_id'),
    toolUseId: text(payload, 'tool_use_id'),
    model: text(payload, 'model'),
    permissionMode: text(payload, 'permission_mode'),
    agentId: shortText(payload, 'agent_id'),
    transcript: transcriptIn(payload, 'claude'),
  };
}

/**
 * No objection is silence, everything else is JSON. With exit code 2 the runner shows the reason of a JSON denial, or else
 * standard error after the whole command line of the hook (e2e).
 */
function answer({ effect, grant, message, notice }: HookAnswer): HookOutput {
  if (effect === 'deny') return spokenDenial(jsonDenial(message), message);
  const verdict = effect === 'ask' ? 'ask' : grant ? 'allow' : null;
  if (verdict === null && notice === null) return NO_OBJECTION;
  const output = {
    ...(notice !== null && { systemMessage: notice }),
    ...(verdict !== null && {
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: verdict, permissionDecisionReason: message },
    }),
  };
  return { stdout: JSON.stringify(output), stderr: '', exitCode: 0 };
}

/** Returns the settings. `onFailure` makes newer versions block the call if the hook itself fails; older ones ignore it. */
function settings(command: string): { readonly file: string; readonly text: string } {
  const handler = { type: 'command', command, timeout: TIMEOUT, onFailure: 'block' };
  // These hooks cannot block anything: they only write events to the log and to the record of running agents.
  const hears = (line: string) => ({ type: 'command', command: line, timeout: TIMEOUT });
  const told = [{ hooks: [hears(notifyingCommandLine(command))] }];
  // The next agent may start as soon as this agent's end is recorded, so that hook is waited for; those for the results of other
  // calls are not.
  const ended = [
    { matcher: 'Agent|Task', ...told[0] },
    { matcher: '^(?!(?:Agent|Task)$)', hooks: [{ ...hears(notifyingCommandLine(command)), async: true }] },
  ];
  // If a person refuses a call, the call has no result: the end of the batch, or the next prompt, shows that it is over.
  const waiting = [{ hooks: [hears(whileAgentsWait(command))] }];
  const over = { PostToolBatch: waiting, UserPromptSubmit: waiting };
  const about = { SubagentStart: told, SubagentStop: told, Stop: told, SessionEnd: told, ...over };
  const gate = [{ matcher: '*', hooks: [handler] }];
  // A JSON denial by the hook's command line itself has the form for a tool call, which the runner ignores at this event.
  const typed = [{ hooks: [{ ...handler, command: stderrOnlyCommandLine(command) }] }];
  // This event accepts the same denials as a tool call (read in 2.1.332); versions that do not know the event ignore it (2.1.197,
  // 2.1.330).
  const lines = [{ hooks: [handler] }];
  const content = {
    hooks: {
      PreToolUse: gate,
      UserPromptExpansion: typed,
      PreSkillShellCommand: lines,
      PostToolUse: ended,
      PostToolUseFailure: ended,
      ...about,
    },
  };
  return { file: '.claude/settings.json', text: jsonText(content) };
}
