/** Types of a command as judged: an invocation, what it wraps, and what its grammar says that it does. */
import type { FoundNames, Invocation, Opaque, ShellWord, Span } from '../../shell/syntax/types.js';

/** What an invocation does. */
export const ACTIONS = ['read', 'write', 'delete', 'execute', 'network', 'publish', 'spawn', 'configure'] as const;
export type Action = (typeof ACTIONS)[number];

/** One effect; `path` when it is about a file, null when the file cannot be named (then never provable). */
export interface CommandEffect {
  readonly action: Action;
  readonly path: ShellWord | null;
  /** True for a reader that walks whole trees (`grep -r`, `rg`, `find`, `ls -R`). */
  readonly recursive: boolean;
  /** Of names that were found, what lies below those of folders is read too. */
  readonly enters?: true;
  /** Only names are looked at: the shell puts them in the place of a pattern. */
  readonly listing?: true;
  /** For what a copying command writes: the names that its sources would get below it, if it is a folder. */
  readonly names?: readonly string[];
  readonly span: Span;
}

/** How a grammar rates an option, operand or missing requirement. */
export type Rating = 'harmless' | 'care' | 'refuse' | 'unknown';

/** Something in an invocation that `*` in an allow rule does not stand for. */
export interface GrammarIssue {
  /** `care` asks, `refuse` is denied where a preset says so, `unknown` is not in the grammar. */
  readonly rating: Exclude<Rating, 'harmless'>;
  /** Stable code, e.g. `git/push/force`, `option/unknown`, `operand/outside-project`, `requirement/message`. */
  readonly code: string;
  readonly message: string;
  /** Index in argv of the word it is about; -1 for something missing or about the whole command. */
  readonly word: number;
  /** The option as a rule would have to write it (`--force`, `-f`), null when it is not an option. */
  readonly option: string | null;
  readonly span: Span;
  /** It is rated for work on the project with its own code, as preset `develop` allows it. */
  readonly work?: boolean;
}

/** Something that only facts can answer; unanswered means ask. */
export type Condition =
  | { readonly kind: 'remote'; readonly name: string; readonly word: number }
  | { readonly kind: 'current-remote'; readonly word: number }
  | { readonly kind: 'branch'; readonly name: string | null; readonly word: number }
  | { readonly kind: 'git-config'; readonly word: number }
  /** The word stays one word, and has no wildcard in it: the path that it begins with is plain. */
  | { readonly kind: 'plain-place'; readonly path: ShellWord; readonly word: number }
  /** A file stands there, no folder in which the program would look for another, nor a link to one that ends otherwise. */
  | { readonly kind: 'plain-file'; readonly path: ShellWord; readonly ending?: string; readonly word: number }
  | { readonly kind: 'project-path'; readonly path: ShellWord; readonly rating: 'care' | 'refuse'; readonly word: number }
  /** None of these files lies in the folder of one of the paths (none: in the folder of the call), or above. */
  | {
      readonly kind: 'no-settings';
      readonly files: readonly string[];
      readonly paths: readonly ShellWord[];
      readonly word: number;
      /** That there are such files is no reason to ask about work on the project. */
      readonly work?: boolean;
      /** Those above the project are a person's own. */
      readonly inProject?: true;
    }
  /**
   * No file of the folder that it runs in is loaded in the place of a module of Python; `isolated`: it looks for none there. What an active
   * environment of the project loads at its start counts as code of the project.
   */
  | {
      readonly kind: 'own-modules';
      readonly isolated: boolean;
      /** First names of modules that have to be the project's own. */
      readonly loads: readonly string[];
      /** Names of them and of their parts. */
      readonly shows: readonly string[];
      readonly word: number;
    }
  /** No name may be one that is taken apart, nor (`hyphen`) one that would become an option. */
  | { readonly kind: 'plain-names'; readonly names: FoundNames; readonly hyphen: boolean; readonly word: number };

/** What the grammar of a command says about one invocation of it. */
export interface GrammarVerdict {
  /** The words that name the command, aliases resolved: `['git', 'push']`, `['ls']`. */
  readonly words: readonly string[];
  /** False: there is no grammar for this command; then `effects` is one `execute`. */
  readonly known: boolean;
  readonly issues: readonly GrammarIssue[];
  readonly conditions: readonly Condition[];
  readonly effects: readonly CommandEffect[];
  /** It only asks services of this machine for what they have to show (loopback-fetch.ts); `kept`: in files that its options name. */
  readonly loopback?: 'shown' | 'kept';
  /**
   * It builds, tests, checks, formats or runs the project with its own code, inside it; `tasks`: its operands name targets or scripts;
   * `script`: the file or the command that it runs does; `installed`: so does the installed program that it runs.
   */
  readonly work?: 'files' | 'tasks' | 'script' | 'installed';
  /** Files of these endings below the places are rewritten: a formatter knows which are its own, the words do not tell. */
  readonly rewrites?: { readonly files: readonly string[]; readonly places: readonly ShellWord[] };
  /** The word at this place is a script that the file lists, or no subcommand that is known. */
  readonly script?: { readonly file: string; readonly word: number };
}

/** How a wrapper runs its inner command (design: transparent decides by the inner one, privilege needs its own rule). */
export type WrapperKind = 'transparent' | 'appending' | 'privilege' | 'interpreter';

/** An invocation, what it runs in turn, and what its grammar says. */
export interface Command {
  readonly invocation: Invocation;
  /** Static argv[0] without its folder when that folder is a system one; null when unknown or empty. */
  readonly name: string | null;
  readonly wrapper: { readonly name: string; readonly kind: WrapperKind } | null;
  /** What the wrapper runs; without a wrapper what the command reads as commands besides (`make -f -`); empty for any other. */
  readonly inner: readonly Command[];
  /** What it runs is a guess: an option before it is not known, or it may be told in another way. */
  readonly guessed?: true;
  /** Arguments that cannot be seen will be appended (`xargs`, `find -exec … +`). */
  readonly appended: boolean;
  readonly verdict: GrammarVerdict;
}

/** A whole command line with wrappers looked through. */
export interface CommandTree {
  readonly commands: readonly Command[];
  /** The line's own opaque reasons and those found inside wrappers. */
  readonly opaque: readonly Opaque[];
}
