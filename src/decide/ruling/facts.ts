/** Everything that a decision needs from outside, gathered beforehand: `decide` itself does no I/O. */

/** The facts about one path; the key in Facts is its absolute, lexically resolved form. */
export interface PathFact {
  /** Absolute path with symlinks resolved (those of the existing parents if the file itself does not exist). */
  readonly real: string;
  readonly kind: 'file' | 'directory' | 'missing' | 'other';
  /** A git configuration that contains a credential. */
  readonly credential?: boolean;
  /**
   * A file named like a secret file that contains no secret: a public key, direnv instructions that only set up tools, or an
   * `.npmrc` that makes npm run no other program, read no other file and contact no other machine. Absent: unknown.
   */
  readonly harmless?: boolean;
  /**
   * A folder or file of the project that belongs to a separate repository, such as a submodule. Linked work trees of the
   * project do not count.
   */
  readonly nested?: boolean;
  /** Absent: the path is in no temporary folder, or nothing is proven about it. */
  readonly temporary?: TemporaryFact;
}

/**
 * A path in a temporary folder of the machine, without symlinks on the way to it, and in no folder that may belong to a
 * project. The name may be listed. Only the user and root can replace an existing path; anyone can create a missing path in the
 * shared folder itself.
 */
export interface TemporaryFact {
  /** Every user of the machine may read the file or list the folder, or the path does not exist. */
  readonly reads: boolean;
  /**
   * A file belongs to the user, has no other hard links and is not executable; a folder belongs to the user or is the shared
   * temporary folder itself; or the path does not exist.
   */
  readonly writes: boolean;
}

/** A setting in git's configuration that contains a credential. The key is null if it is unknown or must not be shown. */
export interface CredentialFact {
  readonly key: string | null;
  readonly file: string;
  readonly line: number;
}

/** What an ordinary git command would find in this repository, determined without running git. */
export interface GitFacts {
  /** Real path of the top level; null if the call is made outside any repository. */
  readonly top: string | null;
  readonly remotes: readonly string[];
  /** The current branch, and the remote and branch that a `git push` without operands uses; each is null if not configured. */
  readonly branch: string | null;
  readonly upstream: { readonly remote: string; readonly branch: string } | null;
  /** Configuration that makes an ordinary git command execute something. */
  readonly hazards: readonly { readonly key: string; readonly file: string; readonly line: number }[];
  /** The repository that git would use, for every directory in which a git command of the call runs; null if there is none. */
  readonly directories: Readonly<Record<string, string | null>>;
  /** Directories outside the project and outside any repository, where git compares arbitrary files (`git diff a b`). */
  readonly astray: readonly string[];
  /** Absent if no remote is a repository on this machine. */
  readonly local?: LocalRemotes;
  /**
   * Facts that differ in other checkouts of the project in which git commands of the call run, by the top level of the
   * checkout. `hazards` includes the hazards of these checkouts.
   */
  readonly checkouts?: Readonly<Record<string, Pick<GitFacts, 'remotes' | 'branch' | 'upstream' | 'local'>>>;
}

/** Remotes on this machine: a push runs their hooks here. */
export interface LocalRemotes {
  readonly remotes: readonly string[];
  /** A push without an operand goes to such a remote. */
  readonly bare: boolean;
}

/** Properties of the file names that one command may pass to another. */
export interface NameFacts {
  /** A name contains a blank, a quote, a backslash, or a character that some program may treat as one of these. */
  readonly odd: boolean;
  /** A name does not stay whole in a text with one name per line, either. Absent: `odd` is used instead. */
  readonly torn?: boolean;
  /** A name at the beginning of a path starts with a hyphen or a colon. */
  readonly leading: boolean;
  /** A name contains a shell wildcard. */
  readonly wild: boolean;
  /** For an index: the directory is the top of its repository. */
  readonly top: boolean;
  /** For an index: one of the files may contain secrets. */
  readonly secret?: boolean;
  /** For an index: one of its files, or a tracked symlink in installed packages, leads out of the repository or to a secret. */
  readonly astray?: boolean;
}

/** What a session has spent before this call. */
export interface BudgetFacts {
  /** According to the transcript, which is about one turn behind. */
  readonly tokens: number;
  readonly calls: number;
  readonly seconds: number;
  /** Tokens by agent name; the next two members hold calls and seconds by agent name. */
  readonly perAgent: Readonly<Record<string, number>>;
  readonly perAgentCalls?: Readonly<Record<string, number>>;
  readonly perAgentSeconds?: Readonly<Record<string, number>>;
  /** The limit (tokens or time) that this run of `policy run` has reached, as the end of a sentence; absent: none. */
  readonly runSpent?: string;
}

/**
 * The policy's rulings on the actions of a skill at loading time, such as its commands; empty if all are allowed. Also covers
 * the files that a runner reads to start an agent.
 */
export interface SkillFact {
  readonly rulings: readonly SkillRuling[];
  /** The call starts an agent without programs, servers or permissions of its own, and every call of that agent is judged. */
  readonly startsJudged?: true;
}

interface SkillRuling {
  readonly effect: 'ask' | 'deny';
  readonly message: string;
  /** The code of the reason; `skill/commands` by default. */
  readonly code?: string;
}

/** Protected files in the work tree that a git command would change with files from commits. */
export interface IncomingFacts {
  /** Real path of the top level, to which the paths are relative. */
  readonly top: string;
  readonly files: readonly IncomingFile[];
  /** For a tree as the source: the operand names a commit, not a file as in `git checkout FILE`. */
  readonly isRevision?: boolean;
  /** Untracked files may be in the way of git's files; git replaces the ignored ones. */
  readonly replaces?: boolean;
}

export interface IncomingFile {
  readonly path: string;
  readonly pattern: string;
}

/** Secret files that a git command would print. */
export interface PrintedFacts {
  /** Paths relative to the top level. */
  readonly secrets: readonly string[];
  /** Tracked files with secret names, printed or not; paths relative to the top level. */
  readonly tracked: readonly string[];
}

export interface Facts {
  /** Real path of the project. */
  readonly project: string;
  /** Real paths of the repository's other checkouts: linked work trees also belong to the project. Absent: there are none. */
  readonly checkouts?: readonly string[];
  /** Real path of the directory in which the call is made. */
  readonly cwd: string;
  /** The call is made outside the project, or in another repository inside it. */
  readonly elsewhere?: boolean;
  readonly home: string;
  readonly platform: 'linux' | 'darwin' | 'win32';
  /** See `folders` of Place. */
  readonly folders?: Readonly<Record<string, boolean | null>>;
  readonly paths: Readonly<Record<string, PathFact>>;
  /** Secret files below a directory that a command or tool would read recursively; null: too many files to tell. */
  readonly secretTrees: Readonly<Record<string, readonly string[] | null>>;
  /**
   * Symlinks below a directory, in installed packages and in `.git`, that lead out of the project or to a secret; null: too
   * many files to tell.
   */
  readonly packedLinks?: Readonly<Record<string, readonly string[] | null>>;
  /**
   * For trees that contain secrets: the last segments of the patterns in ignore files that re-include names otherwise skipped
   * by ripgrep; absent or null: unknown.
   */
  readonly takenIn?: Readonly<Record<string, readonly string[] | null>>;
  /** For trees that contain secrets: the secrets that ripgrep certainly skips because a `.gitignore` excludes them. */
  readonly ignored?: Readonly<Record<string, readonly string[]>>;
  /** Properties of the names in and below a directory, or in git's index relative to it; absent or null: unknown. */
  readonly names?: {
    readonly trees: Readonly<Record<string, NameFacts | null>>;
    readonly indexes: Readonly<Record<string, NameFacts | null>>;
    /** Only the names in the directory itself, without those in its subdirectories. */
    readonly folders: Readonly<Record<string, NameFacts | null>>;
  };
  /** Files in a directory that Python would load instead of its own modules; absent or null: unknown. */
  readonly modules?: Readonly<Record<string, readonly string[] | null>>;
  /**
   * The current matches of a glob and their real targets, if the glob is written to or leads into installed packages or a
   * temporary folder; absent or null: unknown.
   */
  readonly globs?: Readonly<Record<string, readonly string[] | null>>;
  /**
   * Absolute paths of policies, settings and hooks of runners below a project folder that is deleted, moved, replaced or
   * filled; null: too many files to tell; absent: none exist, or the folder was not searched.
   */
  readonly settingsBelow?: Readonly<Record<string, readonly string[] | null>>;
  /**
   * The scripts in the nearest file called NAME, searched from DIRECTORY up to the top of the project, by `DIRECTORY/NAME` (for
   * example `/p/src/package.json`).
   */
  readonly scripts?: Readonly<Record<string, readonly string[]>>;
  /**
   * Whether a word after one of the project's programs is itself a program, on PATH or installed in the project. Absent: not
   * checked.
   */
  readonly programs?: Readonly<Record<string, boolean>>;
  /** Null: not a git repository. A missing fact never proves anything. */
  readonly git: GitFacts | null;
  /** Settings that contain a credential, by the directory in which a git command prints settings. */
  readonly credentials?: Readonly<Record<string, readonly CredentialFact[]>>;
  /** Names of the hooks that git would run, by the directory of the git command; null: unknown. */
  readonly hooks?: Readonly<Record<string, readonly string[] | null>>;
  /** Secret files that git commands of the call would print, by `printedKey`; absent or null: unknown. */
  readonly printed?: Readonly<Record<string, PrintedFacts | null>>;
  /** Protected files that git commands of the call would change, by `incomingKey`; absent or null: unknown. */
  readonly incoming?: Readonly<Record<string, IncomingFacts | null>>;
  /** Environment variables that can execute something (rules/environment.yaml), each with the command affected (`*`: all). */
  readonly environment: readonly { readonly name: string; readonly affects: string }[];
  readonly budget: BudgetFacts | null;
  /** Facts about the skill that the call uses; absent if the call uses none. */
  readonly skill?: SkillFact;
  /** This program's own configuration, state, log and install directories: protected from writes. */
  readonly ownDirectories: readonly string[];
  /** Paths of programs that the installed hook line starts, if the call names a file called like one; absent: none. */
  readonly hookPrograms?: readonly string[];
  /** Project files that settings of coding agents or of git start, if the call writes; absent: none. */
  readonly started?: readonly StartedFile[];
}

export interface StartedFile {
  /** Absolute path. */
  readonly path: string;
  /** The settings that name it, relative to the project. */
  readonly by: string;
  /** The path is a folder, and every file in it is started. */
  readonly whole?: boolean;
  /** The settings could not be read completely: `path` is the project, and any of its files may be started. */
  readonly unread?: boolean;
}
