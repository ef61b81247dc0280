/**
 * How `policy run` starts a runner without a person: the request, and the command line that results from it. Pure: the help text
 * of the installed runner is passed in because different versions know different flags.
 */
import type { RunnerId } from '../../call/tool-call.js';
import type { InstructionFiles } from './instruction-files.js';
import { LaunchRefused } from './launch-refused.js';
import { type PassedOn, refuseOtherWords } from './passed-on.js';

/** What the main agent may do: only read; also change files and run commands; or also work without the runner's own sandbox. */
export type Reach = 'read' | 'write' | 'full';

/** The requested run; the policy decides its calls in any case. */
export interface LaunchRequest {
  readonly reach: Reach;
  /** Null: the runner's default model. */
  readonly model: string | null;
  /** Null: a person works with the runner in this terminal. */
  readonly goal: string | null;
  /** The definition that the main agent follows; null: none. */
  readonly agent: LaunchedAgent | null;
  /** The settings file that contains our hook, for a runner that accepts one for a single session; null: the hook is installed. */
  readonly settings: string | null;
  /** The servers in the files of Launcher.serverPlaces; null or absent: no such file exists. */
  readonly projectServers?: ProjectServers | null;
  /** True if settings or variables tell the runner to run in a sandbox of its own. */
  readonly isSandboxed?: boolean;
  /**
   * The runner is to ignore the project's own files: this is the folder where it works and all folders above it. Null or absent:
   * it reads them.
   */
  readonly withoutProject?: readonly string[] | null;
  /** The environment variables that the runner is started with. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The person's own arguments for the runner, unchanged (Launcher.passedOn). */
  readonly extra: readonly string[];
}

export interface LaunchedAgent {
  readonly name: string;
  /** The instructions in the definition, for the model. */
  readonly instructions: string;
  /** True if the runner finds the definition on its own. */
  readonly isOwn: boolean;
  /** The tools that the definition lists, under the names it uses; null: it lists none. */
  readonly tools: readonly string[] | null;
}

/** Project files that name MCP servers which the runner may start, without asking if it has a goal. */
export interface ServerPlaces {
  /**
   * Relative to the folder where the runner works and, depending on `up`, to the folders above it: up to the repository's, or all of them.
   */
  readonly files: readonly string[];
  readonly up: 'nowhere' | 'repository' | 'root';
  readonly format: 'json' | 'toml';
  /** The key that contains the servers by name. */
  readonly key: string;
  /** Those of these files, below the home directory, that are the person's own. */
  readonly own: readonly string[];
  /**
   * Folders of agent definitions whose servers the runner starts with the agent, also with a subagent: relative to the same
   * folders as the files. Those below the home directory are the person's own.
   */
  readonly agents?: readonly string[];
}

export interface ProjectServer {
  readonly name: string;
  readonly file: string;
  /** True if the server is reached by a URL, so that no program is started. */
  readonly isRemote: boolean;
  /** Line in the file, from 1; absent if not known. */
  readonly line?: number;
  /** What each entry with that name starts; absent: not known. */
  readonly starts?: readonly ServerStart[];
  /** A person of this machine put it behind our gateway (`policy mcp install`), and the entry is the one that was written then. */
  readonly isGoverned?: true;
}

/** How a runner starts a server's program. */
export interface ServerStart {
  /** The program, with its arguments if they are in the same list; empty: none is named, or it is no string. */
  readonly program: readonly string[];
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** The folder that the program starts in, as written in the file; null: the runner's own. */
  readonly folder: string | null;
}

export interface ProjectServers {
  /** The nearest file first; never empty. */
  readonly files: readonly [string, ...string[]];
  readonly servers: readonly ProjectServer[];
  /** Names of servers from the person's own files. */
  readonly own: readonly string[];
  /** Why not all names are known, as the rest of a sentence that begins with the file; null: all are known. */
  readonly unread: string | null;
}

/** How a runner is started so that it ignores the project's own files. */
export interface CleanRoom {
  /** The first version that this was tried with. */
  readonly since: string;
  /** Flags that the help of such a version lists. */
  readonly flags: readonly string[];
  /** The runner may still read settings, plugins and tools of the project, so those are judged. */
  readonly isPartial?: true;
  /** Not at a terminal. */
  readonly needsGoal?: true;
  /** Only as long as no person trusts the folder; its definitions and skills count all the same. */
  readonly untrusted?: true;
  /** With a goal it can be told the project's lists of servers, if every server in them is behind our gateway. */
  readonly takesServers?: true;
  /** What the runner then ignores: its name for a person, and its paths relative to each folder of the project that the runner looks at. */
  readonly leavesOut: readonly LeftOut[];
}

export interface LeftOut {
  readonly called: string;
  readonly paths: readonly string[];
  /** Only files that match this. */
  readonly holds?: RegExp;
}

export interface LaunchPlan {
  /** The arguments after the program. */
  readonly arguments: readonly string[];
  /** Variables to set besides those that `policy run` itself sets. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the runner version does not know and what was done instead, one sentence each: `skipped …`, `substituted …`. */
  readonly notes: readonly string[];
  /**
   * Possible paths of files that the runner reads on its own because the prompt mentions them (see mentions.ts); null: too many
   * to determine.
   */
  readonly mentions: readonly string[] | null;
}

export interface Launcher {
  readonly id: RunnerId;
  /** The command that a person types to start it. */
  readonly program: string;
  /** The arguments that make it print its flags. */
  readonly help: readonly string[];
  /** Variables of a person's environment that the runner reads, such as the key of its model; a star stands for any end. */
  readonly variables: readonly string[];
  /** A flag that a run needs and that some versions do not name in their help: the sentence about that, and what follows from it. */
  readonly needed?: { readonly flag: string; readonly missing: string; readonly effect: string };
  /** The flags that a person may add to its command line. */
  readonly passedOn: PassedOn;
  /** The same as `help`, if the runner takes other flags when a person works with it. */
  readonly personHelp?: readonly string[];
  /**
   * True if it accepts settings for one session, our hook among them (see LaunchRequest.settings), and no other settings switch
   * that hook off.
   */
  readonly takesSettings: boolean;
  /**
   * Returns the contents of that settings file. Absent if takesSettings is false.
   * @param command runs the hook
   * @param servers as in LaunchRequest; null also if a person works with the runner
   * @param version of the runner; null: not known
   */
  readonly settings?: (command: string, servers: ProjectServers | null, version: string | null) => string;
  /** These settings replace the administrator's: if there are any, the hook has to be installed instead. */
  readonly replacesManaged?: true;
  /** Variables that it is always started with, so that no project file switches hooks off. */
  readonly keepsHooks?: Readonly<Record<string, string>>;
  /** Absent: it always reads the project's own files, so these are judged beforehand. */
  readonly cleanRoom?: CleanRoom;
  /** Absent: with a goal it starts no MCP server of a project that no person approved. */
  readonly serverPlaces?: ServerPlaces;
  /** The files that it sends to the model on its own when it starts. */
  readonly instructions: InstructionFiles;
  /** An agent's definition may contain a prompt of its own, `initialPrompt`, that comes before the goal. */
  readonly takesInitialPrompt?: true;
  /** It carries out a goal such as `/config` itself, without asking a hook. Absent also if the plan refuses such goals. */
  readonly hasOwnCommands?: true;
  /** True if a person can work with it in the terminal, under the same settings. */
  readonly isInteractive: boolean;
  /** Call planOf instead. Throws LaunchRefused. @param knows what the runner's help lists */
  readonly plan: (request: LaunchRequest, knows: KnownFlags) => LaunchPlan;
}

/** Returns the command line of a run. Throws LaunchRefused. @param knows what the runner's help lists */
export function planOf(launcher: Launcher, request: LaunchRequest, knows: KnownFlags): LaunchPlan {
  refuseOtherWords(request.extra, launcher.passedOn, launcher.program);
  return launcher.plan(request, knows);
}

/** The flags and commands that a help text lists. */
export interface KnownFlags {
  /** @param flag `--sandbox` or `-s` */
  has(flag: string): boolean;
  /** True if the description of that flag contains the value. */
  takes(flag: string, value: string): boolean;
  /** True if it lists a command of that name. @param command as it is typed after the program */
  hasCommand(command: string): boolean;
}

/**
 * One flag as help texts write it, with the placeholder for its value: `--model <MODEL>`, `--resume [id]`, `--[no-]color`, `--file=PATH`.
 */
const ONE_FLAG = String.raw`(--?(?:\[no-\])?[A-Za-z][\w-]*)(?:[ =]?(?:<[^>]*>|\[[^\]]*\]|[A-Z][A-Z0-9_-]*)(?:\.\.\.)?)*`;
/**
 * A line that defines flags: close to the margin, only flags, then the end of the line or a gap before the description. Prose
 * that mentions a flag, even at the beginning of a wrapped line, therefore does not match.
 */
const DEFINITION = new RegExp(String.raw`^ {0,8}(${ONE_FLAG}(?:(?:, | \| | / )${ONE_FLAG})*)(?: {2,}|\t|$)`);
const FLAGS = new RegExp(ONE_FLAG, 'g');
/** A line that lists a command, with or without the program's name: `  gemini hooks <command>  Manage hooks`. */
const COMMAND = /^ {2,8}(?:[a-z]+ )?([a-z][\w-]*)(?: [<[][^>\]]*[>\]])?(?: {2,}|$)/;
/** Maximum number of characters of a line that the expressions see, so that their input is bounded. */
const LONGEST_LINE = 400;

/** Returns the flags that a help text lists. @param text as the runner printed it, without colors */
export function knownFlags(text: string): KnownFlags {
  const about = new Map<string, string>();
  let current: readonly string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const defined = DEFINITION.exec(line.slice(0, LONGEST_LINE))?.[1];
    if (defined !== undefined) current = [...defined.matchAll(FLAGS)].flatMap(([, flag = '']) => spellings(flag));
    for (const flag of current) about.set(flag, `${about.get(flag) ?? ''}${line}\n`);
  }
  return {
    has: (flag) => about.has(flag),
    takes: (flag, value) => (about.get(flag) ?? '').split(/[^\w-]+/).includes(value),
    hasCommand: (command) =>
      text.split(/\r?\n/).some((line) => (COMMAND.exec(line.slice(0, LONGEST_LINE))?.[1] ?? '') === command),
  };
}

/** `--[no-]color` → `--color`, `--no-color`. */
function spellings(flag: string): readonly string[] {
  return flag.includes('[no-]') ? [flag.replace('[no-]', ''), flag.replace('[no-]', 'no-')] : [flag];
}

/** Collects a command line, and notes what the runner does not know. */
export class CommandLine {
  readonly #words: string[] = [];
  readonly #notes: string[] = [];
  readonly #knows: KnownFlags;

  constructor(knows: KnownFlags, ...first: readonly string[]) {
    this.#knows = knows;
    this.#words.push(...first);
  }

  /** Adds words that every version of the runner accepts. */
  add(...words: readonly string[]): this {
    this.#words.push(...words);
    return this;
  }

  /** Adds a flag with its values if the runner knows it; otherwise a note. @param why what is lost, as the end of a sentence */
  flag(flag: string, values: readonly string[], why: string): this {
    if (this.#knows.has(flag)) return this.add(flag, ...values);
    return this.note(`skipped ${flag}: this version does not know it; ${why}`);
  }

  /** Adds a flag and its value as one word if the runner knows the flag; otherwise a note. */
  joined(flag: string, value: string, why: string): this {
    return this.#knows.has(flag) ? this.add(`${flag}=${value}`) : this.flag(flag, [], why);
  }

  /** Adds the first of these modes that the runner knows, with a note if it is not the first one. */
  mode(flag: string, [first, ...others]: readonly [string, ...string[]], why: string): this {
    const known = [first, ...others].find((mode) => this.#knows.takes(flag, mode));
    if (known === undefined || known === first) return this.flag(flag, [first], why);
    return this.add(flag, known).note(`substituted ${flag} ${known} for ${flag} ${first}, which this version does not know`);
  }

  /** Adds a flag with a name that somebody else chose. Throws LaunchRefused if the runner could take the name for a flag. */
  name(flag: string, name: string, why: string): this {
    if (!/^[^-\s\p{Cc}][^\p{Cc}]*$/u.test(name))
      throw new LaunchRefused(
        `${JSON.stringify(name)} cannot be passed with ${flag}: a name begins with no hyphen and is one line`,
      );
    return this.flag(flag, [name], why);
  }

  note(sentence: string): this {
    this.#notes.push(sentence);
    return this;
  }

  /** Returns the plan. @param behind the words that come last: the person's own, then the goal */
  plan(behind: readonly string[], environment: Readonly<Record<string, string>> = {}): LaunchPlan {
    return { arguments: [...this.#words, ...behind], environment, notes: [...this.#notes], mentions: [] };
  }
}

/**
 * Throws LaunchRefused for a prompt that the runner would take for a slash command: the file of such a command may run shell
 * commands, and a built-in command may change the runner's settings, hooks among them, both before any hook is asked. A path
 * (`/etc/hosts`) is no such command.
 * @param client the runner's name, for the person
 */
export function refuseSlashCommand(prompt: string, client: string): void {
  const [, name] = /^\s*\/(?![/*])\s*([^\s/]+)(?:\s|$)/.exec(prompt) ?? [];
  if (name !== undefined)
    throw new LaunchRefused(
      `${client} takes a goal that begins with /${name} for a slash command, and carries it out without asking the hook, commands of the shell in its file included; say in words what is to be done, or begin the goal with another word`,
    );
}

/** Returns the goal, preceded by the agent's instructions: for a runner that cannot be given the definition in any other way. */
export function promptOf({ goal, agent }: Pick<LaunchRequest, 'goal' | 'agent'>): string {
  const instructions = agent?.instructions.trim() ?? '';
  return instructions === '' ? (goal ?? '') : `${instructions}\n\n${goal ?? ''}`;
}

/** Returns runner settings that contain our hook and keep hooks on whatever other settings are. @param more further settings */
export function withHooksOn(text: string, more: Readonly<Record<string, unknown>> = {}): string {
  return `${JSON.stringify({ ...(JSON.parse(text) as object), disableAllHooks: false, ...more }, null, 2)}\n`;
}

/** @param client the runner's name, for the person */
export function sandboxNote(client: string): string {
  return `skipped the sandbox of ${client}: in a container it starts without the hook, so that nobody would judge its calls; to have both, start policy run in a container`;
}

/** The note about the agent's instructions if a person works with a runner that takes such instructions only with a goal. */
export const UNTOLD =
  'skipped the instructions of the agent: this client takes them only with a goal; its calls are decided all the same';

/** Returns the goal as the value of `--prompt`, joined to it by `=` so that the goal is never taken for a flag. */
export function promptWord(
  request: Pick<LaunchRequest, 'goal' | 'agent' | 'extra'>,
  prompt = promptOf(request),
): readonly string[] {
  return request.goal === null ? request.extra : [...request.extra, `--prompt=${prompt}`];
}

/** Returns the goal as the last word, after `--` so that the goal is never taken for a flag. */
export function lastWord({ goal, extra }: Pick<LaunchRequest, 'goal' | 'extra'>, prompt = goal ?? ''): readonly string[] {
  return goal === null ? extra : [...extra, '--', prompt];
}
