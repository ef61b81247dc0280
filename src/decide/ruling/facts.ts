/** Everything that a decision needs from outside, gathered beforehand: `decide` itself does no I/O. */

/** The facts about one path; the key in Facts is its absolute, lexically resolved form. */
export interface PathFact {
  /** Absolute path with symlinks resolved (those of the existing parents if the file itself does not exist). */
  readonly real: string;
  readonly kind: 'file' | 'directory' | 'missing' | 'other';
  /** A git configuration that contains a credential. */
  readonly credential?: boolean;
  /**
   * A file with the name of a secret file, but without a secret: a public key, direnv instructions about tools, or an `.npmrc`
   * whose settings make npm run, read and contact nothing else. Absent: unknown.
   */
  readonly harmless?: boolean;
  /**
   * A folder or file of the project that is in a repository of its own, such as a submodule; a linked work tree of the project is
   * not nested.
   */
  readonly nested?: boolean;
  /** See TemporaryFact; absent: it is in no temporary folder, or nothing is proven about it there. */
  readonly temporary?: TemporaryFact;
}

/**
 * A path in a temporary folder of the machine, not behind a symlink and not in a folder that may belong to a project: its name may be
 * listed. Only the user and root can replace an existing path. In the shared folder itself, anyone may create a missing one.
 */
export interface TemporaryFact {
  /** Every user of the machine may read it (for a folder: list it), or it does not exist. */
  readonly reads: boolean;
  /**
   * It belongs to the user, has no other links to it and is not a program; or it does not exist. For a folder: it belongs to the
   * user, or is open to all.
   */
  readonly writes: boolean;
}

/** A setting in git's configuration that contains a credential; its key is null if it must not be shown or is unknown. */
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
  /** The current branch, and the remote and branch that a bare `git push` uses; null if not configured. */
  readonly branch: string | null;
  readonly upstream: { readonly remote: string; readonly branch: string } | null;
  /** Configuration that makes an ordinary git command execute something. */
  readonly hazards: readonly { readonly key: string; readonly file: string; readonly line: number }[];
  /** For every directory in which a git command of the call runs: the repository that it would use, null if there is none. */
  readonly directories: Readonly<Record<string, string | null>>;
  /** Directories that are in no repository and outside the project: there git compares any files (`git diff a b`). */
  readonly astray: readonly string[];
  /** Absent if no remote is a repository on this machine. */
  readonly local?: LocalRemotes;
  /**
   * Differences in other checkouts of the project in which git commands of the call run, by their top level; their hazards are
   * included in `hazards`.
   */
  readonly checkouts?: Readonly<Record<string, Pick<GitFacts, 'remotes' | 'branch' | 'upstream' | 'local'>>>;
}

/** Remotes on this machine: a push runs their hooks here. */
export interface LocalRemotes {
  readonly remotes: readonly string[];
  /** A push without an operand goes to such a remote. */
  readonly bare: boolean;
}

/** Properties of the file names that another command may pass to a command. */
export interface NameFacts {
  /** A name contains a blank, a quote, a backslash or a character that some program may treat as one. */
  readonly odd: boolean;
  /** A name would not survive as one line of text either; if absent, `odd` is used instead. */
  readonly torn?: boolean;
  /** A name at the beginning of a path starts with a hyphen or a colon. */
  readonly leading: boolean;
  /** A name contains a shell wildcard. */
  readonly wild: boolean;
  /** For an index: the directory is the top of its repository. */
  readonly top: boolean;
  /** For an index: one of the files may contain secrets. */
  readonly secret?: boolean;
  /** For an index: one of the files, or a symlink in installed packages that it names, leads out of the repository or to a secret. */
  readonly astray?: boolean;
}

/** What a session has spent before this call. */
export interface BudgetFacts {
  /** According to the transcript, which is about one turn behind. */
  readonly tokens: number;
  readonly calls: number;
  readonly seconds: number;
  /** Tokens by agent name, followed by calls and seconds by agent name. */
  readonly perAgent: Readonly<Record<string, number>>;
  readonly perAgentCalls?: Readonly<Record<string, number>>;
  readonly perAgentSeconds?: Readonly<Record<string, number>>;
  /** Which limit (tokens or time) this run of `policy run` has used up, as the end of a sentence. Absent: none. */
  readonly runSpent?: string;
}

/**
 * The policy's rulings on what a skill does when it is loaded, one for each of its commands; empty if everything is allowed. Also
 * covers files that a runner reads for an agent that it starts.
 */
export interface SkillFact {
  readonly rulings: readonly SkillRuling[];
  /** The call starts an agent whose calls are all judged, and which brings no programs, servers or permissions of its own. */
  readonly startsJudged?: true;
}

interface SkillRuling {
  readonly effect: 'ask' | 'deny';
  readonly message: string;
  /** The code of the reason; `skill/commands` by default. */
  readonly code?: string;
}

/** Protected files in the work tree that a git command would change by bringing in files of commits. */
export interface IncomingFacts {
  /** Real path of the top level, to which the paths are relative. */
  readonly top: string;
  readonly files: readonly IncomingFile[];
  /** For a source that is a tree: its name is a commit, not a file (`git checkout FILE`). */
  readonly isRevision?: boolean;
  /** Untracked files are, or may be, in the way of git's files: git replaces ignored ones. */
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
  /** Files with secret names that git tracks here, printed or not: paths relative to the top level. */
  readonly tracked: readonly string[];
}

export interface Facts {
  /** Real path of the project. */
  readonly project: string;
  /** Real paths of the other checkouts of its repository: linked work trees are also part of the project. Absent: there are none. */
  readonly checkouts?: readonly string[];
  /** Real path of the directory in which the call is made. */
  readonly cwd: string;
  /** The call is made outside the project, or in another repository inside it. */
  readonly elsewhere?: boolean;
  readonly home: string;
  readonly platform: 'linux' | 'darwin' | 'win32';
  /** See Place. */
  readonly folders?: Readonly<Record<string, boolean | null>>;
  readonly paths: Readonly<Record<string, PathFact>>;
  /** Secret files below a directory that a command or tool would read recursively; null: too many files to tell. */
  readonly secretTrees: Readonly<Record<string, readonly string[] | null>>;
  /**
   * Symlinks in installed packages and `.git` below a directory that lead out of the project or to a secret; null: too many files to tell.
   */
  readonly packedLinks?: Readonly<Record<string, readonly string[] | null>>;
  /**
   * For trees that contain secrets: the last segments of the patterns by which ignore files include names that ripgrep would
   * skip; absent or null: unknown.
   */
  readonly takenIn?: Readonly<Record<string, readonly string[] | null>>;
  /** For trees that contain secrets: the secrets that ripgrep certainly skips because a `.gitignore` excludes them. */
  readonly ignored?: Readonly<Record<string, readonly string[]>>;
  /** Properties of the names in and below a directory, or in git's index relative to it; absent or null: unknown. */
  readonly names?: {
    readonly trees: Readonly<Record<string, NameFacts | null>>;
    readonly indexes: Readonly<Record<string, NameFacts | null>>;
    /** For names directly in a directory, not below its sub-folders. */
    readonly folders: Readonly<Record<string, NameFacts | null>>;
  };
  /** Files in a directory that Python would load instead of its own modules; absent or null: unknown. */
  readonly modules?: Readonly<Record<string, readonly string[] | null>>;
  /**
   * The current matches, and their real targets, of a glob that is written to, or leads into installed packages or a temporary
   * folder; absent or null: unknown.
   */
  readonly globs?: Readonly<Record<string, readonly string[] | null>>;
  /**
   * Policies, settings and hooks of runners below a folder of the project that is deleted, moved, replaced or filled (absolute
   * paths); null: too many files to tell. Absent: there are none, or nobody looked.
   */
  readonly settingsBelow?: Readonly<Record<string, readonly string[] | null>>;
  /**
   * The scripts in the nearest file with that name, from a directory up to the project's top, by `DIRECTORY/NAME`: `/p/src/package.json`.
   */
  readonly scripts?: Readonly<Record<string, readonly string[]>>;
  /**
   * Whether a word after one of the project's programs is itself a program: on PATH, or installed in the project. Absent: nobody looked.
   */
  readonly programs?: Readonly<Record<string, boolean>>;
  /** Null: not a git repository. A missing fact never proves anything. */
  readonly git: GitFacts | null;
  /** Settings that contain a credential, for every directory in which a git command prints settings. */
  readonly credentials?: Readonly<Record<string, readonly CredentialFact[]>>;
  /** Names of the hooks that git would run, for every directory of a command that runs hooks; null: unknown. */
  readonly hooks?: Readonly<Record<string, readonly string[] | null>>;
  /** Secret files that git commands of the call would print, by `printedKey`; absent or null: unknown. */
  readonly printed?: Readonly<Record<string, PrintedFacts | null>>;
  /** Protected files that git commands of the call would change, by `incomingKey`; absent or null: unknown. */
  readonly incoming?: Readonly<Record<string, IncomingFacts | null>>;
  /** Environment variables that can execute something (rules/environment.yaml), with the command that each affects (`*`: all). */
  readonly environment: readonly { readonly name: string; readonly affects: string }[];
  readonly budget: BudgetFacts | null;
  /** Facts about the skill that the call uses; absent for every other call. */
  readonly skill?: SkillFact;
  /** This program's own configuration, state, log and install directories: protected from writes. */
  readonly ownDirectories: readonly string[];
  /** Programs that the installed hook line starts, if the call names a file like one of them; absent: none. */
  readonly hookPrograms?: readonly string[];
  /** Files of the project that settings of coding agents and of git start, if the call writes; absent: none. */
  readonly started?: readonly StartedFile[];
}

export interface StartedFile {
  /** Absolute path. */
  readonly path: string;
  /** The settings that name it, relative to the project. */
  readonly by: string;
  /** It is a folder in which every file is started. */
  readonly whole?: boolean;
  /** The settings could not be read completely: `path` is the project, and any of its files may be started. */
  readonly unread?: boolean;
}
