/** Types for unwrapping: the surroundings of a wrapper, and what was found in it. */
import type { Shell } from '../../call/tool-call.js';
import type { Opaque, ShellAssignment, ShellRedirection, ShellWord, Span } from '../../shell/syntax/types.js';
import type { CommandEffect, GrammarIssue } from '../model/command.js';
import type { Appended } from '../model/words.js';
import type { PrintedNames } from '../pathnames/producers.js';

/** One inner command or script of a wrapper. `certain: false` marks a guess or a fragment, which only ask and deny rules may use. */
export type Inner =
  | {
      readonly form: 'words';
      readonly words: readonly ShellWord[];
      readonly assignments: readonly ShellAssignment[];
      /** Directories to change to first; null when unknown. */
      readonly directory: readonly string[] | null;
      readonly certain: boolean;
    }
  | {
      readonly form: 'script';
      readonly text: string;
      readonly span: Span;
      readonly shell: Shell;
      readonly directory: readonly string[] | null;
      readonly certain: boolean;
    };

/** The surroundings of a wrapper, which determine what it reads. */
export interface Surroundings {
  readonly span: Span;
  /** Redirections in effect, those of outer wrappers first. */
  readonly redirections: readonly ShellRedirection[];
  /** Set if this wrapper itself gets arguments appended. */
  readonly appended: Appended | null;
  /** The names that it reads from another command; null when its standard input may hold anything else. */
  readonly input: PrintedNames | null;
  /** Its standard input contains only process IDs. */
  readonly processes?: boolean;
}

/** The result of unwrapping a wrapper. */
export interface Unwrapped {
  /** Empty if it runs nothing that can be seen. */
  readonly inner: readonly Inner[];
  readonly opaque: readonly Opaque[];
  /** Issues about the wrapper's own options. */
  readonly issues: readonly GrammarIssue[];
  readonly effects: readonly CommandEffect[];
  /** The arguments that it appends to `inner`, or passes on. */
  readonly appends: Appended | null;
  /** The wrapper's own words, if it also has a grammar of its own (`find`); else null. */
  readonly own: readonly ShellWord[] | null;
}
