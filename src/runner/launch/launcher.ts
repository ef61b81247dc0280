/**
 * How `policy run` starts a runner without a person: what it asks of it, and the command line that comes of that. Pure: the help text
 * of the installed client comes in, since clients of different versions know different flags.
 */
import type { RunnerId } from '../../call/tool-call.js';
import type { InstructionFiles } from './instruction-files.js';
import { LaunchRefused } from './launch-refused.js';
import { type PassedOn, refuseOtherWords } from './passed-on.js';

/** How far the main agent may go: it reads, it also changes files and runs commands, or the runner's own sandbox is off as well. */
export type Reach = 'read' | 'write' | 'full';

/** What a run is to be; the policy decides its calls in any case. */
export interface LaunchRequest {
  readonly reach: Reach;
  /** Null: the runner's own choice. */
  readonly model: string | null;
  /** Null: a person works with the runner in this terminal. */
  readonly goal: string | null;
  /** The definition that the main agent keeps to; null: none. */
  readonly agent: LaunchedAgent | null;
  /** Settings that hold our hook, for a runner that takes some for one session; null: the hook is installed. */
  readonly settings: string | null;
  /** What the files of Launcher.serverPlaces name; null or absent: there is no such file. */
  readonly projectServers?: ProjectServers | null;
  /** Settings or variables say that the client is to run in a sandbox of its own. */
  readonly isSandboxed?: boolean;
  /** Nothing counts that the project's own files say: the folder where it works, and all above it; null or absent: that counts. */
  readonly withoutProject?: readonly string[] | null;
  /** The variables that the client is started with. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Words of the person for the runner, as they are (Launcher.passedOn). */
  readonly extra: readonly string[];
}

export interface LaunchedAgent {
  readonly name: string;
  /** What the definition tells the model. */
  readonly instructions: string;
  /** The runner finds the definition by itself. */
  readonly isOwn: boolean;
  /** The tools that the definition lists, in its own names; null: it lists none. */
  readonly tools: readonly string[] | null;
}

/** Files of a project that name MCP servers which the client may start: unasked when it works towards a goal. */
export interface ServerPlaces {
  /** Below the folder where it works and, as `up` says, below those above it: up to the repository's, or all. */
  readonly files: readonly string[];
  readonly up: 'nowhere' | 'repository' | 'root';
  readonly format: 'json' | 'toml';
  /** Holds the servers by their names. */
  readonly key: string;
  /** Which of these files below the home folder are the person's own. */
  readonly own: readonly string[];
  /**
   * Folders of definitions whose servers it starts with the agent, also with a subagent: below the same folders as the files. Those
   * below the home folder are the person's own.
   */
  readonly agents?: readonly string[];
}

export interface ProjectServer {
  readonly name: string;
  readonly file: string;
  /** It is reached by an address, and no program is started. */
  readonly isRemote: boolean;
  /** Where it stands in the file, if known: counts from 1. */
  readonly line?: number;
  /** What each entry of that name starts; absent: not known. */
  readonly starts?: readonly ServerStart[];
}

/** How a client starts the program of a server. */
export interface ServerStart {
  /** The program, with arguments where they stand in the same list; empty: none is named, or something that is no text. */
  readonly program: readonly string[];
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** The folder it starts in, as the file says it; null: the client's own. */
  readonly folder: string | null;
}

export interface ProjectServers {
  /** The nearest file first; not empty. */
  readonly files: readonly [string, ...string[]];
  readonly servers: readonly ProjectServer[];
  /** Servers of the person's own files. */
  readonly own: readonly string[];
  /** Why not all names are known, as the rest of a sentence behind the file. */
  readonly unread: string | null;
}

/** How a client is started so that nothing counts of what a project's own files say to it. */
export interface CleanRoom {
  /** The first version that this was tried with. */
  readonly since: string;
  /** What the help of such a version names. */
  readonly flags: readonly string[];
  /** Settings, plugins and tools of the project may be read all the same, so they are judged. */
  readonly isPartial?: true;
  /** Not at a terminal. */
  readonly needsGoal?: true;
  /** Only as long as no person trusts the folder; its definitions and skills count all the same. */
  readonly untrusted?: true;
  /** What does not count then, as a person calls it, and where it lies below each folder of the project that the client looks at. */
  readonly leavesOut: readonly LeftOut[];
}

export interface LeftOut {
  readonly called: string;
  readonly paths: readonly string[];
  /** Only a file that holds this. */
  readonly holds?: RegExp;
}

export interface LaunchPlan {
  /** Behind the program. */
  readonly arguments: readonly string[];
  /** Variables that are set beside those of `policy run` itself. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the client did not know and what became of it, a sentence each: `skipped …`, `substituted …`. */
  readonly notes: readonly string[];
  /** What may be files that the client reads by itself, since the prompt mentions them (see mentions.ts); null: too many to tell. */
  readonly mentions: readonly string[] | null;
}

export interface Launcher {
  readonly id: RunnerId;
  /** What a person types to start it. */
  readonly program: string;
  /** The words that make it print the flags it knows. */
  readonly help: readonly string[];
  /** What a person may add to its command line. */
  readonly passedOn: PassedOn;
  /** The same where a person works with it and other flags count. */
  readonly personHelp?: readonly string[];
  /** It takes settings, our hook among them, for one session (see LaunchRequest.settings), and no other settings switch that hook off. */
  readonly takesSettings: boolean;
  /**
   * What the file of these settings has to hold. Absent where takesSettings is false.
   * @param command what runs the hook
   * @param servers as in LaunchRequest; null also where a person works with it
   * @param version of the client; null: not known
   */
  readonly settings?: (command: string, servers: ProjectServers | null, version: string | null) => string;
  /** These settings stand in place of the administrator's: where there are such, the hook has to be installed instead. */
  readonly replacesManaged?: true;
  /** Variables that it is always started with, so that no file of the project switches hooks off. */
  readonly keepsHooks?: Readonly<Record<string, string>>;
  /** Absent: the project's own files always count, so what they say is judged beforehand. */
  readonly cleanRoom?: CleanRoom;
  /** Absent: with a goal it starts no MCP server of a project that no person approved. */
  readonly serverPlaces?: ServerPlaces;
  /** What it sends to the model by itself when it starts. */
  readonly instructions: InstructionFiles;
  /** An agent's definition may hold a prompt of its own that comes before the goal: `initialPrompt`. */
  readonly takesInitialPrompt?: true;
  /** A goal such as `/config` it does by itself, and asks no hook. Absent also where the plan refuses such goals. */
  readonly hasOwnCommands?: true;
  /** It has a mode in which a person works with it in the terminal, under the same settings. */
  readonly isInteractive: boolean;
  /** Use planOf. Throws LaunchRefused. @param knows what the client's help names */
  readonly plan: (request: LaunchRequest, knows: KnownFlags) => LaunchPlan;
}

/** The command line of a run. Throws LaunchRefused. @param knows what the client's help names */
export function planOf(launcher: Launcher, request: LaunchRequest, knows: KnownFlags): LaunchPlan {
  refuseOtherWords(request.extra, launcher.passedOn, launcher.program);
  return launcher.plan(request, knows);
}

/** The flags that a help text defines. */
export interface KnownFlags {
  /** @param flag `--sandbox` or `-s` */
  has(flag: string): boolean;
  /** True when the words about that flag name the value. */
  takes(flag: string, value: string): boolean;
  /** True when it lists a command of that name. @param command as it is typed behind the program */
  hasCommand(command: string): boolean;
}

/** One flag as help texts spell it, with what stands for its value: `--model <MODEL>`, `--resume [id]`, `--[no-]color`, `--file=PATH`. */
const ONE_FLAG = String.raw`(--?(?:\[no-\])?[A-Za-z][\w-]*)(?:[ =]?(?:<[^>]*>|\[[^\]]*\]|[A-Z][A-Z0-9_-]*)(?:\.\.\.)?)*`;
/**
 * A line that defines flags: not far from the margin, flags alone, then the end of the line or a gap before the description. So
 * prose that names a flag, even at the beginning of a wrapped line, defines none.
 */
const DEFINITION = new RegExp(String.raw`^ {0,8}(${ONE_FLAG}(?:(?:, | \| | / )${ONE_FLAG})*)(?: {2,}|\t|$)`);
const FLAGS = new RegExp(ONE_FLAG, 'g');
/** A line that lists a command, with or without the program before it: `  gemini hooks <command>  Manage hooks`. */
const COMMAND = /^ {2,8}(?:[a-z]+ )?([a-z][\w-]*)(?: [<[][^>\]]*[>\]])?(?: {2,}|$)/;
/** Longer lines are no definitions: the expressions see bounded input. */
const LONGEST_LINE = 400;

/** @param text what the client printed, without colours */
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

/** Collects a command line, and says what of it the client does not know. */
export class CommandLine {
  readonly #words: string[] = [];
  readonly #notes: string[] = [];
  readonly #knows: KnownFlags;

  constructor(knows: KnownFlags, ...first: readonly string[]) {
    this.#knows = knows;
    this.#words.push(...first);
  }

  /** Words that every version of the client takes. */
  add(...words: readonly string[]): this {
    this.#words.push(...words);
    return this;
  }

  /** A flag with its values, should the client know it; else a note. @param why what is lost, as the end of a sentence */
  flag(flag: string, values: readonly string[], why: string): this {
    if (this.#knows.has(flag)) return this.add(flag, ...values);
    return this.note(`skipped ${flag}: this version does not know it; ${why}`);
  }

  /** A flag and its value as one word, should the client know it; else a note. */
  joined(flag: string, value: string, why: string): this {
    return this.#knows.has(flag) ? this.add(`${flag}=${value}`) : this.flag(flag, [], why);
  }

  /** A mode: the first of these that the client knows, with a note when that is not the first one. */
  mode(flag: string, [first, ...others]: readonly [string, ...string[]], why: string): this {
    const known = [first, ...others].find((mode) => this.#knows.takes(flag, mode));
    if (known === undefined || known === first) return this.flag(flag, [first], why);
    return this.add(flag, known).note(`substituted ${flag} ${known} for ${flag} ${first}, which this version does not know`);
  }

  /** A flag with a name that somebody else chose. Throws LaunchRefused when the client could take the name for a flag. */
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

  /** @param behind words that come last: the person's own, then the goal */
  plan(behind: readonly string[], environment: Readonly<Record<string, string>> = {}): LaunchPlan {
    return { arguments: [...this.#words, ...behind], environment, notes: [...this.#notes], mentions: [] };
  }
}

/**
 * Throws LaunchRefused for a prompt that the client would take for a slash command: the file of one may run commands of the shell, and a
 * command of the client itself may change its settings, hooks among them, both before any hook is asked. A path (`/etc/hosts`) is no
 * such name.
 * @param client its name, for the person
 */
export function refuseSlashCommand(prompt: string, client: string): void {
  const [, name] = /^\s*\/(?![/*])\s*([^\s/]+)(?:\s|$)/.exec(prompt) ?? [];
  if (name !== undefined)
    throw new LaunchRefused(
      `${client} takes a goal that begins with /${name} for a slash command, and carries it out without asking the hook, commands of the shell in its file included; say in words what is to be done, or begin the goal with another word`,
    );
}

/** The goal with the agent's instructions before it, for a runner that cannot be told of the definition otherwise. */
export function promptOf({ goal, agent }: Pick<LaunchRequest, 'goal' | 'agent'>): string {
  const instructions = agent?.instructions.trim() ?? '';
  return instructions === '' ? (goal ?? '') : `${instructions}\n\n${goal ?? ''}`;
}

/** Settings of a runner that hold our hook, and that hooks are on whatever other settings say. @param more what they hold besides */
export function withHooksOn(text: string, more: Readonly<Record<string, unknown>> = {}): string {
  return `${JSON.stringify({ ...(JSON.parse(text) as object), disableAllHooks: false, ...more }, null, 2)}\n`;
}

/** @param client its name, for the person */
export function sandboxNote(client: string): string {
  return `skipped the sandbox of ${client}: in a container it starts without the hook, so that nobody would judge its calls; to have both, start policy run in a container`;
}

/** What is said of the agent's instructions when a person works with a client that can be told of them only in a goal. */
export const UNTOLD =
  'skipped the instructions of the agent: this client takes them only with a goal; its calls are decided all the same';

/** The goal as the value of `--prompt`: joined to it by `=`, no goal is taken for a flag. */
export function promptWord(
  request: Pick<LaunchRequest, 'goal' | 'agent' | 'extra'>,
  prompt = promptOf(request),
): readonly string[] {
  return request.goal === null ? request.extra : [...request.extra, `--prompt=${prompt}`];
}

/** The goal as the last word: behind `--` no goal is taken for a flag. */
export function lastWord({ goal, extra }: Pick<LaunchRequest, 'goal' | 'extra'>, prompt = goal ?? ''): readonly string[] {
  return goal === null ? extra : [...extra, '--', prompt];
}
