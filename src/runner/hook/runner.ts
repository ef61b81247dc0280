/** What each runner's file defines for the others: how the payloads of its hook are read and how it is answered. */

import type { Dialect } from '../../agent/agent.js';
import type { Fields } from '../../call/fields.js';
import type { RunnerId, Shell, ToolCall } from '../../call/tool-call.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import type { AgentMessage, StartedAgent } from './agent-event.js';
import type { Transcript } from './transcript.js';

/** What a payload states besides the call itself; null for what the runner does not state. */
export interface HookContext {
  readonly session: string | null;
  /** Joins the result of a call to its decision. */
  readonly toolUseId: string | null;
  readonly model: string | null;
  /** The runner's own permission mode or sandbox mode. */
  readonly permissionMode: string | null;
  /** The runner's id of the calling subagent; absent if the runner has none. */
  readonly agentId?: string | null;
  /**
   * The session under which the running agents are recorded, if not `session`: null for a runner whose subagents have sessions of
   * their own, so that all agents of a project are recorded together.
   */
  readonly family?: null;
  /** The folder that the session works in, if the runner states it besides that of the call. */
  readonly workspace?: string | null;
  /** The file in which the runner writes how many tokens were used; absent if not known. */
  readonly transcript?: Transcript | null;
}

/** The start of a session, with the folder that it works in. */
export interface SessionBegin {
  readonly session: string;
  /** Absolute path. */
  readonly cwd: string;
}

/** A parsed hook payload. */
export type HookEvent =
  /** `call.headless` is true if the runner's hook cannot make it ask: a question then becomes a denial. */
  | ({
      readonly kind: 'before-call';
      readonly call: ToolCall;
      /** True if a person did something that is an answer to a question about the call. */
      readonly answered?: boolean;
    } & HookContext)
  | ({
      readonly kind: 'after-call';
      readonly call: ToolCall;
      readonly result: 'success' | 'error';
      readonly message: string | null;
      readonly microseconds: number | null;
      /** What the result states about the agent, if the call started one. */
      readonly started?: StartedAgent;
    } & HookContext)
  /** A person typed the name of a skill. `call` is the call that a model would make to load it. The runner starts no other hook for it. */
  | ({ readonly kind: 'typed-skill'; readonly call: ToolCall } & HookContext)
  /**
   * An event of the runner that is not about a tool call. `agents`: what it reports about subagents; `begins`: the session that it starts.
   */
  | {
      readonly kind: 'other';
      readonly name: string;
      readonly agents?: AgentMessage | null;
      readonly begins?: SessionBegin | null;
    }
  /** Not a payload of this runner; `why` completes the sentence "the payload …". */
  | { readonly kind: 'unreadable'; readonly why: string };

/** The engine's answer to a runner about one call. Every string is one line and escaped. */
export interface HookAnswer {
  /** In observe mode always `allow`. */
  readonly effect: Effect;
  /** Only with `allow`: the policy says so explicitly, so the runner need not ask again. */
  readonly grant: boolean;
  /** The reason, for the agent and the person, with the decision id and the remedy. */
  readonly message: string;
  /** Something that the person has to see whatever the decision was, such as observe mode. */
  readonly notice: string | null;
}

/** What a runner is told about a call before it makes it; silence leaves the call to the runner's own permissions. */
export type HookVerdict = Effect | 'silence';

/** Returns what a runner's protocol can express of an answer: a question that the hook cannot make it ask becomes a denial. */
export function hookVerdict(
  { grants = false, asks = false }: Pick<Runner, 'grants' | 'asks'>,
  { effect, grant }: Pick<HookAnswer, 'effect' | 'grant'>,
): HookVerdict {
  if (effect === 'allow') return grant && grants ? 'allow' : 'silence';
  return effect === 'ask' && !asks ? 'deny' : effect;
}

/** What the hook process prints, and its exit code. */
export interface HookOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: 0 | 2;
  /**
   * Only with exit code 0, if standard output denies the call: the message that denies it where standard output may not arrive
   * complete and without other text.
   */
  readonly denies?: string;
}

/** The basis of a statement about a runner: seen in the real runner by `npm run e2e`, recorded from one, or only read. */
export type Evidence = 'e2e' | 'recorded' | 'documentation';

/** The scope of a hook: all projects of a person, one project, or everybody on the machine. */
export const HOOK_SCOPES = ['user', 'project', 'managed'] as const;
export type HookScope = (typeof HOOK_SCOPES)[number];

/** A file in which the runner looks for hooks. */
export interface HookFile {
  /** Relative to the home directory or the project; absolute for `managed`. */
  readonly path: string;
  /**
   * `strict-json`: a comment or a trailing comma makes the runner ignore the whole file; `json`: it tolerates comments, and
   * either tolerates a trailing comma or does not start with one; `plugin`: a file that contains nothing but the hook.
   */
  readonly form: 'strict-json' | 'json' | 'toml' | 'plugin';
  /** A variable that names a folder to use in place of the first part of `path`. */
  readonly folderVariable?: string;
  /** What a person has to do before the runner uses the hook, as a sentence. */
  readonly needs?: string;
}

/** A setting that makes the runner stop using hooks without a message. */
export interface HookSwitch {
  readonly scope: HookScope;
  /** As in HookFile. */
  readonly path: string;
  readonly format: 'json' | 'toml';
  /** Names from the outermost inwards; `*` in TOML matches any name. */
  readonly key: readonly string[];
  /** The value that switches hooks off; if a string, a list that contains it does. */
  readonly off: boolean | string;
  /** Any value other than a boolean switches hooks off, too; for settings that take a boolean. */
  readonly orOther?: true;
}

/** Whether this value switches hooks off. @param value undefined: not set */
export function switchesOff({ off, orOther }: Pick<HookSwitch, 'off' | 'orOther'>, value: unknown): boolean {
  if (typeof off === 'string') return Array.isArray(value) && value.includes(off);
  return value === off || (orOther === true && value !== undefined && typeof value !== 'boolean');
}

/** A file from which a runner reads variables: JSON settings with `env`, or lines of the form `NAME=value`. */
export interface VariableFile {
  readonly scope: 'user' | 'project';
  /** As in HookFile. */
  readonly path: string;
  /** If the project has no such file, the nearest one above it is used. */
  readonly isNearest?: boolean;
}

/** Variables that keep a runner from starting any hook when they are on. */
export interface HookVariables {
  readonly off: readonly string[];
  /** The value from the environment takes precedence over that from a file. */
  readonly environmentWins: boolean;
  /** Hooks of managed settings still run. */
  readonly sparesManaged: boolean;
  readonly files: readonly VariableFile[];
}

/** True if runners take this value for on (read in Claude Code 2.1.330 and Qwen Code 0.24.4). */
export function meansOn(value: unknown): boolean {
  return /^(?:1|true|yes|on)$/i.test(String(value ?? '').trim());
}

/** A setting that switches the runner's own sandbox on or off. */
export interface SandboxSetting {
  readonly scope: HookScope;
  /** As in HookFile. */
  readonly path: string;
  readonly format: 'json' | 'toml';
  readonly key: readonly string[];
  /** The values that make commands run in a sandbox; every other value switches it off. */
  readonly on: readonly (boolean | string)[];
  /** In this file, only switching the sandbox off has an effect: the runner reads the file only if the person trusted the project. */
  readonly onlyOff?: true;
  /**
   * Programs without which, on this platform, the runner runs commands outside of any sandbox, unless the setting `unless` makes
   * it refuse to start.
   */
  readonly needs?: {
    readonly platform: NodeJS.Platform;
    readonly programs: readonly string[];
    readonly unless: readonly string[];
  };
}

/** One setting to write: names from the outermost inwards. A list value is added to the list that is there. */
export interface WrittenSetting {
  readonly key: readonly string[];
  readonly value: boolean | string | readonly string[];
}

/** The operating system's sandbox around commands, as `policy install RUNNER --sandbox` configures it. */
export interface OwnSandbox {
  /** The file to write for each scope that has one; absent: the file that the hook is written to. */
  readonly files?: Readonly<Partial<Record<HookScope, HookFile>>>;
  /**
   * The settings to write; the first one switches the sandbox on.
   * @param secrets files and folders that nothing in the sandbox may read, relative to the home directory (`~/.ssh`)
   */
  settings(secrets: readonly string[]): readonly WrittenSetting[];
  /** The drawbacks, as sentences for a person. */
  readonly costs: string;
}

/** Variables that switch the runner's own sandbox off, or open it, whatever its settings say. */
export interface SandboxVariables {
  /** Prefixes of their names. */
  readonly prefixes: readonly string[];
  /** The variable that selects the sandbox. */
  readonly switch: string;
  /** Values of that variable with which a sandbox is used. */
  readonly on: readonly string[];
  /** The files that the runner reads variables from, besides its environment. */
  readonly files: readonly VariableFile[];
}

/** A runner version that obeys hooks less than we rely on. */
export interface WeakVersion {
  /** The first version without the weakness. */
  readonly below: string;
  /** The weakness, as the end of a sentence. */
  readonly lacks: string;
  /** The version starts no hook at all, so no policy is enforced. */
  readonly runsNoHook: boolean;
}

/** A tool call in the runner's own names. */
export interface SampleCall {
  readonly tool: string;
  readonly input: Fields;
}

export interface SampleTools {
  /** The shell tool; its field `command` contains the command line. */
  readonly shell: string;
  /** The tool that starts an agent, and the field that names the agent. */
  readonly agent: readonly [tool: string, field: string];
  /** What a payload contains besides the call when this agent makes it; absent if payloads do not name the agent. */
  readonly caller?: (agent: string) => Fields;
}

export interface Runner {
  readonly id: RunnerId;
  /** Whether its hook can make it skip its own question; `asks`: whether its hook can make it ask one. */
  readonly grants?: boolean;
  readonly asks?: boolean;
  /** The files that `policy install` writes the hook to; null for a scope without a known file. */
  readonly places: Readonly<Record<HookScope, HookFile | null>>;
  /** Settings that may switch hooks off; for Claude Code the audit knows more of them (src/audit/claude-code/settings.ts). */
  readonly switches?: readonly HookSwitch[];
  /** Settings in the files of `switches` that have to be maps: with any other value the runner starts no hook. */
  readonly hookMaps?: readonly string[];
  /** Variables that switch hooks off. */
  readonly hookVariables?: HookVariables;
  /** Settings of its own sandbox, in order of precedence, the highest first. */
  readonly sandboxes?: readonly SandboxSetting[];
  readonly sandboxVariables?: SandboxVariables;
  /** How to switch the sandbox on; if a string, why `policy install` does not, as a sentence. */
  readonly sandbox: OwnSandbox | string;
  /** Versions with known weaknesses, the worst first. */
  readonly weakVersions?: readonly WeakVersion[];
  /** Names of all events for which its settings may register hooks; absent if not known. */
  readonly hookEvents?: readonly string[];
  /** The version of the runner, and the basis of what is known about payloads and answers. */
  readonly evidence: { readonly version: string; readonly payloads: Evidence; readonly answers: Evidence };
  /** The shell of its own shell tool on Linux and macOS, if no setting of the runner can change it; absent: any shell. */
  readonly shell?: Shell;
  /** The definition formats that it reads besides its own; absent: it is not known to read only its own, so all formats are considered. */
  readonly dialects?: readonly Dialect[];
  /** What the hook cannot enforce with this runner, each a sentence for its documentation. */
  readonly limits: readonly string[];
  /**
   * Reads a payload that was parsed from JSON; never throws. Nothing in the payload is trusted.
   * @param shell the shell that the runner's own shell tool uses, if the user stated it
   */
  parse(payload: unknown, shell: Shell): HookEvent;
  /** The runner's tool names for the calls that test an installed hook. */
  readonly sampleTools: SampleTools;
  /** Returns the payload before a call as this runner writes it: for `policy doctor` and `policy audit`, which test the installed line. */
  samplePayload(call: SampleCall, cwd: string, session: string): Fields;
  /** Returns the call that the runner really makes, if it is a different one: Codex itself applies a patch in a shell line. */
  asRun?(call: ToolCall): ToolCall;
  /** Returns the answer to a `before-call` event in the runner's own protocol. */
  answer(answer: HookAnswer): HookOutput;
  /** Returns a denial of a skill that a person typed; absent if no such event is known. */
  refuseTyped?(message: string): HookOutput;
  /**
   * Returns the same denial for standard output, with exit code 0: for cases in which standard error is lost and this runner
   * would take a denial without a message for consent. Absent if the runner was seen to obey the exit code alone.
   */
  stdoutDenial?(message: string): string;
  /** Returns the project file that installs `command` as the hook of every tool call, and its contents if it does not exist yet. */
  settings(command: string): { readonly file: string; readonly text: string };
}

/**
 * Returns the shell that reads this runner's command lines: the one the user stated, or else the runner's own, except on Windows,
 * where runners use other shells.
 */
export function shellOf({ shell }: Pick<Runner, 'shell'>, told: Shell, onWindows: boolean): Shell {
  return told === 'union' && !onWindows ? (shell ?? told) : told;
}

/**
 * Returns a denial that every runner obeys: exit code 2, one line on standard error, nothing on standard output. No runner was
 * seen to run a call after it, and no other form was obeyed by all runners.
 */
export function denial(message: string): HookOutput {
  return { stdout: '', stderr: `${message}\n`, exitCode: 2 };
}

/**
 * Returns a denial on standard output only, for a runner that was seen to obey it and that takes exit code 2 for a failure of the hook. Use
 * it only for a runner that also blocks the call if exit code 2 follows (`npm run e2e`): the hook may be killed in between.
 */
export function spokenDenial(stdout: string, message: string): HookOutput {
  return { stdout, stderr: '', exitCode: 0, denies: message };
}

/** Returns the same answer, with an exit code that makes a denial hold even if standard output is lost. */
export function byExitCode({ denies, ...output }: HookOutput): HookOutput {
  return denies === undefined ? output : { ...denial(denies), stdout: output.stdout };
}

/** Returns a denial in Claude Code's own JSON, which Codex and Qwen Code read as well (recorded with exit code 0). */
export function jsonDenial(message: string): string {
  return JSON.stringify({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: message },
  });
}

/** Returns a denial in the JSON of Gemini CLI: `reason` goes to the model, `systemMessage` is shown to the person. */
export function geminiDenial(message: string): string {
  return JSON.stringify({ decision: 'deny', reason: message, systemMessage: message });
}

/** Returns an answer for Copilot CLI, in a form for each of its two names for the event before a call. */
export function copilotVerdict(verdict: Effect, message: string): string {
  const said = { permissionDecision: verdict, permissionDecisionReason: message };
  return JSON.stringify({ ...said, hookSpecificOutput: { hookEventName: 'PreToolUse', ...said } });
}

/** No objection: the runner continues as it would without a hook. */
export const NO_OBJECTION: HookOutput = { stdout: '', stderr: '', exitCode: 0 };

export const NO_TRANSCRIPT = 'Its transcripts are not read, so token limits have no effect; limits on calls and time apply.';

/** Returns the answer for a runner whose hook can neither ask nor grant; `systemMessage` is shown to the person. */
export function yesOrNo({ effect, message, notice }: HookAnswer): HookOutput {
  if (effect !== 'allow') return denial(message);
  return notice === null ? NO_OBJECTION : { stdout: JSON.stringify({ systemMessage: notice }), stderr: '', exitCode: 0 };
}

/** Returns the text of a JSON settings file. */
export function jsonText(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}
