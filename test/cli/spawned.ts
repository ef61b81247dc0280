// Runs the built command the way a person or a script does, in scratch folders that end with the test run.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { insideRunner } from '../../src/enforce/agents/inside-runner.js';
import { fitsThread, policyInThread } from './threaded.js';

export interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Circumstances {
  readonly cwd: string;
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** The installed hooks that the command asks are processes, too; else they answer where the command runs. */
  readonly startsHooks?: boolean;
}

/** The entry that the package installs, as `npm run build` made it. */
export const COMMAND = resolve('bin/policy.js');

/** Commands that change what agents may do refuse below a coding agent, as they should: what they do else can only be seen without one. */
export const insideAgent = insideRunner({ environment: {}, pid: process.pid, platform: process.platform }) !== null;

const folders: string[] = [];
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty home, so that nobody's own policy or agents take part. */
export const home = scratch({});

/** Runs `policy ARGS`: where a process of its own is not what matters, in a thread of this one. */
export function policy(args: readonly string[], circumstances: Circumstances): Answer {
  const env = { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: tmpdir(), ...circumstances.env };
  if (!existsSync(circumstances.cwd) || !fitsThread(args, env)) return policyProcess(args, circumstances);
  return policyInThread(args, { input: '', startsHooks: false, ...circumstances, env });
}

/** Runs `policy ARGS` as the process that a person or a script starts. */
export function policyProcess(args: readonly string[], { cwd, input, env }: Circumstances): Answer {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: tmpdir(), ...env },
    encoding: 'utf8',
    ...(input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] } : { input }),
  });
  return { status, stdout, stderr };
}

/** Runs `policy ARGS` for each row; the answers in their order. */
export function policyEach(rows: readonly { readonly args: readonly string[]; readonly cwd: string }[]): readonly Answer[] {
  return rows.map(({ args, cwd }) => policy(args, { cwd }));
}

/** A scratch folder with these files; it is removed when the process ends. */
export function scratch(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'policy-test-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** The files of a clean git repository on branch main that tracks origin/main; written by hand, so that git is not needed. */
export const CLEAN_REPOSITORY: Readonly<Record<string, string>> = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/config': [
    '[core]',
    '\trepositoryformatversion = 0',
    '\tfilemode = true',
    '\tbare = false',
    '[remote "origin"]',
    '\turl = https://git.example.com/desk.git',
    '\tfetch = +refs/heads/*:refs/remotes/origin/*',
    '[branch "main"]',
    '\tremote = origin',
    '\tmerge = refs/heads/main',
    '',
  ].join('\n'),
  '.git/objects/info/packs': '',
  '.git/refs/heads/main': `${'0123456789'.repeat(4)}\n`,
  'src/a.ts': 'export const a = 1;\n',
};
