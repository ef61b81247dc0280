/** A tool that judges command lines before an agent runs them. */
import type { Stage } from './stage.js';

/** `run`: it would run without a question; `stop`: a person is asked, or it is blocked. */
export type Verdict = 'run' | 'stop';

export interface Peer {
  readonly name: string;
  /** Empty for our own. */
  readonly version: string;
  /** What it is set up with, as its own documentation recommends it. */
  readonly configuration: string;
  /** Packages with their exact versions, which npm installs into a folder of their own; none for our own. */
  readonly packages: readonly string[];
  /** Judges every line in the project of a stage that is its own; throws when it cannot. `installed`: the folder with its node_modules. */
  readonly judge: (lines: readonly string[], stage: Stage, installed: string) => Promise<readonly Verdict[]>;
}
