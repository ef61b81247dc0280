/** Types of a judged command: an invocation, what it wraps, and the effects that its grammar states. */
import type { FoundNames, Invocation, Opaque, ShellWord, Span } from '../../shell/syntax/types.js';

/** The kinds of effects of an invocation. */
export const ACTIONS = ['read', 'write', 'delete', 'execute', 'network', 'publish', 'spawn', 'configure'] as const;
export type Action = (typeof ACTIONS)[number];

/** One effect; `path` is the file that it concerns, null when that cannot be named (then never provable). */
export interface CommandEffect {
  readonly action: Action;
  readonly path: ShellWord | null;
  /** True for a reader that walks whole trees (`grep -r`, `rg`, `find`, `ls -R`). */
  readonly recursive: boolean;
  /** For names that were found: everything below those that are directories is read too. */
  readonly enters?: true;
  /** Only names are read: the shell substitutes them for a pattern. */
  readonly listing?: true;
  /** For the destination of a copying command: the names that its sources would get below it, if it is a directory. */
  readonly names?: readonly string[];
  readonly span: Span;
}

/** How a grammar rates an option, operand or missing requirement. */
export type Rating = 'harmless' | 'care' | 'refuse' | 'unknown';

/** Something in an invocation that `*` in an allow rule does not cover. */
export interface GrammarIssue {
  /** `care` asks, `refuse` is denied where a preset requires it, `unknown` is not in the grammar. */
  readonly rating: Exclude<Rating, 'harmless'>;
  /** Stable code, e.g. `git/push/force`, `option/unknown`, `operand/outside-project`, `requirement/message`. */
  readonly code: string;
  readonly message: string;
  /** Index in argv of the word it is about; -1 for something missing or about the whole command. */
  readonly word: number;
  /** The option as a rule would have to write it (`--force`, `-f`), null when it is not an option. */
  readonly option: string | null;
  readonly span: Span;
  /** Its rating is about work on the project with the project's own code, which preset `develop` allows. */
  readonly work?: boolean;
}

/** A question that only facts can answer; unanswered means ask. */
export type Condition =
  | { readonly kind: 'remote'; readonly name: string; readonly word: number }
  | { readonly kind: 'current-remote'; readonly word: number }
  | { readonly kind: 'branch'; readonly name: string | null; readonly word: number }
  | { readonly kind: 'git-config'; readonly word: number }
  /** The path at the start of the word is plain: the word stays one word and contains no wildcard. */
  | { readonly kind: 'plain-place'; readonly path: ShellWord; readonly word: number }
  /**
   * The path is a file: not a directory, in which the program would look for another file, nor a symlink to a file that ends differently.
   */
  | { readonly kind: 'plain-file'; readonly path: ShellWord; readonly ending?: string; readonly word: number }
  | { readonly kind: 'project-path'; readonly path: ShellWord; readonly rating: 'care' | 'refuse'; readonly word: number }
  /** None of these files exists in the directory of one of the paths (without paths: of the call), or above it. */
  | {
      readonly kind: 'no-settings';
      readonly files: readonly string[];
      readonly paths: readonly ShellWord[];
      readonly word: number;
      /** Such files are no reason to ask about work on the project. */
      readonly work?: boolean;
      /** Files above the project do not matter: they are the person's own. */
      readonly inProject?: true;
    }
  /**
   * No file in the directory where it runs is loaded instead of one of Python's modules; `isolated`: it looks for none there.
   * Whatever an active environment of the project loads at startup is code of the project.
   */
  | {
      readonly kind: 'own-modules';
      readonly isolated: boolean;
      /** Top-level names of modules that must be the project's own. */
      readonly loads: readonly string[];
      /** Names of these modules and of their parts. */
      readonly shows: readonly string[];
      readonly word: number;
    }
  /** No name may be one that would be split, nor (`hyphen`) one that would become an option. */
  | { readonly kind: 'plain-names'; readonly names: FoundNames; readonly hyphen: boolean; readonly word: number };

/** The verdict of a command's grammar on one invocation. */
export interface GrammarVerdict {
  /** The words that name the command, aliases resolved: `['git', 'push']`, `['ls']`. */
  readonly words: readonly string[];
  /** False if there is no grammar for this command; then `effects` is one `execute`. */
  readonly known: boolean;
  readonly issues: readonly GrammarIssue[];
  readonly conditions: readonly Condition[];
  readonly effects: readonly CommandEffect[];
  /**
   * It only asks services of this machine and shows their answers (loopback-fetch.ts); `kept`: saves them in files that its options name.
   */
  readonly loopback?: 'shown' | 'kept';
  /**
   * It builds, tests, checks, formats or runs the project with its own code, inside it; `tasks`: its operands name targets or
   * scripts; `script`: the file or command that it runs does this; `installed`: the installed program that it runs does this.
   */
  readonly work?: 'files' | 'tasks' | 'script' | 'installed';
  /** Files with these endings below the places are rewritten; the words do not show which, since a formatter selects its own. */
  readonly rewrites?: { readonly files: readonly string[]; readonly places: readonly ShellWord[] };
  /** The word at this index is a script listed in the file, or an unknown subcommand. */
  readonly script?: { readonly file: string; readonly word: number };
}

/** How a wrapper runs its inner command (design: transparent decides by the inner one, privilege needs its own rule). */
export type WrapperKind = 'transparent' | 'appending' | 'privilege' | 'interpreter';

/** An invocation, what it runs in turn, and the verdict of its grammar. */
export interface Command {
  readonly invocation: Invocation;
  /** Static argv[0], without its directory if that is a system one; null when unknown or empty. */
  readonly name: string | null;
  readonly wrapper: { readonly name: string; readonly kind: WrapperKind } | null;
  /** What a wrapper runs; for other commands, anything they also read as commands (`make -f -`); else empty. */
  readonly inner: readonly Command[];
  /** What it runs is a guess: an option before it is unknown, or it may be given in another way. */
  readonly guessed?: true;
  /** Unseen arguments will be appended (`xargs`, `find -exec … +`). */
  readonly appended: boolean;
  readonly verdict: GrammarVerdict;
}

/** A whole command line with all wrappers unwrapped. */
export interface CommandTree {
  readonly commands: readonly Command[];
  /** The line's own opaque reasons and those found inside wrappers. */
  readonly opaque: readonly Opaque[];
}
