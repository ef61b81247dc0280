/**
 * The files of a bare repository that lint and the engine read, written into a scratch folder: nothing is checked out, so that no
 * filter, hook or attribute of the repository runs. Git only lists a tree and prints blobs; missing objects are not fetched.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GIT_PROGRAMS, GIT_SETTINGS, gitEnvironment } from '../../disk/git/ask.js';
import { statOf } from '../../disk/stat-of.js';
import { fileKind, isAgentFolder } from '../../lint/places/file-kind.js';

export interface WrittenTree {
  readonly commit: string;
  /** Whether the commit contains this path, written or not. */
  readonly has: (path: string) => boolean;
}

const MAX_LISTING = 64 * 1024 * 1024;
const MAX_BLOB = 1_048_576;
const MAX_BLOBS = 10_000;
const MAX_OUTPUT = 256 * 1024 * 1024;
const PATIENCE = 30_000;
const CONFIGURATION =
  /(?:^|\/)(?:\.(?:claude|claude-plugin|codex|gemini|qwen|cursor|opencode|agents|copilot|vscode)|\.github\/(?:agents|instructions|prompts|copilot)|agents|skills|commands|hooks)\//;
/** Coding agents read variables from it. */
const VARIABLES = '.env';

/** Writes the relevant files of the newest commit (HEAD) below `target`. Throws an Error that states what is wrong with the repository. */
export function writeBareTree(repository: string, target: string, home: string): WrittenTree {
  const git = gitOf(repository, home);
  const commit = newestCommit(git);
  const entries = treeEntries(git(['ls-tree', '-r', '-z', '--long', '--full-tree', commit], null));
  const wanted = entries.filter(isWanted);
  // A skipped file could be the relevant one, so that the rest would prove nothing.
  if (wanted.length > MAX_BLOBS) throw new Error(`it has more than ${MAX_BLOBS} files for coding agents`);
  const [small, large] = [wanted.filter((one) => !isTooLarge(one)), wanted.filter(isTooLarge)];
  const blobs = contentsOf(git(['cat-file', '--batch'], small.map(({ id }) => `${id}\n`).join('')), small.length);
  for (const [index, { path }] of small.entries()) {
    const content = blobs[index];
    if (content === undefined || content === null) throw new Error(`git does not have the content of ${path}`);
    writeNew(join(target, path), content);
  }
  for (const { path } of large) {
    const file = join(target, path);
    // One byte above the limit for reading, so that the reports match those for the file in a work tree.
    if (writeNew(file, '')) truncateSync(file, MAX_BLOB + 1);
  }
  return { commit, has: hasPath(entries) };
}

type Git = ReturnType<typeof gitOf>;

/** Returns the commit that HEAD names. Git prints the same error for each way in which that can fail, so it is asked again. */
function newestCommit(git: Git): string {
  const said = (words: readonly string[]): string | Error => {
    try {
      return git(words, null).toString('utf8').trim();
    } catch (error) {
      if (error instanceof Error) return error;
      throw error;
    }
  };
  const commit = said(['rev-parse', '--verify', '--end-of-options', 'HEAD^{commit}']);
  if (typeof commit === 'string') return commit;
  const refs = said(['for-each-ref', '--count=1', '--format=%(refname)']);
  if (typeof refs !== 'string') throw commit;
  if (typeof said(['rev-parse', '--verify', '--end-of-options', 'HEAD']) === 'string')
    throw new Error('git does not have the commit that its HEAD names; clone it again');
  throw new Error(refs === '' ? 'it has no commit yet' : 'its HEAD names a missing branch, but there are others');
}

/** False for a path that the file system treats as the same as an existing one, which is kept. */
function writeNew(file: string, content: Buffer | string): boolean {
  mkdirSync(dirname(file), { recursive: true });
  if (statOf(file) !== undefined) return false;
  writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
  return true;
}

interface TreeEntry {
  readonly path: string;
  readonly id: string;
  readonly size: number;
  readonly isFile: boolean;
}

/** The size of a missing blob is `BAD`. */
const ENTRY = /^(\d{6}) (\w+) ([0-9a-f]{40,64}) +(\d+|-|BAD)\t([\s\S]+)$/;

function treeEntries(listing: Buffer): readonly TreeEntry[] {
  return listing
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const [, mode, type, id, size, path] = ENTRY.exec(line) ?? [];
      if (mode === undefined || id === undefined || path === undefined) return [];
      return [{ path, id, size: Number(size), isFile: type === 'blob' && mode.startsWith('100') }];
    });
}

/** Whether the file is larger than the limit for reading. */
function isTooLarge({ size }: TreeEntry): boolean {
  return size > MAX_BLOB;
}

/** Symlinks are never written. */
function isWanted({ path, isFile }: TreeEntry): boolean {
  if (!isFile || !isSafe(path)) return false;
  return (
    path === VARIABLES ||
    fileKind(path) !== null ||
    isAgentFolder(dirname(path)) ||
    (CONFIGURATION.test(path) && /\.\w+$/.test(path))
  );
}

/** A tree can contain any name: nothing may leave the folder, and nothing may become a repository in it. */
function isSafe(path: string): boolean {
  return (
    !path.includes('\\') &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/^\.git$/i.test(part))
  );
}

/** Returns the blobs of `cat-file --batch` in order; null for a missing one. */
function contentsOf(output: Buffer, count: number): readonly (Buffer | null)[] {
  const found: (Buffer | null)[] = [];
  for (let at = 0; found.length < count && at < output.length; ) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) break;
    const [, type, size] = output.toString('utf8', at, end).split(' ');
    if (type !== 'blob') {
      found.push(null);
      at = end + 1;
      continue;
    }
    const stop = end + 1 + Number(size);
    found.push(output.subarray(end + 1, stop));
    at = stop + 1;
  }
  return found;
}

function hasPath(entries: readonly TreeEntry[]): (path: string) => boolean {
  const paths = new Set<string>();
  for (const { path } of entries) for (let name = path; name !== '.' && !paths.has(name); name = dirname(name)) paths.add(name);
  return (path) => path === '' || path.split('/').includes('..') || paths.has(path);
}

function gitOf(repository: string, home: string): (words: readonly string[], input: string | null) => Buffer {
  const program = GIT_PROGRAMS.find((path) => statOf(path)?.isFile() === true);
  if (program === undefined) throw new Error('git is not installed, so it cannot be read');
  return (words, input) => {
    const result = spawnSync(
      program,
      [
        `--git-dir=${repository}`,
        '--no-pager',
        '--no-replace-objects',
        ...GIT_SETTINGS.flatMap((setting) => ['-c', setting]),
        ...words,
      ],
      {
        env: gitEnvironment(home),
        timeout: PATIENCE,
        killSignal: 'SIGKILL',
        maxBuffer: words[0] === 'cat-file' ? MAX_OUTPUT : MAX_LISTING,
        ...(input === null ? { stdio: ['ignore', 'pipe', 'pipe'] as const } : { input }),
      },
    );
    if (result.status !== 0) throw new Error(whyFailed(result));
    return result.stdout;
  };
}

function whyFailed({ error, signal, stderr }: SpawnSyncReturns<Buffer>): string {
  if (error !== undefined && 'code' in error && error.code === 'ETIMEDOUT')
    return `git did not answer within ${PATIENCE / 1000} s`;
  if (error !== undefined && 'code' in error && error.code === 'ENOBUFS') return 'it has more files than can be read';
  if (error !== undefined || signal !== null) return `git could not be run (${signal ?? error?.message ?? ''})`;
  const [line = ''] = stderr.toString('utf8').split('\n');
  const why = line.replace(/^(?:fatal|error): /, '');
  return why === '' ? 'git cannot read it' : `git cannot read it: ${why}`;
}
