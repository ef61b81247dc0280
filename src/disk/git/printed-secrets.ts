/** The secret files that `git diff`, `git show`, `git log -p` and `git stash show` would print, according to git itself. */
import { posix } from 'node:path';
import type { Printed } from '../../command/git/printed.js';
import type { PrintedNeeded } from '../../decide/guards/git/printed-secrets.js';
import { secretPath } from '../../decide/place/sensitive-paths.js';
import type { PrintedFacts } from '../../decide/ruling/facts.js';
import { isInside, pathIn } from '../inside.js';
import { type AskedGit, type AskingTime, gitIn } from './ask.js';
import { gitDirectory, locateRepository, realOrSelf } from './directory.js';
import { readIndex } from './index-file.js';
import { changedFiles, commitNamed, trackedFiles } from './listing.js';

/** The project, the user's home directory, and the time limit for git. */
interface Around {
  readonly project: string;
  readonly home: string;
  readonly time: AskingTime;
}

const NOTHING: PrintedFacts = { secrets: [], tracked: [] };
const NO_NAMES: ReadonlySet<string> = new Set();
/** `HEAD:file`, `:file` and `:0:file`. */
const ONE_FILE = /^(?:[^:]+:|:(?:[0-3]:)?)[^/(!^:]/;
/** The object types that `git cat-file` accepts before a name. */
const TYPES: ReadonlySet<string> = new Set(['blob', 'tree', 'commit', 'tag']);
/** A pathspec that is more than the name of a file or folder. */
const PATTERN = /^:|[*?[\\]/;

/** Returns the secret files that git would print; null if they cannot be determined within the limits of `gitIn`. */
export function printedSecrets({ directory, printed }: PrintedNeeded, around: Around): PrintedFacts | null {
  const start = realOrSelf(directory);
  const located = locateRepository(start);
  // Outside a repository, git compares the named files, and their names protect them.
  if (located === null) return NOTHING;
  const { top } = located;
  const isSecret = (path: string) => path !== '' && secretPath(pathIn(top, path), around.home) !== null;
  if (isPlainDiff(printed)) {
    const [folder, common = folder] = gitDirectory(top, located.sound).folders;
    const index = folder === undefined || common === undefined ? null : readIndex(folder, common);
    if (index !== null && index.folders.length === 0 && !index.names.some(isSecret)) return NOTHING;
  }
  const git = gitIn(top, around.home, around.project, around.time);
  return git === null ? null : new Repository(git, top, start, isSecret).printedBy(printed);
}

/** Whether only the index and the work tree are compared. */
function isPlainDiff({ kind, operands, cached }: Printed): boolean {
  return kind === 'diff' && operands.length === 0 && !cached;
}

interface Operands {
  /** The revisions as written. */
  readonly revisions: readonly string[];
  /** Ids of the commits that the revisions stand for. */
  readonly commits: readonly string[];
  readonly files: readonly string[];
}

const NO_OPERANDS: Operands = { revisions: [], commits: [], files: [] };
const ALL = { everything: true, most: null, filters: [] };

/** A repository that is searched for secret files. Every method returns null when git gives no answer. */
class Repository {
  constructor(
    private readonly git: AskedGit,
    private readonly top: string,
    private readonly directory: string,
    private readonly isSecret: (path: string) => boolean,
  ) {}

  printedBy(printed: Printed): PrintedFacts | null {
    const read = this.operands(printed);
    const found = read === null ? this.any([]) : this.secretsOf(printed, read);
    // Git always has an answer to this last question: the answer proves that no earlier question exceeded the time limit.
    const index = this.listed(null);
    if (found === null || index === null) return null;
    // Operands that are not commits are file names.
    const pathspecs = read === null ? [] : [...(printed.kind === 'grep' ? [] : read.files), ...printed.pathspecs];
    const secrets = [...found].filter((path) => this.isSecret(path) && this.isMeant(path, pathspecs));
    return { secrets, tracked: [...new Set([...index.keys(), ...secrets])] };
  }

  /**
   * Determines which operands are commits and which are files; git refuses a word that names both, or neither. Returns null if
   * an operand is anything else.
   */
  private operands({ kind, operands: words }: Printed): Operands | null {
    const revisions: string[] = [];
    const commits: string[] = [];
    const files: string[] = [];
    for (const word of words) {
      if (kind === 'object' && TYPES.has(word)) continue;
      if (ONE_FILE.test(word)) {
        // The rules for paths judge a single file by its name; folders are compared with all their files.
        if (kind === 'diff' && (word.includes(':.') || this.git.ask(['cat-file', '-t', word])?.trim() !== 'blob')) return null;
        continue;
      }
      const names = this.objects(kind === 'stash' && /^\d+$/.test(word) ? `stash@{${word}}` : word).map((name) =>
        this.commit(name),
      );
      if (names.includes(null)) return null;
      if (names.length === 0) files.push(word);
      else revisions.push(word);
      commits.push(...names.flatMap((name) => name ?? []));
    }
    return { revisions, commits, files };
  }

  private secretsOf(printed: Printed, read: Operands): ReadonlySet<string> | null {
    const { kind, operands, cached, everything, counted } = printed;
    const { revisions, commits, files } = read;
    const isOneFile = operands.length > 0 && revisions.length + files.length === 0;
    switch (kind) {
      case 'diff':
        return isOneFile ? NO_NAMES : this.compared(commits, cached);
      case 'status':
        return union(this.compared([], true), this.compared([], false));
      case 'stash':
        return this.stashed(commits[0] ?? this.commit('refs/stash'));
      case 'show':
        if (isOneFile) return NO_NAMES;
        if (commits.length === 2 && revisions.length === 2) return union(this.compared(commits, true), this.shown(commits));
        // With a number of commits, git prints a history, as for a range.
        if (commits.length > revisions.length || everything || counted)
          return this.logged(read, printed, [...files, ...printed.pathspecs]);
        return this.shown(commits.length > 0 ? commits : [this.commit('HEAD')]);
      case 'log':
        return this.logged(read, printed, [...files, ...printed.pathspecs]);
      case 'object':
        return NO_NAMES;
      case 'grep':
        return commits
          .map((one) => this.listed(one))
          .reduce<ReadonlySet<string> | null>((found, files) => union(found, files && new Set(files.keys())), NO_NAMES);
      case 'any':
        return this.any(printed.pathspecs);
    }
  }

  /** Returns the secret files of the index and of all commits known to git. */
  private any(pathspecs: readonly string[]): ReadonlySet<string> | null {
    const index = this.listed(null);
    return index && union(new Set(index.keys()), this.logged(NO_OPERANDS, ALL, pathspecs));
  }

  /** Returns the ids of the objects that a word stands for, including the ends of ranges; none for a file name. */
  private objects(word: string): readonly string[] {
    const printed = this.git.ask(['rev-parse', '--end-of-options', word, '--']) ?? '';
    return printed.split('\n').flatMap((line) => /^\^?([0-9a-f]{40,64})$/.exec(line)?.[1] ?? []);
  }

  private commit(revision: string): string | null {
    return commitNamed(this.git, revision);
  }

  /** Returns the secret files of a commit, or of the index. */
  private listed(commit: string | null): Map<string, string> | null {
    const files = trackedFiles(this.git, commit);
    return files && new Map([...files].filter(([path]) => this.isSecret(path)));
  }

  /**
   * Returns the secret files that differ between any two of the compared states: the commits, and with fewer than two commits
   * also the index or the work tree.
   */
  private compared(commits: readonly string[], cached: boolean): ReadonlySet<string> | null {
    const head = cached && commits.length === 0 ? this.commit('HEAD') : null;
    // Before the first commit, the whole index is new.
    const lists = [...commits, ...(head === null ? [] : [head])].map((commit) => this.listed(commit));
    const index = this.listed(null);
    if (cached || commits.length === 0) lists.push(index);
    if (cached && commits.length === 0 && head === null) lists.push(new Map());
    const found = new Set<string>();
    const [first, ...others] = lists;
    if (first === undefined || first === null || index === null) return null;
    for (const other of others) {
      if (other === null) return null;
      for (const path of [...first.keys(), ...other.keys()]) if (first.get(path) !== other.get(path)) found.add(path);
    }
    if (cached || commits.length > 1) return found;
    const changed = changedFiles(this.git, this.top, [...first]);
    if (changed === null) return null;
    for (const path of [...changed, ...[...index.keys()].filter((one) => !first.has(one))]) found.add(path);
    return found;
  }

  /** Returns the secret files that the commits changed; each commit is compared with all of its parents. */
  private shown(commits: readonly (string | null)[]): ReadonlySet<string> | null {
    const names = commits.flatMap((commit) => commit ?? []);
    if (names.length === 0) return commits.length === 0 ? new Set() : null;
    return this.namesIn(['log', '--no-walk=unsorted', ...SHOWN, ...names, '--']);
  }

  private stashed(stash: string | null): ReadonlySet<string> | null {
    const base = stash === null ? null : this.commit(`${stash}^1`);
    if (stash === null || base === null) return null;
    const untracked = this.commit(`${stash}^3`);
    const changed = this.compared([base, stash], true);
    const added = untracked === null ? new Map<string, string>() : this.listed(untracked);
    return changed && added && new Set([...changed, ...added.keys()]);
  }

  /** Returns the secret files that a history changed, in at most `most` commits; in all commits if `most` is null. */
  private logged(
    { revisions, commits }: Operands,
    { everything, most, filters }: Pick<Printed, 'everything' | 'most' | 'filters'>,
    pathspecs: readonly string[],
  ): ReadonlySet<string> | null {
    const from = everything ? ['--all', '--reflog', ...commits] : revisions.length > 0 ? revisions : ['HEAD'];
    const where = pathspecs.map((one) => this.fromTop(one));
    const which = most === null ? '--full-history' : `--max-count=${most}`;
    return this.namesIn([
      ...['log', which, ...filters, ...SHOWN, ...from, '--'],
      ...(where.includes(null) ? [] : where.flatMap((one) => one ?? [])),
    ]);
  }

  /** Returns the pathspec relative to the top of the repository; null if it is too complex to convert. */
  private fromTop(path: string): string | null {
    if (!PATTERN.test(path)) return `:(top,literal)${posix.relative(this.top, posix.resolve(this.directory, path))}`;
    return this.directory === this.top && !path.includes('..') ? path : null;
  }

  private namesIn(words: readonly string[]): ReadonlySet<string> | null {
    const printed = this.git.ask(words);
    return printed === null ? null : new Set(printed.split(/[\0\n]/).filter(this.isSecret));
  }

  /** Whether the pathspecs may include a file; only plain names and plain exclusions restrict the selection. */
  private isMeant(path: string, pathspecs: readonly string[]): boolean {
    const excluded = pathspecs.flatMap((one) => /^:(?:[!^]|\(exclude\))([^*?[\\:(]+)$/.exec(one)?.[1] ?? []);
    if (excluded.some((one) => this.isAt(path, one))) return false;
    const wanted = pathspecs.filter((one) => !/^:(?:[!^]|\(exclude\))/.test(one));
    return wanted.length === 0 || wanted.some((one) => PATTERN.test(one) || this.isAt(path, one));
  }

  private isAt(path: string, named: string): boolean {
    return isInside(pathIn(this.top, path), posix.resolve(this.directory, named));
  }
}

function union(one: ReadonlySet<string> | null, other: ReadonlySet<string> | null): ReadonlySet<string> | null {
  return one === null || other === null ? null : new Set([...one, ...other]);
}

/** Options to print names only, and to compare merges with each parent. */
const SHOWN = ['--format=', '--name-only', '-z', '-m', '--no-renames', '--no-show-signature', '--no-notes'];
