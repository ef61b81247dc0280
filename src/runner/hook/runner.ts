/** What a runner's file tells all others: how its hook payloads are read and how an answer is given to it. */
import type { Dialect } from '../../agent/agent.js';
import type { RunnerId, Shell, ToolCall } from '../../call/tool-call.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import type { AgentMessage, StartedAgent } from './agent-event.js';
import type { Fields } from './payload.js';
import type { Transcript } from './transcript.js';

/** What payloads say beside the call itself; null for what the runner does not say. */
export interface HookContext {
  readonly session: string | null;
  /** Joins the result of a call to its decision. */
  readonly toolUseId: string | null;
  readonly model: string | null;
  /** The runner's own permission mode or sandbox. */
  readonly permissionMode: string | null;
  /** The runner's id of the subagent that calls; absent where it has none. */
  readonly agentId?: string | null;
  /**
   * The session that the running agents are recorded under, when that is not `session`: null for a runner whose subagents have
   * sessions of their own, so that all of a project count together.
   */
  readonly family?: null;
  /** The folder that the session works in, where the runner says it beside that of the call. */
  readonly workspace?: string | null;
  /** Where the runner writes how many tokens were used; absent where that is not known. */
  readonly transcript?: Transcript | null;
}

/** A session, and the folder that it works in. */
export interface SessionBegin {
  readonly session: string;
  /** Absolute. */
  readonly cwd: string;
}

/** A hook payload, read. */
export type HookEvent =
  /** `call.headless` is true where the runner's hook cannot make it ask: then a question becomes a denial. */
  | ({
      readonly kind: 'before-call';
      readonly call: ToolCall;
      /** A person did what counts as an answer to a question about it. */
      readonly answered?: boolean;
    } & HookContext)
  | ({
      readonly kind: 'after-call';
      readonly call: ToolCall;
      readonly result: 'success' | 'error';
      readonly message: string | null;
      readonly microseconds: number | null;
      /** What the result says of an agent, should the call have started one. */
      readonly started?: StartedAgent;
    } & HookContext)
  /** A person typed the name of a skill: `call` is the call that a model would make for the same. The runner runs no other hook for it. */
  | ({ readonly kind: 'typed-skill'; readonly call: ToolCall } & HookContext)
  /** An event of the runner that is not about a tool call; `agents`: what it says about subagents; `begins`: the session that it begins. */
  | {
      readonly kind: 'other';
      readonly name: string;
      readonly agents?: AgentMessage | null;
      readonly begins?: SessionBegin | null;
    }
  /** Not a payload of this runner; `why` completes the sentence "the payload …". */
  | { readonly kind: 'unreadable'; readonly why: string };

/** What the engine tells a runner about one call. All texts are escaped, single lines. */
export interface HookAnswer {
  /** In observe mode always `allow`. */
  readonly effect: Effect;
  /** Only with `allow`: the policy says so explicitly, so the runner need not ask again. */
  readonly grant: boolean;
  /** Why, for the agent and the person: with the decision id and the remedy. */
  readonly message: string;
  /** Something that the person has to see whatever was decided, such as observe mode. */
  readonly notice: string | null;
}

/** What a runner hears of a call that it is about to make; silence leaves the call to its own permissions. */
export type HookVerdict = Effect | 'silence';

/** The part of an answer that a runner's protocol can say: a question that it cannot ask is a denial. */
export function hookVerdict(
  { grants = false, asks = false }: Pick<Runner, 'grants' | 'asks'>,
  { effect, grant }: Pick<HookAnswer, 'effect' | 'grant'>,
): HookVerdict {
  if (effect === 'allow') return grant && grants ? 'allow' : 'silence';
  return effect === 'ask' && !asks ? 'deny' : effect;
}

/** What the hook process does at the end. */
export interface HookOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: 0 | 2;
  /** Only beside exit code 0: standard output denies the call. These words deny it where that may not arrive, alone and whole. */
  readonly denies?: string;
}

/** What a statement about a runner rests on: `npm run e2e` sees it in the real client, it was recorded from one, or only read of. */
export type Evidence = 'e2e' | 'recorded' | 'documentation';

/** How far a hook reaches: all projects of a person, one project, or everybody on the machine. */
export const HOOK_SCOPES = ['user', 'project', 'managed'] as const;
export type HookScope = (typeof HOOK_SCOPES)[number];

/** A file in which the runner looks for hooks. */
export interface HookFile {
  /** Relative to the home folder or the project; absolute for `managed`. */
  readonly path: string;
  /**
   * `strict-json`: a comment or a spare comma makes the runner ignore all of it; `json`: it reads over comments, and over a spare
   * comma or does not start with one; `plugin`: a file that holds nothing but the hook.
   */
  readonly form: 'strict-json' | 'json' | 'toml' | 'plugin';
  /** A variable that names another folder in place of the first part of `path`. */
  readonly folderVariable?: string;
  /** What a person has to do before the runner uses the hook, as a sentence. */
  readonly needs?: string;
}

/** A setting with which the runner stops using hooks, without a word. */
export interface HookSwitch {
  readonly scope: HookScope;
  /** As in HookFile. */
  readonly path: string;
  readonly format: 'json' | 'toml';
  /** Names from the outermost inwards; `*` in TOML: any name. */
  readonly key: readonly string[];
  /** The value that switches hooks off; a text: a list that holds it. */
  readonly off: boolean | string;
  /** So does any value that is no boolean, for one that takes such. */
  readonly orOther?: true;
}

/** @param value undefined: it is not set */
export function switchesOff({ off, orOther }: Pick<HookSwitch, 'off' | 'orOther'>, value: unknown): boolean {
  if (typeof off === 'string') return Array.isArray(value) && value.includes(off);
  return value === off || (orOther === true && value !== undefined && typeof value !== 'boolean');
}

/** A file from which a runner takes variables: settings in JSON with `env`, or lines `NAME=value`. */
export interface VariableFile {
  readonly scope: 'user' | 'project';
  /** As in HookFile. */
  readonly path: string;
  /** Where the project has none, the nearest one above it counts. */
  readonly isNearest?: boolean;
}

/** Variables with which a runner starts no hook when they are on. */
export interface HookVariables {
  readonly off: readonly string[];
  /** What its environment says counts, not what a file says. */
  readonly environmentWins: boolean;
  /** Hooks of managed settings run all the same. */
  readonly sparesManaged: boolean;
  readonly files: readonly VariableFile[];
}

/** What clients take for on (read in Claude Code 2.1.330 and Qwen Code 0.24.4). */
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
  /** The values with which commands run in a sandbox; every other one switches it off. */
  readonly on: readonly (boolean | string)[];
  /** A file in which only switching it off counts: the runner reads it only where the person trusted the project. */
  readonly onlyOff?: true;
  /**
   * Programs without which it runs commands outside of any sandbox, on a platform; unless a setting makes it refuse to start then.
   */
  readonly needs?: {
    readonly platform: NodeJS.Platform;
    readonly programs: readonly string[];
    readonly unless: readonly string[];
  };
}

/** One setting as it is written: names from the outermost inwards. A list is added to, whatever else is in it. */
export interface WrittenSetting {
  readonly key: readonly string[];
  readonly value: boolean | string | readonly string[];
}

/** The sandbox that the operating system puts around commands: what `policy install RUNNER --sandbox` writes. */
export interface OwnSandbox {
  /** The file of each scope that has one; absent: the one that the hook goes into. */
  readonly files?: Readonly<Partial<Record<HookScope, HookFile>>>;
  /**
   * The one that switches it on first.
   * @param secrets files and folders that nothing in the sandbox may read, from the home on (`~/.ssh`)
   */
  settings(secrets: readonly string[]): readonly WrittenSetting[];
  /** What it costs, as sentences for a person. */
  readonly costs: string;
}

/** Variables that switch the runner's own sandbox off, or open it, whatever its settings say. */
export interface SandboxVariables {
  /** How their names begin. */
  readonly prefixes: readonly string[];
  /** The one that says which sandbox is meant. */
  readonly switch: string;
  /** Values of the switch with which there is one. */
  readonly on: readonly string[];
  /** Where it takes variables from, beside its environment. */
  readonly files: readonly VariableFile[];
}

/** A version that obeys hooks less than we rely on. */
export interface WeakVersion {
  /** The first version without this weakness. */
  readonly below: string;
  /** What it does, as the end of a sentence. */
  readonly lacks: string;
  /** It starts no hook at all, so that nothing of a policy holds. */
  readonly runsNoHook: boolean;
}

/** A tool call in the runner's own names. */
export interface SampleCall {
  readonly tool: string;
  readonly input: Fields;
}

export interface SampleTools {
  /** The shell tool; the field `command` holds the line. */
  readonly shell: string;
  /** The tool that starts an agent, and the field that names the agent. */
  readonly agent: readonly [tool: string, field: string];
  /** What a payload holds beside the call when this agent makes it; absent where payloads do not name the agent. */
  readonly caller?: (agent: string) => Fields;
}

export interface Runner {
  readonly id: RunnerId;
  /** Whether its hook can make it skip its own question, and whether it can make it ask one. */
  readonly grants?: boolean;
  readonly asks?: boolean;
  /** Where `policy install` puts the hook; null where no place is known. */
  readonly places: Readonly<Record<HookScope, HookFile | null>>;
  /** Where hooks may be switched off; of Claude Code the audit knows more (src/audit/claude-code/settings.ts). */
  readonly switches?: readonly HookSwitch[];
  /** Of the settings in the files of `switches`: with anything but a map as one of these it runs no hook. */
  readonly hookMaps?: readonly string[];
  /** Variables that switch hooks off. */
  readonly hookVariables?: HookVariables;
  /** Settings of its own sandbox, the one that counts most first. */
  readonly sandboxes?: readonly SandboxSetting[];
  readonly sandboxVariables?: SandboxVariables;
  /** What switches it on; a text: why `policy install` does not, as a sentence. */
  readonly sandbox: OwnSandbox | string;
  /** Versions that are known to be weak, the worst first. */
  readonly weakVersions?: readonly WeakVersion[];
  /** Names of all events that its settings may register hooks for; absent where they are not known. */
  readonly hookEvents?: readonly string[];
  /** Version of the client, and what payloads and answers rest on. */
  readonly evidence: { readonly version: string; readonly payloads: Evidence; readonly answers: Evidence };
  /** The shell of its own shell tool on Linux and macOS, where none of its settings makes it another one; absent: any shell. */
  readonly shell?: Shell;
  /** The formats of definitions that it reads beside its own; absent: it is not known to keep to its own, so all count. */
  readonly dialects?: readonly Dialect[];
  /** What the hook cannot enforce with this runner, each a sentence for its documentation. */
  readonly limits: readonly string[];
  /**
   * Reads a payload, parsed from JSON; never throws. Nothing in it is trusted.
   * @param shell the shell that the runner's own shell tool uses, as far as the user told
   */
  parse(payload: unknown, shell: Shell): HookEvent;
  /** Its names for the calls that are tried on an installed hook. */
  readonly sampleTools: SampleTools;
  /** The payload of a call before it is made, as this client writes it: for `policy doctor` and `policy audit`, which try the installed line. */
  samplePayload(call: SampleCall, cwd: string, session: string): Fields;
  /** The call that this client makes of one, where that is another: Codex applies a patch in a shell line by itself. */
  asRun?(call: ToolCall): ToolCall;
  /** The answer to a `before-call` event in the runner's own protocol. */
  answer(answer: HookAnswer): HookOutput;
  /** A denial of a skill that a person typed; absent where no such event is known. */
  refuseTyped?(message: string): HookOutput;
  /**
   * The same denial on standard output, for exit code 0: where standard error leads nowhere, and this client would take a denial
   * without a word for consent. Absent where the exit code alone was seen to be obeyed.
   */
  stdoutDenial?(message: string): string;
  /** The file of the project that installs `command` as the hook of every tool call, and its text when there is none yet. */
  settings(command: string): { readonly file: string; readonly text: string };
}

/** The shell that reads a line of this runner: as somebody told, or the runner's own; on Windows these use other ones. */
export function shellOf({ shell }: Pick<Runner, 'shell'>, told: Shell, onWindows: boolean): Shell {
  return told === 'union' && !onWindows ? (shell ?? told) : told;
}

/**
 * A denial that every runner obeys: exit code 2, one line on standard error, nothing on standard output.
 * No runner was seen to run a call after it, and no other form was obeyed by all of them.
 */
export function denial(message: string): HookOutput {
  return { stdout: '', stderr: `${message}\n`, exitCode: 2 };
}

/**
 * A denial by standard output alone, for a client that was seen to obey it, and that takes exit code 2 for a failure of the hook. Only
 * for one that blocks the call, too, when exit code 2 comes after it (`npm run e2e`): the hook may be ended in between.
 */
export function spokenDenial(stdout: string, message: string): HookOutput {
  return { stdout, stderr: '', exitCode: 0, denies: message };
}

/** The same answer, but that a denial is one whatever becomes of standard output. */
export function byExitCode({ denies, ...output }: HookOutput): HookOutput {
  return denies === undefined ? output : { ...denial(denies), stdout: output.stdout };
}

/** A denial in Claude Code's own JSON, which Codex and Qwen Code read alike (recorded with exit code 0). */
export function jsonDenial(message: string): string {
  return JSON.stringify({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: message },
  });
}

/** A denial in the JSON of Gemini CLI: `reason` goes to the model, `systemMessage` is shown to the person. */
export function geminiDenial(message: string): string {
  return JSON.stringify({ decision: 'deny', reason: message, systemMessage: message });
}

/** An answer of Copilot CLI, for each of the two names that it has for the event before a call. */
export function copilotVerdict(verdict: Effect, message: string): string {
  const said = { permissionDecision: verdict, permissionDecisionReason: message };
  return JSON.stringify({ ...said, hookSpecificOutput: { hookEventName: 'PreToolUse', ...said } });
}

/** No objection: the runner goes on as it would without a hook. */
export const NO_OBJECTION: HookOutput = { stdout: '', stderr: '', exitCode: 0 };

export const NO_TRANSCRIPT = 'No transcript of it is read, so limits on tokens count nothing; limits on calls and time hold.';

/** The answer of a runner whose hook can neither ask nor grant; `systemMessage` is shown to the person. */
export function yesOrNo({ effect, message, notice }: HookAnswer): HookOutput {
  if (effect !== 'allow') return denial(message);
  return notice === null ? NO_OBJECTION : { stdout: JSON.stringify({ systemMessage: notice }), stderr: '', exitCode: 0 };
}

/** Settings that are JSON. */
export function jsonText(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}
