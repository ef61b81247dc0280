/**
 * Installed lines that are answered in this process, as the process that they start answers, in a tenth of its time: for tests of what is
 * made of the answers. What a line itself does is tested where it is started.
 */
import type { ChildProcess, SpawnSyncReturns, spawn as startProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { type HookLine, readHookLine } from '../../src/install/own-hook.js';
import { answeredByGit, type GitAnswers } from '../enforce/git-asked-once.js';

type Entry = Pick<typeof import('../../src/hook/entry.js'), 'own' | 'runHook'>;
type Start = typeof startProcess;
type StartSync = (program: string, words: readonly string[], options: unknown) => SpawnSyncReturns<string>;

interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
}

/** The module itself: it is there that bundles, and with `syncBuiltinESMExports` all others, find its functions. */
const processes = createRequire(import.meta.url)('node:child_process') as { spawn: Start; spawnSync: StartSync };
/** The folder of the process changes before this is loaded in a thread. */
const DIST = fileURLToPath(new URL('../../../dist', import.meta.url));
const PROVED = ['--environment parent', '--proof line'];
/** What a shell obeys before it reads the line. */
const OF_SHELLS = /^(?:SHELLOPTS|BASHOPTS|BASH_ENV|ENV|BASH_FUNC.*|LD_.*)$/;

/**
 * Does `work`, in which lines of our installed hook start no process, whether node takes the code caches of dist/ is asked once, and git is
 * asked each question once: no hook that is asked for an answer changes a repository. All else is started.
 */
export async function withHooksHere<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  const { spawn, spawnSync } = processes;
  processes.spawn = ((program: string, words: readonly string[], options: StartOptions) => {
    const [dash, command = ''] = words;
    const line = program === '/bin/sh' && dash === '-c' ? readHookLine(command, '') : null;
    return line !== null && isAsShipped(command, line, options)
      ? answering(line, options)
      : spawn(program, words, options as object);
  }) as Start;
  const answers: GitAnswers = new Map();
  processes.spawnSync = (program, words, options) => {
    if (program.endsWith('/git')) return answeredByGit(spawnSync, answers, program, words, options);
    const folder = program === process.execPath && words.includes('-e') ? words.at(-2) : undefined;
    if (folder === undefined || !isOurs(folder)) return spawnSync(program, words, options);
    const key = JSON.stringify(words.toSpliced(-2, 1));
    const told = caches.get(key) ?? spawnSync(program, words, options);
    if (told.status === 0) caches.set(key, told);
    return told;
  };
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(processes, { spawn, spawnSync });
    syncBuiltinESMExports();
  }
}

/** What node said of the code caches of dist/, by what it was asked. */
const caches = new Map<string, SpawnSyncReturns<string>>();

/** Whether a line, started so, runs the program of dist/ with this node, and fails closed; or is the bare command, and nothing else. */
function isAsShipped(command: string, line: HookLine, { env = {} }: StartOptions): boolean {
  const words = wordsOf(line).join(' ');
  const isWhole = line.failsClosed && line.looksFirst && !line.former && PROVED.every((one) => words.includes(one));
  const isBare = command.startsWith(`${line.node} ${line.program} ${line.runner}`) && !/[;&|<>`$()\n]|--proof/.test(command);
  const isPlain = !Object.keys(env).some((name) => OF_SHELLS.test(name)) && line.home === (isBare ? null : env.HOME);
  return (
    (isWhole || isBare) &&
    isPlain &&
    line.node !== null &&
    realpathSync(line.node) === process.execPath &&
    isOurs(dirname(line.program))
  );
}

function wordsOf({ runner, options }: HookLine): readonly string[] {
  return [runner, ...options.map(({ value }) => value)];
}

const known = new Map<string, string>();

/** Whether every file of a folder is one of dist/, byte by byte, and those that every call needs are there. */
function isOurs(folder: string): boolean {
  if (folder === DIST) return true;
  try {
    const names = readdirSync(folder);
    const stamp = names.map((name) => stampOf(join(folder, name))).join('\n');
    if (known.get(folder) === stamp) return true;
    const isSame = (name: string) => readFileSync(join(folder, name)).equals(readFileSync(join(DIST, name)));
    if (!['hook.cjs', 'hook-main.cjs', 'compile.cjs', 'rules.pack'].every((name) => names.includes(name))) return false;
    if (!names.every(isSame)) return false;
    known.set(folder, stamp);
    return true;
  } catch {
    return false;
  }
}

function stampOf(file: string): string {
  const { size, ctimeMs, ino, mode } = statSync(file);
  return [file, size, ctimeMs, ino, mode].join(' ');
}

/** A process that reads its input to the end, answers and is gone. */
function answering(line: HookLine, { env = {} }: StartOptions): ChildProcess {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const child = Object.assign(new EventEmitter(), { pid: undefined, stdin, stdout, stderr });
  const input: Buffer[] = [];
  stdin.on('data', (part: Buffer) => input.push(part));
  stdin.on('end', () => {
    const output = answer(line, Buffer.concat(input).toString('utf8'), env);
    stdout.end(output.stdout);
    stderr.end(output.stderr);
    let open = 2;
    for (const stream of [stdout, stderr])
      stream.on('close', () => {
        open -= 1;
        if (open === 0) child.emit('close', output.exitCode, null);
      });
  });
  return child as unknown as ChildProcess;
}

/** What the line prints, and its exit code. */
function answer(line: HookLine, input: string, env: Readonly<Record<string, string>>) {
  const { own, runHook } = shippedHook();
  return runHook({
    ...own,
    // The line hands on the environment of the shell that runs it, which is this one.
    words: wordsOf(line).map((word) => (word === 'parent' ? 'own' : word)),
    environment: env,
    input: () => input,
    parent: process.pid,
    isUnheard: () => false,
    platform: process.platform,
    now: Date.now,
    microseconds: () => Number(process.hrtime.bigint() / 1000n),
  });
}

let loaded: Entry | undefined;

/** The hook of dist/, evaluated once: what it keeps in memory are the rules that ship, and where they are. */
function shippedHook(): Entry {
  const filename = join(DIST, 'hook-main.cjs');
  if (loaded === undefined) {
    const module = { exports: {} as Entry };
    const load = new Script(readFileSync(filename, 'latin1'), { filename }).runInThisContext() as (...given: unknown[]) => void;
    load(module.exports, createRequire(filename), module, filename, DIST);
    loaded = module.exports;
  }
  return loaded;
}
