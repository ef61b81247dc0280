/**
 * The files of a project that differ from a commit. Git reports only names and ids; contents are compared here, since git would
 * run the filters of the repository to compare them.
 */
import { createHash } from 'node:crypto';
import { type AskedGit, AskingTime, gitIn } from './ask.js';

/** Milliseconds; a person waits, not a hook. */
const MOST_TIME = 30_000;
const MOST_PATHS = 500;

/** A file in the work tree; `text` is null if it was not read. */
export interface PresentFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly text: string | null;
}

export type ChangedFiles =
  | { readonly ok: true; readonly paths: ReadonlySet<string> }
  | { readonly ok: false; readonly code: 'no-git' | 'no-repository' | 'unknown-revision' | 'failed' };

/**
 * Returns those of `files` that differ from the commit or are not in it, without those that git ignores. A file that a filter or
 * a line end setting changes may be among them.
 * @param since where the branch started, such as `origin/main`: everything since their common commit; null: since the last commit
 */
export function changedFiles(project: string, home: string, since: string | null, files: readonly PresentFile[]): ChangedFiles {
  const git = gitIn(project, home, project, new AskingTime(() => performance.now(), MOST_TIME));
  if (git === null) return { ok: false, code: 'no-git' };
  if (git.ask(['rev-parse', '--is-inside-work-tree'])?.trim() !== 'true') return { ok: false, code: 'no-repository' };
  const head = commitOf(git, 'HEAD');
  const base = since === null ? head : baseOf(git, head, since);
  if (since !== null && base === null) return { ok: false, code: 'unknown-revision' };
  const known = base === null ? new Map<string, string>() : idsIn(git, base, files);
  const paths = known === null ? null : changedAmong(git, files, known);
  return paths === null ? { ok: false, code: 'failed' } : { ok: true, paths };
}

/** Returns the common commit of two branches; that commit itself if there is none. */
function baseOf(git: AskedGit, head: string | null, since: string): string | null {
  const start = commitOf(git, since);
  if (start === null || head === null) return start;
  return git.ask(['merge-base', start, head])?.trim() || start;
}

/** Returns the id of a commit; null for other names. A name cannot be taken for an option. */
function commitOf(git: AskedGit, name: string): string | null {
  if (name === '' || name.startsWith('-')) return null;
  const id = git.ask(['rev-parse', '--verify', '--quiet', `${name}^{commit}`])?.trim() ?? '';
  return /^[0-9a-f]{40,64}$/.test(id) ? id : null;
}

/** Returns the ids of the files' contents in a commit. */
function idsIn(git: AskedGit, commit: string, files: readonly PresentFile[]): ReadonlyMap<string, string> | null {
  const listed = forEachPath(files, (paths) => git.ask(['ls-tree', '-r', '-z', commit, '--', ...paths]));
  if (listed === null) return null;
  return new Map(
    listed.flatMap((entry) => {
      const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
      return id === undefined || path === undefined ? [] : [[path, id] as const];
    }),
  );
}

function changedAmong(
  git: AskedGit,
  files: readonly PresentFile[],
  known: ReadonlyMap<string, string>,
): ReadonlySet<string> | null {
  const differing = files.filter(
    ({ path, text }) => known.has(path) && (text === null || idOf(text, known.get(path)) !== known.get(path)),
  );
  const fresh = files.filter(({ path }) => !known.has(path));
  const list = ['--literal-pathspecs', 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--'];
  const added = forEachPath(fresh, (paths) => git.ask([...list, ...paths]));
  return added === null ? null : new Set([...differing.map(({ path }) => path), ...added]);
}

/** Returns git's id of a content, with the same hash as the other id. */
function idOf(text: string, other = ''): string {
  const bytes = Buffer.from(text);
  return createHash(other.length > 40 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}

/** Returns git's output for paths, which are passed in batches; null when one batch gets no answer. */
function forEachPath(files: readonly PresentFile[], ask: (paths: readonly string[]) => string | null): readonly string[] | null {
  const listed: string[] = [];
  for (let at = 0; at < files.length; at += MOST_PATHS) {
    const answer = ask(files.slice(at, at + MOST_PATHS).map(({ path }) => path));
    if (answer === null) return null;
    for (const entry of answer.split('\0')) if (entry !== '') listed.push(entry);
  }
  return listed;
}
