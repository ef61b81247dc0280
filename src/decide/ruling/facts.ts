/** Everything that a decision needs from outside, gathered before it is made: `decide` itself does no I/O. */

/** What is known of one path; keyed in Facts by its absolute, lexically resolved form. */
export interface PathFact {
  /** Absolute path after symlinks (of the existing parents when the file itself does not exist). */
  readonly real: string;
  readonly kind: 'file' | 'directory' | 'missing' | 'other';
  /** A configuration of git that holds a credential. */
  readonly credential?: boolean;
  /**
   * A file of a name that secrets have, with none in it: a public key, what direnv is told about tools, or an `.npmrc` whose settings
   * make npm run, read and ask nothing else; absent: nobody can say.
   */
  readonly harmless?: boolean;
  /** A folder or file of the project that lies in a repository of its own, such as a submodule; a linked work tree of the project is none. */
  readonly nested?: boolean;
  /** See TemporaryFact; absent: it lies in no temporary folder, or nothing is proven of it there. */
  readonly temporary?: TemporaryFact;
}

/**
 * Of a path in a temporary folder of the machine, behind no link and in no folder that may belong to a project: its name may be listed.
 * What is there nobody but the user and root can put something else in the place of; a name that is not there yet anybody may take, in
 * the shared folder itself.
 */
export interface TemporaryFact {
  /** Everybody on the machine may read it (a folder: list it), or it is not there. */
  readonly reads: boolean;
  /** It is the user's own and nothing else leads to it, no program, or it is not there; a folder: the user's own, or open to all. */
  readonly writes: boolean;
}

/** A setting of git's configuration that holds a credential; its key is null where that cannot be shown or told. */
export interface CredentialFact {
  readonly key: string | null;
  readonly file: string;
  readonly line: number;
}

/** What a plain git command would meet in this repository, found without running git. */
export interface GitFacts {
  /** Real path of the top level; null when the call is made outside of any repository. */
  readonly top: string | null;
  readonly remotes: readonly string[];
  /** Remote and branch that a bare `git push` uses; null when not configured. */
  readonly branch: string | null;
  readonly upstream: { readonly remote: string; readonly branch: string } | null;
  /** Configuration that makes a plain git command execute something. */
  readonly hazards: readonly { readonly key: string; readonly file: string; readonly line: number }[];
  /** For every directory that a git command of the call runs in: the repository it would use, null for none. */
  readonly directories: Readonly<Record<string, string | null>>;
  /** Those of them that lie in no repository and outside the project: there git compares any files (`git diff a b`). */
  readonly astray: readonly string[];
  /** Absent where no remote is a repository of this machine. */
  readonly local?: LocalRemotes;
  /** What differs in other checkouts of the project that git commands of the call run in, by their top; their hazards are among those above. */
  readonly checkouts?: Readonly<Record<string, Pick<GitFacts, 'remotes' | 'branch' | 'upstream' | 'local'>>>;
}

/** Remotes by whose hooks a push runs programs on this machine. */
export interface LocalRemotes {
  readonly remotes: readonly string[];
  /** A push without an operand goes to such a one. */
  readonly bare: boolean;
}

/** What there is among the names of files that a command may be given by another one. */
export interface NameFacts {
  /** One holds a blank, a quote, a backslash or what some program may take for one. */
  readonly odd: boolean;
  /** One would not arrive as it is as a line of a text either; absent: where one is odd. */
  readonly torn?: boolean;
  /** One that stands first in a path begins with a hyphen or a colon. */
  readonly leading: boolean;
  /** One holds what shells take for a wildcard. */
  readonly wild: boolean;
  /** For an index: the directory is the top of its repository. */
  readonly top: boolean;
  /** For an index: one of them may hold secrets. */
  readonly secret?: boolean;
  /** For an index: one of them, or a link in installed packages that it names, leads out of the repository or to a secret. */
  readonly astray?: boolean;
}

/** What a session has spent before this call. */
export interface BudgetFacts {
  /** As far as the transcript tells, about a turn behind. */
  readonly tokens: number;
  readonly calls: number;
  readonly seconds: number;
  /** Tokens by agent name; below, its calls and its seconds. */
  readonly perAgent: Readonly<Record<string, number>>;
  readonly perAgentCalls?: Readonly<Record<string, number>>;
  readonly perAgentSeconds?: Readonly<Record<string, number>>;
  /** The run of `policy run` has spent its tokens or its time: which, as the end of a sentence. Absent: it has some left. */
  readonly runSpent?: string;
}

/**
 * What a skill does when it is loaded, as the policy answers to each of its commands; empty where all of it is allowed. Also what a client
 * reads for an agent that it starts.
 */
export interface SkillFact {
  readonly rulings: readonly SkillRuling[];
  /** The call starts an agent of which each call is judged, and which brings no programs, servers or permissions of its own. */
  readonly startsJudged?: true;
}

interface SkillRuling {
  readonly effect: 'ask' | 'deny';
  readonly message: string;
  /** Of the reason: `skill/commands` unless told. */
  readonly code?: string;
}

/** Protected files that a git command would change in the work tree: files of commits come into it. */
export interface IncomingFacts {
  /** Real path of the top level, which the paths are relative to. */
  readonly top: string;
  readonly files: readonly IncomingFile[];
  /** Of a source that is a tree: its name is that of a commit, and not of files (`git checkout FILE`). */
  readonly isRevision?: boolean;
  /** Files that git does not know, such as ignored ones, are in the way of its files, or may be: git replaces what is ignored. */
  readonly replaces?: boolean;
}

export interface IncomingFile {
  readonly path: string;
  readonly pattern: string;
}

/** Secret files that a git command would print. */
export interface PrintedFacts {
  /** Paths from the top level. */
  readonly secrets: readonly string[];
  /** Files with names of secrets that git knows here, printed or not: paths from the top level. */
  readonly tracked: readonly string[];
}

export interface Facts {
  /** Real path of the project. */
  readonly project: string;
  /** Real paths of the other checkouts of its repository: linked work trees are the project, too. Absent: there are none. */
  readonly checkouts?: readonly string[];
  /** Real path of the directory the call is made in. */
  readonly cwd: string;
  /** The call is made outside the project, or in another repository inside it. */
  readonly elsewhere?: boolean;
  readonly home: string;
  readonly platform: 'linux' | 'darwin' | 'win32';
  /** See Place. */
  readonly folders?: Readonly<Record<string, boolean | null>>;
  readonly paths: Readonly<Record<string, PathFact>>;
  /** Secret files below a directory that something wants to read recursively; null: too many files to say. */
  readonly secretTrees: Readonly<Record<string, readonly string[] | null>>;
  /** Links in installed packages and `.git` below a directory that lead out of the project or to a secret; null: too many files to say. */
  readonly packedLinks?: Readonly<Record<string, readonly string[] | null>>;
  /**
   * For trees that hold secrets: the last parts of the patterns by which files of ignored names take in what ripgrep would pass over;
   * absent or null: nobody can say.
   */
  readonly takenIn?: Readonly<Record<string, readonly string[] | null>>;
  /** For trees that hold secrets: those of them that ripgrep certainly passes over, since a `.gitignore` leaves them out. */
  readonly ignored?: Readonly<Record<string, readonly string[]>>;
  /** What names are in a directory and below it, or in git's index as seen from there; absent or null: nobody can say. */
  readonly names?: {
    readonly trees: Readonly<Record<string, NameFacts | null>>;
    readonly indexes: Readonly<Record<string, NameFacts | null>>;
    /** Of what is in a directory, not of what is below that. */
    readonly folders: Readonly<Record<string, NameFacts | null>>;
  };
  /** Files in a directory that Python would load in the place of its own modules; absent or null: nobody can say. */
  readonly modules?: Readonly<Record<string, readonly string[] | null>>;
  /** The paths that a glob which is written to, or leads into installed packages or a temporary folder, stands for now, and where they really lead; absent or null: nobody can say. */
  readonly globs?: Readonly<Record<string, readonly string[] | null>>;
  /**
   * Policies, settings and hooks of runners below a folder of the project that is deleted, moved, replaced or filled (absolute paths);
   * null: too many files to say. Absent: there are none, or nobody looked.
   */
  readonly settingsBelow?: Readonly<Record<string, readonly string[] | null>>;
  /** The scripts in the nearest file of that name from a directory up to the project's top, by `DIRECTORY/NAME`: `/p/src/package.json`. */
  readonly scripts?: Readonly<Record<string, readonly string[]>>;
  /** Whether a word behind a program of the project is a program itself: on PATH, or installed in the project. Absent: nobody looked. */
  readonly programs?: Readonly<Record<string, boolean>>;
  /** Null: not a git repository; absent facts never prove anything. */
  readonly git: GitFacts | null;
  /** Settings that hold a credential, for every directory in which a command of git prints settings. */
  readonly credentials?: Readonly<Record<string, readonly CredentialFact[]>>;
  /** Names of the hooks that git would run, for every directory of a command that runs some; null: nobody can say. */
  readonly hooks?: Readonly<Record<string, readonly string[] | null>>;
  /** What git commands of the call would print, by `printedKey`; absent or null: nobody can say. */
  readonly printed?: Readonly<Record<string, PrintedFacts | null>>;
  /** What git commands of the call would change, by `incomingKey`; absent or null: nobody can say. */
  readonly incoming?: Readonly<Record<string, IncomingFacts | null>>;
  /** Exec-capable variables found in the environment (rules/environment.yaml), with the command each affects (`*`: all). */
  readonly environment: readonly { readonly name: string; readonly affects: string }[];
  readonly budget: BudgetFacts | null;
  /** Of the skill that the call uses; absent for every other call. */
  readonly skill?: SkillFact;
  /** Our own configuration, state, log and install directories: protected from writes. */
  readonly ownDirectories: readonly string[];
  /** Programs that the installed line starts, where the call names a file like one; absent: none. */
  readonly hookPrograms?: readonly string[];
  /** Files of the project that settings of coding agents and of git start, where the call writes; absent: none. */
  readonly started?: readonly StartedFile[];
}

export interface StartedFile {
  /** Absolute. */
  readonly path: string;
  /** The settings that name it, relative to the project. */
  readonly by: string;
  /** It is a folder, of which everything is started. */
  readonly whole?: boolean;
  /** The settings could not be read to their end: it is the project, of which any file may be started. */
  readonly unread?: boolean;
}
