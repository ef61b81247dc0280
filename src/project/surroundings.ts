/** Where a call is made, and what is known of that place before the call is looked at. */
import type { RunnerId } from '../call/tool-call.js';
import type { BudgetFacts, GitFacts } from '../decide/ruling/facts.js';

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
  /** What repositories were found to hold, for calls that are judged as of one moment; absent where each is read anew. */
  readonly moment?: Moment;
}

/** Facts about repositories by what was asked; whoever makes one empties it when the moment has passed. */
export type Moment = Map<string, GitFacts | null>;
