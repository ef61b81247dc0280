/** The words of a command line once it is read: invocations, their words, and what only the shell can know. */

/** The shell that will read a command line. `bash-or-zsh`: one of the two; `union`: unknown, whatever any of the three would run. */
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
   * What the program will receive as ONE argument, when that is certain; with `glob` the unexpanded pattern, with `tilde`
   * the text with its leading `~`. Null when only the shell can know (expansion, substitution, brace list …).
   */
  readonly value: string | null;
  readonly span: Span;
  /** Unquoted `*`, `?` or `[`: the word may become any number of words. */
  readonly glob: boolean;
  /** Set for a pattern that git expands: its wildcards also stand for slashes and for leading dots. */
  readonly crossing?: true;
  /** Starts with an unquoted `~`. */
  readonly tilde: boolean;
  /** The certain text before the first glob or opaque part; decides whether the word could turn into an option. */
  readonly literalPrefix: string;
  /**
   * Set when the value is not known (or, with `glob`, one of many), but certainly harmless as a text: what commands of the line print,
   * variables that the line itself sets, and figures of the shell. `digits`: one argument of digits. `one`: one argument, perhaps
   * empty. `several`: any number of arguments. It makes nothing opaque: the judges of the command must know its place for one of texts.
   */
  readonly data?: 'digits' | 'one' | 'several';
  /** Set when the word stands for names of files that a command of the line found; the value is not known then. */
  readonly names?: FoundNames;
  /** For a word of data with one unknown part: where that comes from, when it says more about the text. */
  readonly origin?: DataOrigin;
}

/** Names of files that a command printed, as another one is given them. */
export interface FoundNames {
  /** Every name is one of these words, or such a word, a slash, and the way to something below it. */
  readonly roots: readonly ShellWord[];
  /** Names of what is in the current folder do not begin with `./`: one of them may begin with a hyphen. */
  readonly bare: boolean;
  /** What read them took them apart at blanks and quotes: only names without these arrive as they are. */
  readonly split: boolean;
  /** What read them took each line for one: a blank inside of it does not matter. */
  readonly lines?: boolean;
  /** Any number of names, not exactly one. */
  readonly many: boolean;
  /** The shell expands them: only names without its wildcards arrive as they are. */
  readonly expanded?: boolean;
  /** The word of the line that they take the place of; absent for what no word stands for. */
  readonly written?: string;
  /**
   * Where they were found: in the folders themselves, in git's index, in that of a repository whose top the current folder must be, or
   * in the current folder alone, or that of each root (by a glob).
   */
  readonly from: readonly ('tree' | 'index' | 'top-index' | 'folder')[];
  /** How all of them end, in lower case; without it in any way. */
  readonly endings?: readonly string[] | null | undefined;
  /** What found them passed over names with a leading dot, unless a file of ignored names takes them in. */
  readonly unhidden?: boolean | undefined;
}

/** The pattern, and the certain text that it begins with. */
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
 * What is known of a text that nobody knows. `home`: the home folder. `here`: the directory that the steps lead to; `top`: the top level
 * of its repository. `pipe`: a file that the shell makes for `<(…)`, which holds what a command of the line prints. `object`: names of
 * commits in hexadecimal digits, or `HEAD` and its like, or nothing. `branch`: a name that git gives to one, or nothing. `number`: a number, with or without blanks around it, or nothing.
 * `processes`: numbers of processes, each without a sign, or nothing.
 * `printed`: what the commands in a part of the line print. `pattern`: a file that the pattern of a loop stands for, or the pattern itself.
 */
export type DataSource =
  | { readonly kind: 'home' | 'pipe' | 'object' | 'branch' | 'processes' }
  /** `one`: never more than one number. */
  | { readonly kind: 'number'; readonly one?: true }
  | PrintedSource
  | PatternSource
  | { readonly kind: 'here' | 'top'; readonly directory: readonly string[] | null };

/** What the commands that stand in a part of the line print. */
export interface PrintedSource {
  readonly kind: 'printed';
  readonly span: Span;
  /**
   * `all` of it. A `word` of it, as the shell splits and expands it for a loop. A `line`, as `read` gives it to a loop; a `record`: the
   * same with a NUL at its end, taken whole.
   */
  readonly part: 'all' | 'word' | 'line' | 'record';
  /** Of a line or record: where the commands stand that share the input with `read`. */
  readonly body: Span | null;
}

export interface ShellAssignment {
  readonly name: string;
  /** Null when not static. */
  readonly value: string | null;
  readonly append: boolean;
  readonly span: Span;
  /** For a value that is nothing but a text that nobody knows: where that comes from, when it says more of it. */
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

/** What stands around an invocation, outermost first. */
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

/** One simple command found in a command line (or a bare redirection or assignment: then `argv` is empty). */
export interface Invocation {
  readonly argv: readonly ShellWord[];
  readonly assignments: readonly ShellAssignment[];
  readonly redirections: readonly ShellRedirection[];
  readonly enclosures: readonly Enclosure[];
  /** Runs in the background (`&`), itself or something around it. */
  readonly background: boolean;
  /** Its standard input is the output of another command of the line. */
  readonly piped: boolean;
  /**
   * Operands of the static `cd`s that certainly ran before it, in order (to be joined to the call's directory);
   * null when the directory can no longer be known.
   */
  readonly directory: readonly string[] | null;
  readonly span: Span;
}

/** Why a command line (or a part of one) cannot be read completely; the list is closed and documented in docs/opaque.md. */
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

/** A command line, read. `invocations` holds every simple command seen, in source order, nested ones included. */
export interface CommandLine {
  readonly source: string;
  readonly invocations: readonly Invocation[];
  /** Empty only when every byte was understood; anything here means: never allow automatically. */
  readonly opaque: readonly Opaque[];
}
