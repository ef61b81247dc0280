/** Starts a hook as the runner does: `sh -c` in the project, the payload on standard input, and a deadline. */
import { spawn } from 'node:child_process';
import type { HookEnd } from '../claude-code/outcome.js';
import { atEnd } from '../scratch/at-end.js';

export interface HookStart {
  /** A command line for `sh -c`, or with `args` a program. */
  readonly command: string;
  readonly args: readonly string[] | null;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string;
  readonly deadline: number;
}

export interface HookRun extends HookEnd {
  readonly stderr: string;
  readonly milliseconds: number;
}

/** The maximum output; a longer one is not an answer, and the process is killed. */
const MOST_OUTPUT = 65_536;

/** Runs it to its end, or kills it and everything it started after `deadline` milliseconds. Never rejects. */
export function startHook({ command, args, cwd, environment, input, deadline }: HookStart): Promise<HookRun> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(args === null ? '/bin/sh' : command, args === null ? ['-c', command] : args, {
      cwd,
      env: environment,
      // A process group of its own, so that everything it started can be killed with it.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    let timedOut = false;
    const end = () => {
      if (child.pid !== undefined) endGroup(child.pid);
    };
    // A process in another group does not receive the terminal's signal that ends this program.
    const forget = atEnd(end);
    const timer = setTimeout(() => {
      timedOut = true;
      end();
      // A process that left the group may still hold the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    }, deadline);
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        output[name] += chunk;
        if (output[name].length > MOST_OUTPUT) end();
      });
    const done = (exitCode: number | null, signal: string | null) => {
      clearTimeout(timer);
      forget();
      resolve({ exitCode, signal, timedOut, ...output, milliseconds: Math.round(performance.now() - started) });
    };
    // The shell reports exit code 127 for a program that cannot be started.
    child.on('error', (error) => {
      output.stderr += error.message;
      done(127, null);
    });
    child.on('close', done);
    // A hook does not have to read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}
