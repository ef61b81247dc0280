// The thread beside the tests in which `policy` runs (threaded.ts): each command line by a fresh evaluation of the bundle that ships, as a
// new process has one, without the start of a process.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { Script } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { cacheIn } from '../../src/cli/start/sealed-cache.js';
import { cacheName } from '../../src/program/code-cache.js';
import type { Asked, Programs, Told } from './threaded.js';

type Main = Pick<typeof import('../../src/cli/main.js'), 'main'>;
type Listener = (...values: unknown[]) => void;

const { BUNDLE, COMMAND } = workerData as Programs;
const own = createRequire(BUNDLE);
let load: ReturnType<typeof bundle> | undefined;

parentPort?.on('message', (asked: Asked) => void answer(asked));

/** The bundle as one function, compiled once. */
function bundle(): (...given: unknown[]) => void {
  const cachedData = cacheIn(readFileSync(`${dirname(BUNDLE)}/policy-main.${cacheName()}.cache`));
  return new Script(readFileSync(BUNDLE, 'latin1'), { filename: BUNDLE, cachedData }).runInThisContext();
}

/** Runs one command line and tells the main thread, which waits for it. */
async function answer({ args, input, hooksHere, told, done }: Asked): Promise<void> {
  const stdout = kept('stdout');
  const stderr = kept('stderr');
  const before = listeners();
  let isOver = false;
  const end = (status: number, isSpoiled: boolean) => {
    if (isOver) return;
    isOver = true;
    atExit(before, status);
    const answered: Told = { status, stdout: textOf(stdout), stderr: textOf(stderr), isSpoiled };
    told.postMessage(answered);
    told.close();
    Atomics.store(done, 0, 1);
    Atomics.notify(done, 0);
  };
  const failed = (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    end(1, true);
  };
  Object.defineProperty(process, 'stdin', {
    value: Readable.from(input.length === 0 ? [] : [Buffer.from(input)]),
    configurable: true,
  });
  process.argv = [process.execPath, COMMAND, ...args];
  process.exitCode = undefined;
  process.exit = (code) => {
    end(Number(code ?? process.exitCode ?? 0), true);
    // Nothing behind it may run; the main thread ends this one.
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
  process.once('uncaughtException', failed);
  process.once('unhandledRejection', failed);
  try {
    const module: { exports: Partial<Main> } = { exports: {} };
    load ??= bundle();
    load(module.exports, own, module, BUNDLE, dirname(BUNDLE));
    const run = () => module.exports.main?.(args);
    if (hooksHere) await (await import('../hook/answered-here.js')).withHooksHere(run);
    else await run();
    end(Number(process.exitCode ?? 0), false);
  } catch (error) {
    failed(error);
  }
}

/** All that is written to a stream of the process from here on; it is never full. */
function kept(name: 'stdout' | 'stderr'): readonly Buffer[] {
  const parts: Buffer[] = [];
  process[name].removeAllListeners('error');
  process[name].write = (part: string | Uint8Array, ...more: readonly unknown[]) => {
    parts.push(Buffer.from(part as string, typeof more[0] === 'string' ? (more[0] as BufferEncoding) : 'utf8'));
    const done = more.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
  return parts;
}

function textOf(parts: readonly Buffer[]): string {
  return Buffer.concat(parts).toString('utf8');
}

/** What listens to events of the process. */
function listeners(): ReadonlyMap<string | symbol, ReadonlySet<Listener>> {
  return new Map(process.eventNames().map((name) => [name, new Set(process.rawListeners(name as 'exit') as Listener[])]));
}

/** What the command wanted done at its end, which is now; nothing that it listens with stays. */
function atExit(before: ReadonlyMap<string | symbol, ReadonlySet<Listener>>, status: number): void {
  for (const [name, now] of listeners())
    for (const one of now) {
      if (before.get(name)?.has(one)) continue;
      if (name === 'exit') one(status);
      process.removeListener(name, one);
    }
}
