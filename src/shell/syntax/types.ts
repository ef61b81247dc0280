/** A command line after reading: invocations, their words, and the parts that cannot be analysed. */

/**
 * The shell that will read a command line. `bash-or-zsh`: one of the two; `union`: unknown, covering whatever any of the three would run.
 */
export type ShellDialect = 'bash' | 'sh' | 'zsh' | 'bash-or-zsh' | 'union';

/** A half-open range of UTF-16 offsets in the text that was read. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One word of a simple command. */
export interface ShellWord {
  /** As written. */
  readonly text: string;
  /**
   * What the program will receive as ONE argument, when that is certain; with `glob` the unexpanded pattern, with `tilde` the
   * text with its leading `~`. Null when it cannot be analysed (expansion, substitution, brace list …).
   */
  readonly value: string | null;
  readonly span: Span;
  /** Unquoted `*`, `?` or `[`: the word may become any number of words. */
  readonly glob: boolean;
  /** Set for a pattern that git expands: its wildcards also match slashes and leading dots. */
  readonly crossing?: true;
  /** Starts with an unquoted `~`. */
  readonly tilde: boolean;
  /** The certain text before the first glob or opaque part; decides whether the word could turn into an option. */
  readonly literalPrefix: string;
  /**
   * Set when the value is unknown (or, with `glob`, one of many) but certainly harmless as a string: output of commands in the
   * line, variables that the line itself sets, and public variables of the shell. `digits`: one argument of digits. `one`: one
   * argument, perhaps empty. `several`: any number of arguments. It makes nothing opaque: the judges of the command must know
   * that any string may occur in its position.
   */
  readonly data?: 'digits' | 'one' | 'several';
  /** Set when the word stands for names of files that a command in the line found; then the value is unknown. */
  readonly names?: FoundNames;
  /** For a word of data with one unknown part: where that comes from, if that tells more about the string. */
  readonly origin?: DataOrigin;
}

/** Names of files that one command prints and another receives. */
export interface FoundNames {
  /** Every name is one of these words, or such a word followed by a slash and a path below it. */
  readonly roots: readonly ShellWord[];
  /** Names in the current directory do not begin with `./`, so one of them may begin with a hyphen. */
  readonly bare: boolean;
  /** The reader splits them at blanks and quotes: only names without these arrive unchanged. */
  readonly split: boolean;
  /** The reader takes each line as one name: blanks inside it do not matter. */
  readonly lines?: boolean;
  /** Any number of names, not exactly one. */
  readonly many: boolean;
  /** The shell expands them: only names without its wildcards arrive unchanged. */
  readonly expanded?: boolean;
  /** The word of the line that they replace; absent if they replace none. */
  readonly written?: string;
  /**
   * Where they were found: in the directories themselves, in git's index, in the index of a repository whose top level the
   * current directory must be, or (by a glob) only in the current directory or that of each root.
   */
  readonly from: readonly ('tree' | 'index' | 'top-index' | 'folder')[];
  /** The possible endings of all names, in lower case; without it, they may end in any way. */
  readonly endings?: readonly string[] | null | undefined;
  /** The command that found them skipped names with a leading dot, unless an ignore file includes them. */
  readonly unhidden?: boolean | undefined;
}

/** The pattern, and its certain prefix. */
export interface PatternSource {
  readonly kind: 'pattern';
  readonly value: string;
  readonly prefix: string;
}

/** The unknown part of a word, and the certain text on both sides of it. */
export interface DataOrigin {
  readonly source: DataSource;
  readonly before: string;
  readonly after: string;
}

/**
 * What is known about an unknown string. `home`: the home directory. `here`: the directory that the steps lead to; `top`: the top
 * level of its repository. `pipe`: a file that the shell creates for `<(…)`, with the output of a command in the line. `object`:
 * hexadecimal names of commits, or `HEAD` and its like, or nothing. `branch`: the name of a git branch, or nothing. `number`: a
 * number, with or without blanks around it, or nothing. `processes`: process IDs, each unsigned, or nothing. `printed`: output of
 * the commands in a part of the line. `pattern`: a file that the pattern of a loop matches, or the pattern itself.
 */
export type DataSource =
  | { readonly kind: 'home' | 'pipe' | 'object' | 'branch' | 'processes' }
  /** `one`: never more than one number. */
  | { readonly kind: 'number'; readonly one?: true }
  | PrintedSource
  | PatternSource
  | { readonly kind: 'here' | 'top'; readonly directory: readonly string[] | null };

/** The output of the commands in a part of the line. */
export interface PrintedSource {
  readonly kind: 'printed';
  readonly span: Span;
  /**
   * `all`: the whole output. `word`: one word of it, as the shell splits and expands it for a loop. `line`: one line, as `read`
   * gives it to a loop. `record`: the same for text up to a NUL, taken whole.
   */
  readonly part: 'all' | 'word' | 'line' | 'record';
  /** For a line or record: the span of the commands that share their input with `read`. */
  readonly body: Span | null;
}

export interface ShellAssignment {
  readonly name: string;
  /** Null when not static. */
  readonly value: string | null;
  readonly append: boolean;
  readonly span: Span;
  /** For a value that is exactly one unknown string: where that comes from, if that tells more about it. */
  readonly source?: DataSource;
}

export interface ShellRedirection {
  /** The operator as written: `>`, `>>`, `<`, `<>`, `>|`, `&>`, `&>>`, `>&`, `<&`, `<<`, `<<-`, `<<<`. */
  readonly operator: string;
  readonly direction: 'read' | 'write' | 'read-write' | 'duplicate' | 'here';
  readonly descriptor: number | null;
  /** The file (or descriptor) word; null for a here-document. */
  readonly target: ShellWord | null;
  /** Text of a here-document or here-string when it is static, else null. */
  readonly text: string | null;
  readonly span: Span;
}

/** A construct around an invocation; lists of these are outermost first. */
export type Enclosure =
  | 'pipeline'
  | 'subshell'
  | 'group'
  | 'condition'
  | 'loop'
  | 'case'
  | 'function'
  | 'coproc'
  | 'substitution'
  | 'process-substitution';

/** One simple command found in a command line; `argv` is empty for a bare redirection or assignment. */
export interface Invocation {
  readonly argv: readonly ShellWord[];
  readonly assignments: readonly ShellAssignment[];
  readonly redirections: readonly ShellRedirection[];
  readonly enclosures: readonly Enclosure[];
  /** Runs in the background (`&`), or within something that does. */
  readonly background: boolean;
  /** Its standard input is the output of another command in the line. */
  readonly piped: boolean;
  /**
   * Operands of the static `cd`s that certainly ran before it, in order (to be joined to the call's directory); null when the
   * directory is no longer known.
   */
  readonly directory: readonly string[] | null;
  readonly span: Span;
}

/** Why a command line, or part of one, cannot be read completely; the list is closed and documented in docs/opaque.md. */
export const OPAQUE_CODES = [
  'parse-error',
  'too-long',
  'control-character',
  'unexplained-bytes',
  'unknown-construct',
  'dynamic-command',
  'dynamic-word',
  'glob-command',
  'brace-expansion',
  'command-substitution',
  'process-substitution',
  'parameter-expansion',
  'arithmetic',
  'double-expansion',
  'here-doc-expansion',
  'here-doc-in-substitution',
  'suspicious-quotes',
  'function-definition',
  'alias-definition',
  'coproc',
  'compound-command',
  'background-job',
  'array',
  'shell-dialect',
  'special-variable',
  'subscript-evaluation',
  'eval',
  'dynamic-script',
  'dynamic-directory',
  'nesting',
] as const;

export type OpaqueCode = (typeof OPAQUE_CODES)[number];

export interface Opaque {
  readonly code: OpaqueCode;
  /** One plain sentence without the offending text. */
  readonly message: string;
  readonly span: Span;
}

/** A command line after reading. `invocations` contains every simple command found, in source order, including nested ones. */
export interface CommandLine {
  readonly source: string;
  readonly invocations: readonly Invocation[];
  /** Empty only if every byte was understood; any entry means: never allow automatically. */
  readonly opaque: readonly Opaque[];
}
