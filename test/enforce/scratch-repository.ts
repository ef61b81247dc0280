/** Scratch repositories that git itself makes. */
import { spawnSync } from 'node:child_process';
import { cpSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GitAnswers, gitAskedOnce } from './git-asked-once.js';
import { scratchFolder } from './scratch.js';

const PERSON = { NAME: 'Somebody', EMAIL: 'somebody@example.com' };
const ENVIRONMENT = {
  ...{ PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  // Not one more process after each commit, which looks whether there is something to tidy up.
  ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'maintenance.auto', GIT_CONFIG_VALUE_0: 'false' },
  ...Object.fromEntries(
    Object.entries(PERSON).flatMap(([name, value]) => [
      [`GIT_AUTHOR_${name}`, value],
      [`GIT_COMMITTER_${name}`, value],
    ]),
  ),
};

interface Repository {
  readonly folder: string;
  /** What `stampOf` said when it was made. */
  readonly stamp: string;
  /** Of what it is asked while nothing in it changes. */
  readonly answers: GitAnswers;
}

/** By their lines: rows that only read one share it. */
const made = new Map<string, Repository>();
process.on('exit', () => {
  for (const { folder } of made.values()) rmSync(folder, { recursive: true, force: true });
});

/**
 * Runs `use` in a repository with one commit of `src/a.ts` and `README.md` on `main`, in which the lines of a shell ran. It is kept for the
 * next one who asks for these lines, unless it changed.
 * @param lines `commit` there adds and commits everything
 */
export function withRepository<Result>(lines: string, use: (folder: string) => Result): Result {
  const repository = made.get(lines) ?? makeRepository(lines);
  made.set(lines, repository);
  const { folder, stamp } = repository;
  try {
    return use(folder);
  } finally {
    if (stampOf(folder) !== stamp) {
      made.delete(lines);
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** The same for a `use` that changes nothing: what git was asked before, it is not asked again. */
export function readRepository<Result>(lines: string, use: (folder: string) => Result): Result {
  return withRepository(lines, (folder) => gitAskedOnce(() => use(folder), made.get(lines)?.answers));
}

let first: string | undefined;

function makeRepository(lines: string): Repository {
  first ??= firstCommit();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'policy-test-')));
  cpSync(first, folder, { recursive: true, preserveTimestamps: true });
  // The index knows the files of which these are copies.
  runLines(folder, `git update-index -q --refresh; commit() { git add -A && git commit -q -m next; }\n${lines}`);
  return { folder, stamp: stampOf(folder), answers: new Map() };
}

/** The repository before its lines, of which the others are copies. */
function firstCommit(): string {
  const folder = scratchFolder({ 'src/a.ts': 'x\n', 'README.md': 'x\n' });
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  runLines(folder, 'git init -q -b main .; git add -A; git commit -q -m next');
  return folder;
}

function runLines(folder: string, lines: string): void {
  const { status, stderr } = spawnSync('/bin/sh', ['-e', '-c', lines], { cwd: folder, env: ENVIRONMENT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the repository could not be made: ${stderr}`);
}

/** Tells whether anything in a folder was written, made or removed. */
function stampOf(folder: string): string {
  const { ino, mode, size, ctimeMs } = lstatSync(folder);
  const below = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const stat = lstatSync(path, { bigint: true });
    return [path, stat.ino, stat.mode, stat.size, stat.ctimeNs].join(' ');
  });
  return [[ino, mode, size, ctimeMs].join(' '), ...below.sort()].join('\n');
}
