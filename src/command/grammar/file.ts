/** The contents of a grammar file in rules/commands, as parsed (schemas/command-grammar.schema.json checks it in the tests). */
import type { Action, GrammarIssue, Rating } from '../model/command.js';

/** The kind of a word; the built-in checks of each kind are in judge/values.ts, git/values.ts and git/gh-values.ts. */
export type Kind =
  | 'text'
  | 'number'
  | 'path'
  | 'pattern'
  | 'name'
  | 'url'
  | 'command'
  | 'sed-script'
  | 'awk-program'
  | 'printf-format'
  | 'jq-filter'
  | 'git-revision'
  | 'git-pathspec'
  | 'git-revision-or-pathspec'
  | 'git-object'
  | 'git-remote'
  | 'git-push-refspec'
  | 'git-fetch-refspec'
  | 'git-branch'
  | 'git-format'
  | 'gh-repository'
  | 'gh-host'
  | 'gh-selector'
  | 'gh-jq';

export type OptionRating = Exclude<Rating, 'unknown'>;

export interface ValueCheckEntry {
  readonly is?: readonly string[];
  readonly isNot?: readonly string[];
  readonly contains?: readonly string[];
  readonly matches?: string;
  readonly notMatches?: string;
  readonly rating: GrammarIssue['rating'];
  readonly code?: string;
  readonly reason: string;
}

/** What option values and operands have in common. */
export interface ValueEntry {
  readonly rating?: OptionRating;
  readonly code?: string;
  readonly reason?: string;
  readonly checks?: readonly ValueCheckEntry[];
  readonly effects?: readonly Action[];
  readonly recursive?: boolean;
  readonly project?: 'care' | 'refuse';
  readonly file?: true;
  readonly dash?: 'stream';
}

/** Builds, tests, checks, formats or runs the project with its own code, inside it: what preset `develop` allows. */
interface WorkEntry {
  readonly work?: true;
}

export interface OptionEntry extends ValueEntry, WorkEntry {
  readonly value?: Kind;
  readonly arity?: 'none' | 'required' | 'optional' | 'joined' | 'greedy' | 'pair';
  readonly ends?: boolean;
  readonly opens?: boolean;
  readonly hyphen?: true;
  /** With style `words`: the value may be part of the same word, as in `-Iinclude` of compilers. */
  readonly attached?: true;
  /** The options that it is short for. */
  readonly means?: string;
}

export interface OperandEntry extends ValueEntry {
  readonly name: string;
  readonly kind: Kind;
  readonly unless?: readonly string[];
}

/** What a command without path operands works on: the current directory, or the whole repository around it. */
export type WhenNone = 'here' | 'here-when-recursive' | 'top-when-recursive';

export interface OperandsEntry {
  readonly lead?: string;
  readonly list?: readonly OperandEntry[];
  readonly rest?: OperandEntry;
  readonly last?: OperandEntry;
  readonly afterDashes?: OperandEntry;
  readonly min?: number;
  readonly whenNone?: WhenNone;
}

export interface CheckEntry extends WorkEntry {
  readonly code: string;
  readonly whole?: true;
  readonly rating: GrammarIssue['rating'];
  readonly reason: string;
  readonly absent?: readonly string[];
  readonly any?: readonly string[];
  readonly all?: readonly string[];
  readonly operands?: { readonly min?: number; readonly max?: number };
}

export interface EffectEntry {
  readonly action: Action;
  readonly path?: 'here';
  readonly recursive?: boolean;
  readonly unless?: readonly string[];
  readonly only?: readonly string[];
}

export interface OptionSetEntry {
  readonly flags?: string;
  readonly options?: OptionEntries;
}

/** Entries by all spellings of an option, separated by spaces. */
export type OptionEntries = Readonly<Record<string, OptionEntry>> | PackedOptions;

/**
 * The same in packed data: each entry is a separate JSON string, since a call needs few of them and an object with many names is expensive.
 */
interface PackedOptions {
  readonly spellings: readonly string[];
  readonly entries: readonly string[];
}

/** Whether the options are packed: in other data, no member is a list. */
export function isPackedOptions(options: OptionEntries): options is PackedOptions {
  return Array.isArray(options.spellings);
}

export type ConditionEntry = 'git-config' | 'current-remote' | 'current-branch';

export interface CommandEntry extends OptionSetEntry {
  /**
   * As in `WorkEntry`; `tasks`: its operands name targets or scripts of the project; `script`: it runs a file or a command that
   * it is given; `installed`: it runs a program that the project has installed.
   */
  readonly work?: true | 'tasks' | 'script' | 'installed';
  /** An unlisted subcommand is one of the `scripts` in this file of the project. */
  readonly scripts?: string;
  readonly aliases?: readonly string[];
  /** Other commands with the same grammar. */
  readonly likewise?: readonly string[];
  /** The subcommand of the same program for which this is another name. */
  readonly is?: string;
  readonly style?: 'permute' | 'stop' | 'words' | 'words-stop' | 'print';
  readonly front?: true;
  readonly oldStyle?: true;
  readonly use?: readonly string[];
  readonly informs?: string;
  readonly informsAlone?: boolean;
  readonly onlyInforms?: true;
  readonly loopback?: string;
  readonly helps?: string;
  readonly tells?: { readonly options: string; readonly matches: string };
  readonly program?: { readonly options: string; readonly harmless: string; readonly isolates: string };
  readonly subcommands?: Readonly<Record<string, CommandEntry>>;
  readonly unlisted?: Readonly<Record<string, string>> | PackedList;
  readonly bare?: boolean;
  readonly operands?: OperandsEntry;
  readonly effects?: readonly EffectEntry[];
  readonly conditions?: readonly ConditionEntry[];
  /**
   * A formatter: the endings of the files that it rewrites in the directories it is given, except with one of the options in
   * `unless`, or only with one of those in `only`.
   */
  readonly rewrites?: { readonly files: string; readonly unless?: string; readonly only?: string };
  readonly settings?: { readonly files: string; readonly unless?: readonly string[]; readonly whole?: boolean };
  readonly checks?: readonly CheckEntry[];
  readonly rating?: OptionRating;
  readonly code?: string;
  readonly reason?: string;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** Replaces a long list in packed data; its members are separate entries (.ci/rules-pack.mjs). */
export interface PackedList {
  readonly packed: string;
}

/** Whether a list is packed: no member of any other list is a string that begins with `#`. */
export function isPacked(list: object): list is PackedList {
  return 'packed' in list && typeof list.packed === 'string' && list.packed.startsWith('#');
}

export interface GrammarFile {
  readonly grammar: 1;
  readonly source?: string;
  readonly managed?: string;
  readonly sets?: Readonly<Record<string, OptionSetEntry>>;
  readonly commands: Readonly<Record<string, CommandEntry>>;
}
