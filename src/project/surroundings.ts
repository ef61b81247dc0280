/** Where a call is made, and what is known about that place before the call is examined. */
import type { RunnerId } from '../call/tool-call.js';
import type { BudgetFacts, GitFacts, IncomingFacts, StartedFile } from '../decide/ruling/facts.js';

/** The place where the tool runs, to which the facts are relative. */
export interface Surroundings {
  /** Real path of the project. */
  readonly project: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Maximum milliseconds for all questions to git of a call; absent: what a hook has. */
  readonly gitTime?: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly ownDirectories: readonly string[];
  /** The shared policy files that a person trusts: git's object names of their texts, by their paths in the project. */
  readonly trustedFiles?: Readonly<Record<string, string>>;
  /** The runner whose settings contain the hook; absent if it does not matter. */
  readonly runner?: RunnerId;
  readonly budget: BudgetFacts | null;
  /** Facts shared by calls that are judged as of the same moment; absent if each call gathers them anew. */
  readonly moment?: Moment;
}

/** Facts by the question; its creator ends the moment by calling `pass`. */
export class Moment {
  readonly repositories = new Map<string, GitFacts | null>();
  /** What git would change in a work tree, as far as git answered in time. */
  readonly incoming = new Map<string, IncomingFacts>();
  /** What git answered, by the question. */
  readonly answers = new Map<string, string | null>();
  /** By project. */
  readonly started = new Map<string, readonly StartedFile[]>();

  /** Forgets everything, so that it is read again. */
  pass(): void {
    for (const found of [this.repositories, this.incoming, this.answers, this.started]) found.clear();
  }
}
