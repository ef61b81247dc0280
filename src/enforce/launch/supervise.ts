/**
 * Starts a program under watch: it begins only once everything is ready for it, everything that it started ends with it, and it ends
 * with this process, also when that is killed without a chance to say anything.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { procStat } from '../../run/proc-files.js';
import { identityOf, type ProcessIdentity, processTable } from '../../run/process-identity.js';

export interface Program {
  /** Absolute. */
  readonly file: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A person works with it: it has this process's terminal. */
  readonly isInteractive: boolean;
}

export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A program that waits to be let go. */
export interface Supervised {
  readonly identity: ProcessIdentity;
  /** Null when it writes to the terminal itself. */
  readonly output: Readable | null;
  readonly errors: Readable | null;
  /** Lets it begin. */
  readonly begin: () => void;
  /** Asks it and all that it started to end, and ends them when they do not. */
  readonly stop: () => void;
  /** When it has ended, and its output with it. */
  readonly ended: Promise<ProgramEnd>;
}

/** The shell becomes the program once a word comes on descriptor 3; when that is closed without one, nobody is left who wants it. */
const BEGIN = 'IFS= read -r w <&3 && [ "$w" = begin ] || exit 125; exec 3<&-; exec "$@"';
/** Ends the group (`-PID`) or the process when nobody is left to say that all is done. */
const WATCH = 'IFS= read -r w; [ "$w" = done ] || kill -9 "$1" 2>/dev/null';
/** Milliseconds between the request to end and the end. */
const GRACE = 3_000;
/** Milliseconds that what a program started may hold its output open once it has ended. */
const LINGER = 500;

/** Throws an Error with a message for a person when it cannot be started. */
export async function supervise(program: Program): Promise<Supervised> {
  const child = await started(
    spawn('/bin/sh', ['-c', BEGIN, 'sh', program.file, ...program.arguments], {
      cwd: program.cwd,
      env: { ...program.environment },
      detached: !program.isInteractive,
      stdio: program.isInteractive ? ['inherit', 'inherit', 'inherit', 'pipe'] : ['ignore', 'pipe', 'pipe', 'pipe'],
    }),
    program.file,
  );
  const pid = child.pid ?? 0;
  const group = program.isInteractive ? pid : -pid;
  const watch = await started(
    spawn('/bin/sh', ['-c', WATCH, 'sh', String(group)], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: '/usr/bin:/bin' },
    }),
    'what watches over it',
  );
  const table = processTable(process.platform);
  const identity = identityOf(pid, table) ?? { pid, began: '', where: table.where };
  return {
    identity,
    output: child.stdout,
    errors: child.stderr,
    begin: () => writeTo(child.stdio[3] as Writable, 'begin\n'),
    stop: () => stop(pid, group),
    ended: endOf(child, group, watch),
  };
}

function started(child: ChildProcess, what: string): Promise<ChildProcess> {
  return new Promise((done, fail) => {
    child.once('error', (error) => fail(new Error(`${what} could not be started (${error.message})`)));
    child.once('spawn', () => done(child));
  });
}

/** The other side may have gone. */
function writeTo(stream: Writable, text: string): void {
  stream.on('error', () => {});
  stream.end(text);
}

function endOf(child: ChildProcess, group: number, watch: ChildProcess): Promise<ProgramEnd> {
  return new Promise((done) => {
    let end: ProgramEnd = { code: null, signal: null };
    child.once('exit', (code, signal) => {
      end = { code, signal };
      // What it left behind in its group ends with it, and no longer holds its output open.
      setTimeout(() => send(group, 'SIGKILL'), LINGER).unref();
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, 2 * LINGER).unref();
    });
    child.once('close', () => {
      if (group < 0) send(group, 'SIGKILL');
      if (watch.stdin !== null) writeTo(watch.stdin, 'done\n');
      watch.unref();
      done(end);
    });
  });
}

function stop(pid: number, group: number): void {
  // Some of what it started may have left the group.
  const others = descendantsOf(pid);
  send(group, 'SIGTERM');
  setTimeout(() => {
    send(group, 'SIGKILL');
    for (const other of others) send(other, 'SIGKILL');
  }, GRACE).unref();
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // It has ended.
  }
}

/** All that a process started and that still descends from it. */
function descendantsOf(pid: number): readonly number[] {
  const parents = parentsOfAll();
  const found: number[] = [];
  for (let wave = [pid]; wave.length > 0; ) {
    const next = [...parents].flatMap(([child, parent]) => (wave.includes(parent) ? [child] : []));
    found.push(...next);
    wave = next.filter((one) => one !== pid);
  }
  return found;
}

function parentsOfAll(): ReadonlyMap<number, number> {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('/bin/ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8', timeout: 5_000 });
    const rows = (stdout ?? '').split('\n').map((line) => line.trim().split(/ +/).map(Number));
    return new Map(rows.map(([pid = 0, parent = 0]) => [pid, parent]));
  }
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  return new Map(pids.map((pid) => [pid, procStat(pid)?.parent ?? 0]));
}
