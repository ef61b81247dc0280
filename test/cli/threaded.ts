/** Runs `policy` in a thread of this process: as a process answers, in a fraction of its time. The tests wait for it, as for a process. */
import { resolve } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, SHARE_ENV, Worker } from 'node:worker_threads';
import type { Answer, Circumstances } from './spawned.js';

/** Their absolute paths: the folder of the process changes. */
export interface Programs {
  readonly BUNDLE: string;
  readonly COMMAND: string;
}

export interface Asked {
  readonly args: readonly string[];
  readonly input: Uint8Array;
  /** Installed lines of our hook are answered in the thread. */
  readonly hooksHere: boolean;
  readonly told: MessagePort;
  readonly done: Int32Array;
}

export interface Told extends Answer {
  /** Code may still run that belongs to this command. */
  readonly isSpoiled: boolean;
}

/** A process of its own is what these are about: they hand on its streams, start agents, or are another program. */
const PROCESSES: ReadonlySet<string | undefined> = new Set(['hook', 'run', 'mcp']);
/** These start the installed hook, and make something of its answers. */
const HOOK_STARTERS: ReadonlySet<string> = new Set(['audit', 'doctor', 'run']);
/** Variables that node or the C library read once, when a process starts. */
const AT_START = /^(?:NODE_|UV_|LC_|TZ$|LANG$|LD_)/;
/** Milliseconds; longer than any command takes on a busy machine. */
const PATIENCE = 600_000;

const programs: Programs = { BUNDLE: resolve('dist/cli/policy-main.cjs'), COMMAND: resolve('bin/policy.js') };
let thread: Worker | null = null;

/** Whether a command line answers in a thread as in a process. */
export function fitsThread(args: readonly string[], env: Readonly<Record<string, string>>): boolean {
  return !args.some((word) => PROCESSES.has(word)) && !Object.keys(env).some((name) => AT_START.test(name));
}

/** Runs `policy ARGS` with exactly this environment. */
export function policyInThread(args: readonly string[], { cwd, input = '', env, startsHooks }: Required<Circumstances>): Answer {
  const hooksHere = !startsHooks && args.some((word) => HOOK_STARTERS.has(word));
  return within(cwd, env, () => asked(args, input, hooksHere));
}

function asked(args: readonly string[], input: string | Buffer, hooksHere: boolean): Answer {
  thread ??= started();
  const { port1, port2 } = new MessageChannel();
  const done = new Int32Array(new SharedArrayBuffer(4));
  const question: Asked = { args, input: Buffer.from(input), hooksHere, told: port2, done };
  thread.postMessage(question, [port2]);
  const waited = Atomics.wait(done, 0, 0, PATIENCE);
  const received = receiveMessageOnPort(port1) as { readonly message: Told } | undefined;
  port1.close();
  if (received === undefined || received.message.isSpoiled) {
    void thread.terminate();
    thread = null;
  }
  if (received === undefined) throw new Error(`policy ${args.join(' ')} gave no answer (${waited})`);
  const { status, stdout, stderr } = received.message;
  return { status, stdout, stderr };
}

function started(): Worker {
  const made = new Worker(new URL('./command-thread.js', import.meta.url), {
    ...{ env: SHARE_ENV, execArgv: [], argv: [] },
    workerData: programs,
  });
  // Tests end when they are done.
  made.unref();
  return made;
}

/** Does `work` in another folder and with other variables. */
function within<Result>(cwd: string, env: Readonly<Record<string, string>>, work: () => Result): Result {
  const folder = process.cwd();
  const variables = { ...process.env };
  process.chdir(cwd);
  replaceVariables(env);
  try {
    return work();
  } finally {
    process.chdir(folder);
    replaceVariables(variables);
  }
}

function replaceVariables(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) process.env[name] = value;
}
