/** `codex_shell`: a command line in a process group of its own, with a deadline and an end of whatever it has started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { markedProcesses } from '../../enforce/launch/descendants.js';
import { RUN_MARK } from '../../run/launched.js';
import { inherited, killGroup } from '../server-process.js';

/** Bytes that are kept of the output: its beginning and its end. */
const MOST_KEPT = 64 * 1024;
/** Milliseconds for a program to end after SIGTERM, and for the last output of one that has ended. */
const PATIENCE = 1_000;
const GRACE = 200;
/** Carried by every process of one call, so that those are found that left its group. */
const MARK = 'POLICY_MCP_CALL';
const BASH = '/bin/bash';

export interface ShellRun {
  readonly command: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

export interface ShellResult {
  readonly text: string;
  readonly isError: boolean;
}

/** Runs a command line; never rejects. When it resolves, nothing that the command started is left. */
export function runShell({ command, cwd, environment, deadline, signal }: ShellRun): Promise<ShellResult> {
  const mark = randomUUID();
  return new Promise((resolve) => {
    const child = spawn(existsSync(BASH) ? BASH : '/bin/sh', ['-c', command], {
      cwd,
      env: { ...inherited(environment, [RUN_MARK]), [MARK]: mark },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    const output = new Kept();
    let why: string | null = null;
    const stop = (reason: string) => {
      if (why !== null) return;
      why = reason;
      killGroup(child, 'SIGTERM');
      setTimeout(() => endAll(child, mark), PATIENCE).unref();
    };
    const cancelled = () => stop('it was cancelled');
    const timer = setTimeout(() => stop(`it was ended after ${deadline / 1000} seconds`), deadline);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.take(chunk));
    signal.addEventListener('abort', cancelled);
    if (signal.aborted) cancelled();
    child.once('error', (error) => {
      why ??= `it could not be started: ${error.message}`;
    });
    // Whatever it started may hold its output.
    child.once('exit', () => {
      setTimeout(() => {
        endAll(child, mark);
        child.stdout.destroy();
        child.stderr.destroy();
      }, GRACE);
    });
    child.once('close', (code, ended) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancelled);
      endAll(child, mark);
      const end = why ?? (code === null ? `it was ended by ${ended}` : code === 0 ? null : `exit code ${code}`);
      const printed = output.text();
      const text =
        end === null ? printed || '(no output)' : `${printed}${printed === '' || printed.endsWith('\n') ? '' : '\n'}(${end})`;
      resolve({ text, isError: end !== null });
    });
  });
}

/** Kills the group of a command, and those of its processes that have left it: each may start another one while they are looked for. */
function endAll(child: ChildProcess, mark: string): void {
  killGroup(child, 'SIGKILL');
  for (let times = 0; times < 5; times += 1) {
    const left = markedProcesses(mark, MARK);
    if (left.length === 0) return;
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It is gone.
      }
    }
  }
}

/** The beginning and the end of an output. */
class Kept {
  #first: Buffer[] = [];
  #last: Buffer[] = [];
  #firstBytes = 0;
  #lastBytes = 0;
  #bytes = 0;

  take(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const room = Math.max(0, MOST_KEPT - this.#firstBytes);
    if (room > 0) {
      this.#first.push(chunk.subarray(0, room));
      this.#firstBytes += Math.min(room, chunk.length);
    }
    const rest = chunk.subarray(room);
    if (rest.length === 0) return;
    this.#last.push(rest);
    this.#lastBytes += rest.length;
    while (this.#lastBytes - (this.#last[0]?.length ?? 0) >= MOST_KEPT) this.#lastBytes -= this.#last.shift()?.length ?? 0;
  }

  text(): string {
    const last = Buffer.concat(this.#last).subarray(-MOST_KEPT);
    const left = this.#bytes - this.#firstBytes - last.length;
    const cut = left > 0 ? `\n(${left} bytes left out)\n` : '';
    return `${Buffer.concat(this.#first).toString('utf8')}${cut}${last.toString('utf8')}`;
  }
}
