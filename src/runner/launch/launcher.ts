/**
 * How `policy run` starts a runner without a person: what it asks of it, and the command line that comes of that. Pure: the help text
 * of the installed client comes in, since clients of different versions know different flags.
 */
import type { RunnerId } from '../../call/tool-call.js';

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
  /** Words of the person for the runner, as they are. */
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

export interface LaunchPlan {
  /** Behind the program. */
  readonly arguments: readonly string[];
  /** Variables that are set beside those of `policy run` itself. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the client did not know and what became of it, a sentence each: `skipped …`, `substituted …`. */
  readonly notes: readonly string[];
}

/** A launcher throws it when the client cannot be started as the run has to be: the message says what to do. */
export class LaunchRefused extends Error {
  override readonly name = 'LaunchRefused';
}

export interface Launcher {
  readonly id: RunnerId;
  /** What a person types to start it. */
  readonly program: string;
  /** The words that make it print the flags it knows. */
  readonly help: readonly string[];
  /** It takes settings, our hook among them, for one session (see LaunchRequest.settings). */
  readonly takesSettings: boolean;
  /** It has a mode in which a person works with it in the terminal, under the same settings. */
  readonly isInteractive: boolean;
  /** The command line of a run. Throws LaunchRefused. @param knows what the client's help names */
  readonly plan: (request: LaunchRequest, knows: KnownFlags) => LaunchPlan;
}

/** The flags that a help text names. */
export interface KnownFlags {
  /** @param flag `--sandbox` or `-s` */
  has(flag: string): boolean;
}

/** A flag of a help text stands behind a blank, a comma or a bracket; of prose only what looks like a flag counts. */
const FLAG = /(?:^|[\s,[(|/])(--?[A-Za-z][\w-]*)/gm;

/** @param text what the client printed, without colours */
export function knownFlags(text: string): KnownFlags {
  const flags = new Set([...text.matchAll(FLAG)].map(([, flag = '']) => flag));
  return { has: (flag) => flags.has(flag) };
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

  note(sentence: string): this {
    this.#notes.push(sentence);
    return this;
  }

  /** @param behind words that come last: the person's own, then the goal */
  plan(behind: readonly string[], environment: Readonly<Record<string, string>> = {}): LaunchPlan {
    return { arguments: [...this.#words, ...behind], environment, notes: [...this.#notes] };
  }
}

/** The goal with the agent's instructions before it, for a runner that cannot be told of the definition otherwise. */
export function promptOf({ goal, agent }: Pick<LaunchRequest, 'goal' | 'agent'>): string {
  const instructions = agent?.instructions.trim() ?? '';
  return instructions === '' ? (goal ?? '') : `${instructions}\n\n${goal ?? ''}`;
}

/** The goal as the last word: behind `--` no goal is taken for a flag. */
export function lastWord({ goal, extra }: Pick<LaunchRequest, 'goal' | 'extra'>, prompt = goal ?? ''): readonly string[] {
  return goal === null ? extra : [...extra, '--', prompt];
}
