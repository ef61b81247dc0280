/** Where a call is made, and what is known of that place before the call is looked at. */
import type { RunnerId } from '../call/tool-call.js';
import type { BudgetFacts, GitFacts, IncomingFacts, StartedFile } from '../decide/ruling/facts.js';

/** Where the tool runs: what the facts are relative to. */
export interface Surroundings {
  /** Real path of the project. */
  readonly project: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly ownDirectories: readonly string[];
  /** The shared policy files that a person trusts: git's names of their texts, by their paths in the project. */
  readonly trustedFiles?: Readonly<Record<string, string>>;
  /** Whose settings hold the hook; absent where none is asked. */
  readonly runner?: RunnerId;
  readonly budget: BudgetFacts | null;
  /** What was found, for calls that are judged as of one moment; absent where all is read anew for each. */
  readonly moment?: Moment;
}

/** Facts by what was asked; whoever makes one lets it pass. */
export class Moment {
  readonly repositories = new Map<string, GitFacts | null>();
  /** What git would change in a work tree, as far as git told. */
  readonly incoming = new Map<string, IncomingFacts>();
  /** By project. */
  readonly started = new Map<string, readonly StartedFile[]>();

  /** Everything is read again. */
  pass(): void {
    for (const found of [this.repositories, this.incoming, this.started]) found.clear();
  }
}
