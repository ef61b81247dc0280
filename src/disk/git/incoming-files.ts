/** The protected files that a git command would change when it brings files of commits into the work tree, according to git itself. */
import { lstatSync } from 'node:fs';
import { posix } from 'node:path';
import type { IncomingSource } from '../../command/git/incoming.js';
import type { IncomingNeeded } from '../../decide/guards/git/incoming-needed.js';
import { protectedPath } from '../../decide/place/sensitive-paths.js';
import type { IncomingFacts, IncomingFile } from '../../decide/ruling/facts.js';
import { isInside, pathIn } from '../inside.js';
import { readText } from '../read.js';
import { type AskedGit, type AskingTime, gitIn } from './ask.js';
import { repositoryOf } from './common-directory.js';
import { locateRepository, realOrSelf } from './directory.js';
import { changedFiles, commitNamed, trackedFiles } from './listing.js';

/** The project and user whose files are protected. */
interface Around {
  readonly project: string;
  readonly home: string;
  readonly ownDirectories: readonly string[];
  readonly trustedFiles?: Readonly<Record<string, string>>;
  readonly time: AskingTime;
}

/** Returns the protected files that git would change; null if they cannot be determined within the limits of `gitIn`. */
export function incomingFiles({ directory, source }: IncomingNeeded, around: Around): IncomingFacts | null {
  // Git would find none either, but takes several milliseconds for that.
  if (locateRepository(realOrSelf(directory)) === null) return null;
  const git = gitIn(directory, around.home, around.project, around.time);
  const top = git?.ask(['rev-parse', '--show-toplevel'])?.replace(/\n$/, '');
  if (git === null || top === undefined || top === '' || top.includes('\n')) return null;
  // Git prints paths relative to the top only when it runs there.
  const asked = gitIn(top, around.home, around.project, around.time);
  if (asked === null) return null;
  const isProtected = (path: string) => protectedPath(`${top}/${path}`, around.home, around.ownDirectories);
  const work = new Work(asked, top, realOrSelf(directory), (path) => isProtected(path) !== null);
  const { trustedFiles = {} } = around;
  const isProject = repositoryOf(top).path === repositoryOf(around.project).path;
  const changed = work.changedBy(source);
  if (changed === null) return null;
  const files = [...changed].flatMap((path): IncomingFile[] => {
    const hit = isProtected(path);
    const trusted = isProject && hit !== null && Object.hasOwn(trustedFiles, path) ? trustedFiles[path] : undefined;
    // That policy is in force before and after, whether or not the file exists.
    if (hit !== null && trusted !== undefined && work.keepsTrusted(source, path, trusted)) return [];
    return hit === null ? [] : [{ path, pattern: hit.pattern }];
  });
  if (!work.isRevision(source)) return { top, files };
  return { top, files, isRevision: true, ...(work.replaces(source) && { replaces: true }) };
}

/** Names and the change to each: `A` added, `D` deleted, anything else changed. */
type Changes = ReadonlyMap<string, string>;

/** A work tree that receives files of commits. Every method returns null when git gives no answer. */
class Work {
  constructor(
    private readonly git: AskedGit,
    private readonly top: string,
    private readonly directory: string,
    private readonly isProtected: (path: string) => boolean,
  ) {}

  /** Returns the names of files that may change; unprotected ones may be missing. */
  changedBy(source: IncomingSource): ReadonlySet<string> | null {
    switch (source.kind) {
      case 'merge':
      case 'rebase':
        return this.merged(this.commit(source.revision));
      case 'stash':
        return this.unstashed(this.commit(source.revision));
      case 'commits':
        return union(source.revisions.map((revision) => this.picked(this.commit(revision))));
      case 'patch':
        return union(source.files.map((file) => namesInPatch(posix.resolve(this.directory, file))));
      case 'untracked':
        return this.untracked(source);
      case 'remote':
        return null;
      case 'tree': {
        const { revision, branch, discards, thenIndex } = source;
        const to = branch ? this.branch(revision) : this.commit(revision);
        // `git checkout FILE`: a name that is no revision.
        if (to === null && branch && !discards) return this.fromIndex([revision]);
        const replaced = this.replaced(to, discards);
        return thenIndex === true ? union([replaced, this.restored(trackedFiles(this.git, null), () => true)]) : replaced;
      }
      case 'files': {
        const { revision, pathspecs, either } = source;
        const from = revision === null ? null : this.commit(revision);
        if (revision === null) return this.fromIndex(pathspecs);
        if (from === null) return either === true ? this.fromIndex([revision, ...pathspecs]) : null;
        return this.restored(trackedFiles(this.git, from), (path) => this.mayMatch(pathspecs, path));
      }
    }
  }

  /** Whether the name of a tree is a commit, since `git checkout FILE` takes files out of the index. */
  isRevision(source: IncomingSource): boolean {
    if (source.kind !== 'tree') return false;
    return (source.branch ? this.branch(source.revision) : this.commit(source.revision)) !== null;
  }

  /** Whether a tree has files that HEAD lacks and whose places are taken; true also if that cannot be determined. */
  replaces(source: IncomingSource): boolean {
    if (source.kind !== 'tree' || source.discards) return false;
    const to = source.branch ? this.branch(source.revision) : this.commit(source.revision);
    const head = this.commit('HEAD');
    const changed = to === null || head === null ? null : this.changes(head, to);
    if (changed === null) return true;
    const added = [...changed].flatMap(([path, status]) => (status === 'A' ? [path] : []));
    if (added.length > MOST_ADDED) return true;
    return (
      added.some((path) => isThere(pathIn(this.top, path))) || parentsOf(added).some((path) => isFile(pathIn(this.top, path)))
    );
  }

  /**
   * Whether a protected file, before and after, is the one that a person trusts or does not exist; `name` is git's object name
   * for its text.
   */
  keepsTrusted(source: IncomingSource, path: string, name: string): boolean {
    if (source.kind !== 'tree' || source.thenIndex === true) return false;
    const to = source.branch ? this.branch(source.revision) : this.commit(source.revision);
    const listed = to === null ? null : this.git.ask(['ls-tree', to, '--', path]);
    if (listed !== '' && /^100(?:644|755) blob ([0-9a-f]+)\t/.exec(listed ?? '')?.[1] !== name) return false;
    return !isThere(pathIn(this.top, path)) || changedFiles(this.git, this.top, [[path, name]])?.size === 0;
  }

  private commit(revision: string): string | null {
    return commitNamed(this.git, revision);
  }

  /**
   * Returns the branch of that name, else the object that git resolves the name to, else the only remote branch of that name,
   * from which git would create one.
   */
  private branch(name: string): string | null {
    const own = this.commit(`refs/heads/${name}`) ?? this.commit(name);
    if (own !== null) return own;
    const listed = this.git.ask(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/remotes']);
    const remote = (listed ?? '').split('\n').filter((line) => line.endsWith(`/${name}`));
    return remote.length === 1 ? (remote[0]?.split(' ', 1)[0] ?? null) : null;
  }

  private changes(from: string, to: string): Changes | null {
    const printed = this.git.ask(['diff-tree', '-r', '-z', '--no-renames', '--name-status', from, to]);
    if (printed === null) return null;
    const parts = printed.split('\0');
    const found = new Map<string, string>();
    for (let at = 0; at + 1 < parts.length; at += 2) found.set(parts[at + 1] ?? '', parts[at] ?? '');
    return found;
  }

  /** For a merge of a commit with HEAD: returns the files that it changed since their common commit. */
  private merged(theirs: string | null): ReadonlySet<string> | null {
    const head = this.commit('HEAD');
    if (theirs === null || head === null) return null;
    const apart = this.changes(head, theirs);
    // Without a common commit git prints nothing and fails.
    const bases = this.git.ask(['merge-base', '--all', head, theirs])?.trim().split('\n') ?? null;
    if (apart === null) return null;
    if (bases === null) return new Set(apart.keys());
    const brought = union(bases.map((base) => this.joined(base, head, theirs)));
    return brought && new Set([...brought].filter((path) => apart.has(path)));
  }

  /**
   * Returns the files changed since a base, and files that such a change may be carried to: git follows files that HEAD has
   * renamed, and adds files to folders that HEAD has moved.
   */
  private joined(base: string, head: string, theirs: string): ReadonlySet<string> | null {
    const brought = this.changes(base, theirs);
    const own = brought && this.changes(base, head);
    if (brought === null || own === null) return null;
    const gone = new Set([...own].flatMap(([path, status]) => (status === 'D' ? [path] : [])));
    const folders = new Set([...gone].map((path) => posix.dirname(path)));
    const follows = [...brought].some(([path, status]) => gone.has(path) || (status === 'A' && isBelowOneOf(path, folders)));
    const added = follows ? [...own].flatMap(([path, status]) => (status === 'A' && this.isProtected(path) ? [path] : [])) : [];
    return new Set([...brought.keys(), ...added]);
  }

  /** Returns the changes of a single commit, applied or reverted on top of HEAD. */
  private picked(commit: string | null): ReadonlySet<string> | null {
    const head = this.commit('HEAD');
    const parents = commit === null ? null : this.git.ask(['rev-parse', `${commit}^@`]);
    const names = (parents ?? '')
      .trim()
      .split('\n')
      .filter((name) => name !== '');
    if (commit === null || head === null || parents === null) return null;
    // The very first commit is compared with the empty tree.
    if (names.length === 0) names.push(this.git.ask(['hash-object', '-t', 'tree', '/dev/null'])?.trim() ?? '');
    return union(names.flatMap((parent) => [this.joined(parent, head, commit), this.joined(commit, head, parent)]));
  }

  /** A stash is a commit on top of its base; its third parent contains the untracked files. */
  private unstashed(stash: string | null): ReadonlySet<string> | null {
    const head = this.commit('HEAD');
    const base = stash === null ? null : this.commit(`${stash}^1`);
    if (stash === null || head === null || base === null) return null;
    const untracked = this.commit(`${stash}^3`);
    const listed = untracked === null ? new Map<string, string>() : trackedFiles(this.git, untracked);
    return union([this.joined(base, head, stash), listed && new Set(listed.keys())]);
  }

  /** For a switch from HEAD to another commit: returns the changed files; if edits are discarded, also protected files that were edited. */
  private replaced(to: string | null, discards: boolean): ReadonlySet<string> | null {
    const head = this.commit('HEAD');
    const changed = to === null || head === null ? null : this.changes(head, to);
    if (to === null || changed === null) return null;
    const names = new Set(changed.keys());
    if (!discards) return names;
    const tree = trackedFiles(this.git, to);
    const index = trackedFiles(this.git, null);
    const lost = index === null || tree === null ? null : new Set([...index.keys()].filter((path) => !tree.has(path)));
    return union([names, lost, this.restored(tree, () => true)]);
  }

  /** Returns those protected files of a listing that differ in the work tree. */
  private restored(listed: Map<string, string> | null, counts: (path: string) => boolean): ReadonlySet<string> | null {
    if (listed === null) return null;
    const wanted = [...listed].filter(([path]) => this.isProtected(path) && counts(path));
    return changedFiles(this.git, this.top, wanted);
  }

  /** Returns null if no tracked file has such a name: then git may do something else. */
  private fromIndex(pathspecs: readonly string[]): ReadonlySet<string> | null {
    const index = trackedFiles(this.git, null);
    if (index === null || ![...index.keys()].some((path) => this.mayMatch(pathspecs, path))) return null;
    return this.restored(index, (path) => this.mayMatch(pathspecs, path));
  }

  private untracked({ ignored, kept, pathspecs }: IncomingSource & { kind: 'untracked' }): ReadonlySet<string> | null {
    const left = [...(ignored ? [] : ['--exclude-standard']), ...kept.map((pattern) => `--exclude=${pattern}`)];
    const printed = this.git.ask(['ls-files', '-z', '--others', ...left]);
    const isMeant = (path: string) => pathspecs.length === 0 || this.mayMatch(pathspecs, path);
    return printed === null ? null : new Set(printed.split('\0').filter((path) => this.isProtected(path) && isMeant(path)));
  }

  /** Whether one of the pathspecs may mean a file; one with wildcards or magic may mean any. */
  private mayMatch(pathspecs: readonly string[], path: string): boolean {
    const whole = pathIn(this.top, path);
    return pathspecs.some((pathspec) => {
      if (/^:|[*?[\\]/.test(pathspec)) return true;
      const named = posix.resolve(this.directory, pathspec);
      return whole === named || whole.startsWith(`${named}/`) || !isInside(named, this.top);
    });
  }
}

/**
 * Returns every name in a patch; null if it cannot be read, or contains a name with escapes. Names have an additional leading folder
 * (`a/x`), or are shortened by `-p`: neither affects whether a name is protected, since the patterns of a project match at any depth.
 */
function namesInPatch(file: string): ReadonlySet<string> | null {
  const read = readText(file, { limit: MOST_BYTES });
  if (!read.ok) return null;
  const names = new Set<string>();
  for (const [, name = ''] of read.text.matchAll(NAME_IN_PATCH)) {
    if (name.includes('\\')) return null;
    for (const part of name.split(/[\t "]/)) names.add(part);
    names.add(name);
  }
  return names;
}

const NAME_IN_PATCH = /^(?:---|\+\+\+|diff --git|(?:rename|copy) (?:from|to)|Index:)[ \t]+(.*?)\r?$/gm;

/** At most this many files that a commit adds are looked for in the work tree. */
const MOST_ADDED = 5000;

/** Returns every folder above one of the paths, except the top. */
function parentsOf(paths: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const path of paths)
    for (let folder = posix.dirname(path); folder !== '.' && !found.has(folder); folder = posix.dirname(folder))
      found.add(folder);
  return [...found];
}

/** True also if that cannot be determined. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** True for anything but a folder, including a link to one. */
function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch {
    return true;
  }
}

/** Maximum bytes of a patch. */
const MOST_BYTES = 4 * 1024 * 1024;

function isBelowOneOf(path: string, folders: ReadonlySet<string>): boolean {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    if (folders.has(folder)) return true;
    if (folder === '.' || folder === '/') return false;
  }
}

/** Returns all names; null if one of the sets is unknown. */
function union(sets: readonly (ReadonlySet<string> | null)[]): ReadonlySet<string> | null {
  const found = new Set<string>();
  for (const names of sets) {
    if (names === null) return null;
    for (const name of names) found.add(name);
  }
  return found;
}
