/** An MCP server as a child process: messages are lines on its standard input and output. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { Lines } from './session/lines.js';
import type { Upstream, UpstreamEvents } from './session/upstream.js';

/**
 * Variables that a server gets besides those named for it: those of the SDK's clients (`getDefaultEnvironment`), the language, folders,
 * and what a company's network needs. Anything else, such as the tokens of other programs, stays here.
 */
const INHERITED =
  /^(?:HOME|LOGNAME|PATH|SHELL|TERM|USER|LANG|LC_\w+|TZ|TMPDIR|XDG_\w+|(?:https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|APPDATA|HOMEDRIVE|HOMEPATH|LOCALAPPDATA|PATHEXT|PROCESSOR_ARCHITECTURE|SYSTEMDRIVE|SYSTEMROOT|TEMP|USERNAME|USERPROFILE|PROGRAMFILES|COMSPEC)$/i;

/** Milliseconds for the last output of a server that has ended. */
const GRACE = 500;
/** Milliseconds for a server to end by itself after its input was closed, and then after SIGTERM. */
const PATIENCE = 2_000;

export interface ServerStart {
  readonly command: string;
  readonly words: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of further variables that the server gets. */
  readonly named: readonly string[];
  /** Gets what the server writes on standard error; without it, that goes to the standard error of this program. */
  readonly heard?: (text: string) => void;
}

/** Starts a server. */
export function startServer(start: ServerStart, events: UpstreamEvents): Upstream {
  const child = spawn(start.command, start.words, {
    cwd: start.cwd,
    env: inherited(start.environment, start.named),
    stdio: ['pipe', 'pipe', start.heard === undefined ? 'inherit' : 'pipe'],
    // A group of its own, so that whatever it starts ends with it.
    detached: process.platform !== 'win32',
  }) as ChildProcessByStdio<Writable, Readable, Readable | null>;
  const gone = new Promise<void>((resolve) => {
    let failure: string | null = null;
    child.once('error', (error) => {
      failure = `the server could not be started: ${error.message}`;
    });
    // Whatever it started may hold its output: that must not keep those waiting who want to know that it is gone.
    let grace: NodeJS.Timeout;
    child.once('exit', () => {
      grace = setTimeout(() => {
        child.stdout.destroy();
        child.stderr?.destroy();
      }, GRACE);
    });
    // It comes after an error, too.
    child.once('close', (code, signal) => {
      clearTimeout(grace);
      events.ended(failure ?? `the server ended with ${signal ?? `exit code ${code}`}`, failure === null);
      resolve();
    });
  });
  const lines = new Lines(
    (text) => events.received(text, null, null),
    () => killGroup(child, 'SIGKILL'),
  );
  child.stdout.on('data', (chunk: Buffer) => lines.take(chunk));
  if (start.heard !== undefined) child.stderr?.setEncoding('utf8').on('data', start.heard);
  // Told by `close`.
  child.stdin.on('error', () => {});
  child.stdin.on('drain', events.drained);
  return {
    send: (_, text) => child.stdin.write(`${text}\n`),
    kill: () => killGroup(child, 'SIGKILL'),
    end: async () => {
      child.stdin.end();
      if (await within(gone, PATIENCE)) return killGroup(child, 'SIGKILL');
      killGroup(child, 'SIGTERM');
      if (!(await within(gone, PATIENCE))) killGroup(child, 'SIGKILL');
    },
  };
}

/** Returns the variables that a program gets: those that every one needs, and those that are named. */
export function inherited(environment: ServerStart['environment'], named: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && (INHERITED.test(name) || named.includes(name))) kept[name] = value;
  return kept;
}

/** Signals the group of a program, which may outlive the program itself. */
export function killGroup({ pid, kill: _ }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It is gone.
  }
}

function within(done: Promise<void>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds);
    void done.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
