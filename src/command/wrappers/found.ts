/** The words of looking through a wrapper: what stands around it, and what was found in it. */
import type { Shell } from '../../call/tool-call.js';
import type { Opaque, ShellAssignment, ShellRedirection, ShellWord, Span } from '../../shell/syntax/types.js';
import type { CommandEffect, GrammarIssue } from '../model/command.js';
import type { Appended } from '../model/words.js';
import type { PrintedNames } from '../pathnames/producers.js';

/** One thing that a wrapper runs. `certain: false` marks a guess or a fragment: only ask and deny rules may look at it. */
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

/** What stands around a wrapper and decides what it reads. */
export interface Surroundings {
  readonly span: Span;
  /** Redirections in effect, those of outer wrappers first. */
  readonly redirections: readonly ShellRedirection[];
  /** Set when this wrapper itself gets arguments appended. */
  readonly appended: Appended | null;
  /** The names that it reads from another command; null when its standard input may hold anything else. */
  readonly input: PrintedNames | null;
  /** Its standard input holds numbers of processes alone. */
  readonly processes?: boolean;
}

/** A wrapper, looked through. */
export interface Unwrapped {
  /** Empty: it runs nothing that can be seen. */
  readonly inner: readonly Inner[];
  readonly opaque: readonly Opaque[];
  /** About the wrapper's own options. */
  readonly issues: readonly GrammarIssue[];
  readonly effects: readonly CommandEffect[];
  /** What it appends to `inner`, or passes on. */
  readonly appends: Appended | null;
  /** The wrapper's own words, for a wrapper that has a grammar of its own besides (`find`); else null. */
  readonly own: readonly ShellWord[] | null;
}
