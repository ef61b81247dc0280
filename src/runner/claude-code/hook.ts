/**
 * Claude Code: payloads and answers of its hooks as recorded from versions 2.1.197 to 2.1.332.
 * Only exit code 2 blocks whatever else goes wrong; a JSON answer counts only when it is all of standard output.
 */
import type { Shell, ToolCall } from '../../call/tool-call.js';
import { claudeAgentMessage, claudeStartedAgent, shortText } from '../hook/agent-event.js';
import { notifyingCommandLine, stderrOnlyCommandLine, whileAgentsWait } from '../hook/command-line.js';
import { type EventNames, samplePayloadOf, toolEventOf } from '../hook/named-event.js';
import { type CallFields, callOf, type Fields, own, text } from '../hook/payload.js';
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

/** Seconds after which the runner itself gives up on the hook; the installed command line gives up before. */
const TIMEOUT = 30;

/** Every hook event of the runner (SDK 0.3.329) that is not about a single tool call: nothing is decided there. */
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
 * Modes in which the client drops a hook's question for a line that writes one of its own protected paths (e2e: 2.1.197, 2.1.330,
 * `cat key > copy; echo x > .mcp.json`). In `acceptEdits`, `dontAsk`, `plan` and `default` a question holds.
 */
const BYPASS: ReadonlySet<string> = new Set(['bypassPermissions']);
const NAMES: CallFields = { tool: 'tool_name', input: 'tool_input', agentId: 'agent_id', agentType: 'agent_type' };

/** Commands of its shell tool run in the sandbox of the system (documentation); what it needs was read in 2.1.330. */
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
  // It takes CLAUDE_CODE_SHELL, SHELL or the first that it finds, and of these only bash and zsh (read in 2.1.197 and 2.1.330).
  shell: 'bash-or-zsh',
  places: {
    user: { path: '.claude/settings.json', form: 'strict-json', folderVariable: 'CLAUDE_CONFIG_DIR' },
    // The line names folders of one person, so it goes where nobody else's is.
    project: { path: '.claude/settings.local.json', form: 'strict-json' },
    managed: { path: '/etc/claude-code/managed-settings.json', form: 'strict-json' },
  },
  // In the `env` of a person's settings always; of those of a project 2.1.197 takes the first, 2.1.330 none (tried).
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
  // The keys of 2.1.332. Without `autoAllowBashIfSandboxed: false`, older versions ask about nothing that runs inside.
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
    'A slash command that a person types is refused for what is denied in its file; a question about it counts as answered, but not in a run with a goal (`policy run`), where nobody is there.',
    'Nobody waits for the results of calls to be logged: those of the last calls may be missing where a session without a person ends at once.',
    'A project may switch hooks off (`disableAllHooks`): protect its settings, or install the hook in managed settings.',
  ],
  dialects: ['claude-code'],
  sampleTools: { shell: 'Bash', agent: ['Agent', 'subagent_type'] },
  samplePayload: samplePayloadOf('PreToolUse'),
  parse,
  answer,
  // To a denial of another event the client does not listen here, whatever the exit code (e2e: 2.1.197, 2.1.330).
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

/** `/name arguments`, before the client reads the file of the command (recorded: 2.1.197, 2.1.330). Of no agent: a person typed it. */
function typedSkill(payload: Fields, shell: Shell): HookEvent {
  const input = { skill: own(payload, 'command_name'), args: own(payload, 'command_args') };
  const how = { runner: 'claude-code', shell, headless: false } as const;
  const call = callOf({ ...payload, tool_name: 'Skill', tool_input: input }, { ...NAMES, agentId: null, agentType: null }, how);
  return typeof call === 'string' ? { kind: 'unreadable', why: call } : { kind: 'typed-skill', call, ...contextOf(payload) };
}

/**
 * A line that runs when a skill or command is loaded (recorded: 2.1.332). The client asks nobody about it; whoever typed the name has
 * answered. Loaded for an agent that starts, it is none of that agent's calls.
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
 * No objection is silence, all else is JSON. Beside exit code 2 the client shows the reason of a JSON denial, or else standard error
 * behind the whole command line of the hook (e2e).
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

/** `onFailure` makes newer clients block when the hook itself fails; older ones pass over it. */
function settings(command: string): { readonly file: string; readonly text: string } {
  const handler = { type: 'command', command, timeout: TIMEOUT, onFailure: 'block' };
  // These cannot block anything: what they hear goes into the log, and into the record of running agents.
  const hears = (line: string) => ({ type: 'command', command: line, timeout: TIMEOUT });
  const told = [{ hooks: [hears(notifyingCommandLine(command))] }];
  // The next agent may start as soon as the record says that this one has ended; nobody waits for the results of other calls.
  const ended = [
    { matcher: 'Agent|Task', ...told[0] },
    { matcher: '^(?!(?:Agent|Task)$)', hooks: [{ ...hears(notifyingCommandLine(command)), async: true }] },
  ];
  // A question that a person refuses has no result of its own: the batch, or the next prompt, tells that it is over.
  const waiting = [{ hooks: [hears(whileAgentsWait(command))] }];
  const over = { PostToolBatch: waiting, UserPromptSubmit: waiting };
  const about = { SubagentStart: told, SubagentStop: told, Stop: told, SessionEnd: told, ...over };
  const gate = [{ matcher: '*', hooks: [handler] }];
  // A JSON denial of the hook line itself is one before a call, which the client does not listen to here.
  const typed = [{ hooks: [{ ...handler, command: stderrOnlyCommandLine(command) }] }];
  // Denials of a call count at this event, too (read in 2.1.332); versions that do not know it pass over it (2.1.197, 2.1.330).
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
