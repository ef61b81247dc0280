/**
 * Starts a program under supervision: it begins only once everything is ready for it, everything that it started ends with it,
 * and it ends with this process, even when this process is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { RUN_MARK } from '../../run/launched.js';
import { identityOf, isAlive, type ProcessIdentity, processTable } from '../../run/process-identity.js';
import { descendantsOf, markedProcesses, sessionProcesses } from './descendants.js';
import { restoreTerminal, terminalModes } from './terminal-modes.js';

export interface Program {
  /** Absolute path. */
  readonly file: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A person works with it: it gets this process's terminal. */
  readonly isInteractive: boolean;
  /** Set in the environment of all its descendants (RUN_MARK), so that they are found even after they have left its process tree. */
  readonly mark: string;
}

export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Takes output of a program. No more is read until the promise resolves, so a program that writes much has to wait. */
export type Taker = (chunk: Buffer) => Promise<unknown>;

export interface Takers {
  readonly output: Taker;
  readonly errors: Taker;
}

/** A started program that waits for `begin`. */
export interface Supervised {
  readonly identity: ProcessIdentity;
  /** Passes on its output from now on; null when it writes to the terminal itself. */
  readonly read: ((takers: Takers) => void) | null;
  readonly begin: () => void;
  /** Asks it and all its descendants to end, and kills them if they do not. */
  readonly stop: () => void;
  /** Resolves when the program and its output have ended. */
  readonly ended: Promise<ProgramEnd>;
}

/**
 * The shell becomes the program once a word arrives on descriptor 3; if that is closed without one, this process is gone and the
 * program must not run.
 */
const BEGIN = 'IFS= read -r w <&3 && [ "$w" = begin ] || exit 125; exec 3<&-; exec "$@"';
/**
 * Kills all processes of the program if this process ends without reporting that it is done: the group or process `$1`, the tree
 * below `$2`, and, with a mark `$3`, every process that carries it or belongs to the session that `$2` began, where the system
 * reports that. Processes can choose their names, but not the lines of /proc/PID/status. Finally restores the modes `$4`, if any,
 * of the terminal on descriptor 3.
 */
const WATCH = `IFS= read -r w; [ "$w" = done ] && exit 0
target=$1 first=$2 mark=$3 modes=$4 all=" $2 "
kill -STOP "$target" 2>/dev/null
pairs() { if [ -d /proc/self ]; then grep -H '^PPid:' /proc/[0-9]*/status 2>/dev/null; else ps -A -o pid=,ppid=; fi; }
more=yes
while [ "$more" ]; do
  more=
  set -- $(pairs)
  while [ $# -gt 1 ]; do
    pid=\${1#/proc/}; pid=\${pid%%/*}
    case "$all" in *" $pid "*) ;; *" $2 "*) all="$all$pid "; more=yes;; esac
    shift 2
  done
done
kill -9 "$target" 2>/dev/null
for pid in $all; do kill -9 "$pid" 2>/dev/null; done
[ "$modes" ] && stty "$modes" <&3
[ "$mark" ] || exit 0
for round in 1 2 3 4 5; do
  found=$(grep -l -F -e "${RUN_MARK}=$mark" /proc/[0-9]*/environ 2>/dev/null
    grep -l -E "^NSsid:[[:space:]]+$first([[:space:]]|$)" /proc/[0-9]*/status 2>/dev/null)
  [ "$found" ] || exit 0
  for file in $found; do pid=\${file#/proc/}; kill -9 "\${pid%%/*}" 2>/dev/null; done
done`;
/** Milliseconds between the request to end and the kill. */
const GRACE = 3_000;
/** Milliseconds for which descendants may hold the output open after the program has ended. */
const LINGER = 500;
/** Maximum number of such periods, if output keeps coming. */
const MOST_LINGERS = 20;
const MOST_ROUNDS = 5;

/** Starts a program under supervision. Throws an Error with a message for a person when it cannot be started. */
export async function supervise(program: Program): Promise<Supervised> {
  const modes = program.isInteractive ? terminalModes() : null;
  const child = await started(
    spawn('/bin/sh', ['-c', BEGIN, 'sh', program.file, ...program.arguments], {
      cwd: program.cwd,
      env: { ...program.environment, [RUN_MARK]: program.mark },
      detached: !program.isInteractive,
      stdio: program.isInteractive ? ['inherit', 'inherit', 'inherit', 'pipe'] : ['ignore', 'pipe', 'pipe', 'pipe'],
    }),
    program.file,
  );
  const pid = child.pid ?? 0;
  const group = program.isInteractive ? pid : -pid;
  // Programs that a person has started from within may continue.
  const mark = program.isInteractive ? '' : program.mark;
  const watch = await started(
    spawn('/bin/sh', ['-c', WATCH, 'sh', String(group), String(pid), mark, modes ?? ''], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', modes === null ? 'ignore' : 0],
      env: { PATH: '/usr/bin:/bin' },
    }),
    'its watcher',
  );
  const table = processTable(process.platform);
  const identity = identityOf(pid, table) ?? { pid, began: '', where: table.where };
  const left = new LeftBehind(pid, group, mark);
  const output = [child.stdout, child.stderr].flatMap((stream) => (stream === null ? [] : [new ReadInTime(stream)]));
  const [first, second] = output;
  return {
    identity,
    read:
      first === undefined || second === undefined
        ? null
        : ({ output: takeOutput, errors }) => {
            first.begin(takeOutput);
            second.begin(errors);
          },
    begin: () => writeTo(child.stdio[3] as Writable, 'begin\n'),
    stop: () => left.stop(),
    ended: endOf(child, watch, left, output).then((end) => {
      if (modes !== null) restoreTerminal(modes, end.code === 0);
      return end;
    }),
  };
}

function started(child: ChildProcess, what: string): Promise<ChildProcess> {
  return new Promise((done, fail) => {
    child.once('error', (error) => fail(new Error(`${what} could not be started (${error.message})`)));
    child.once('spawn', () => done(child));
  });
}

/** Writes a text and closes the stream; ignores errors, since the other side may be gone. */
function writeTo(stream: Writable, text: string): void {
  stream.on('error', () => {});
  stream.end(text);
}

function endOf(child: ChildProcess, watch: ChildProcess, left: LeftBehind, output: readonly ReadInTime[]): Promise<ProgramEnd> {
  return new Promise((done) => {
    let end: ProgramEnd = { code: null, signal: null };
    let linger: NodeJS.Timeout | undefined;
    child.once('exit', (code, signal) => {
      end = { code, signal };
      // Remaining descendants are killed with it, and no longer hold its output open.
      linger = setTimeout(() => {
        left.end();
        for (const one of output) one.finish();
      }, LINGER);
    });
    child.once('close', () => {
      // The next attempt carries the same mark, so this timer must not kill its processes.
      clearTimeout(linger);
      left.end();
      if (watch.stdin !== null) writeTo(watch.stdin, 'done\n');
      watch.unref();
      done(end);
    });
  });
}

/** Reads only as fast as the output is consumed, so that a slow consumer slows the program and memory stays bounded. */
class ReadInTime {
  readonly #stream: Readable;
  #read = 0;
  #isLast = false;

  constructor(stream: Readable) {
    this.#stream = stream;
  }

  begin(take: Taker): void {
    const stream = this.#stream;
    const goOn = () => stream.resume();
    stream.on('data', (chunk: Buffer) => {
      this.#read += chunk.length;
      const taken = take(chunk);
      if (this.#isLast) return;
      stream.pause();
      taken.then(goOn, goOn);
    });
  }

  /** Reads the rest after the program and its descendants have ended: no more than a pipe holds. */
  finish(lingers = MOST_LINGERS): void {
    const before = this.#read;
    this.#isLast = true;
    this.#stream.resume();
    // A process that could not be killed may hold the output open; it is not waited for.
    setTimeout(() => {
      if (this.#read > before && lingers > 0) this.finish(lingers - 1);
      else this.#stream.destroy();
    }, LINGER).unref();
  }
}

/** All processes that a program has started, and how to end them. */
class LeftBehind {
  readonly #pid: number;
  /** `-PID` for a group, else the pid of the program alone. */
  readonly #group: number;
  readonly #mark: string;
  /** Processes that had left the group when the program was asked to end. */
  #others: readonly ProcessIdentity[] = [];

  constructor(pid: number, group: number, mark: string) {
    this.#pid = pid;
    this.#group = group;
    this.#mark = mark;
  }

  stop(): void {
    this.#others = descendantsOf(this.#pid);
    send(this.#group, 'SIGTERM');
    setTimeout(() => {
      send(this.#group, 'SIGKILL');
      this.end();
    }, GRACE).unref();
  }

  end(): void {
    if (this.#group < 0) send(this.#group, 'SIGKILL');
    const table = processTable(process.platform);
    for (const other of this.#others) if (isAlive(other, table) !== 'no') send(other.pid, 'SIGKILL');
    this.#others = [];
    // A process may have started another one just before it was killed; a hook begins with a clean environment, and its `timeout`
    // with a group of its own.
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const ours = [...markedProcesses(this.#mark), ...(this.#group < 0 ? sessionProcesses(this.#pid) : [])];
      if (ours.length === 0) return;
      for (const pid of ours) send(pid, 'SIGKILL');
    }
  }
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // It has already ended.
  }
}
