/** This process as a hook: standard input, output and clock for `runHook`; shared by the bundle and by the command. */
import { isUtf8 } from 'node:buffer';
import { readSync, writeSync } from 'node:fs';
import { failureLine } from '../report/hook-line.js';
import { type HookProcess, runHook } from './hook-main.js';

const MOST_BYTES = 32 * 1024 * 1024;
const DENIED = 2;
/** Milliseconds between two looks at a pipe that has nothing yet. */
const PAUSE = 5;

/** Answers the one payload on standard input; gives the exit code. `words` are those behind `policy hook`. */
export function answerAsHook(words: readonly string[], own: Pick<HookProcess, 'compile' | 'home' | 'seal'>): 0 | 2 {
  process.on('uncaughtException', (error) => {
    write(2, `${failureLine(`the hook failed (${error.message})`)}\n`);
    process.exit(DENIED);
  });
  const output = runHook({
    ...own,
    words,
    input: readInput,
    environment: process.env,
    parent: process.ppid,
    platform: process.platform,
    now: Date.now,
    microseconds: () => Number(process.hrtime.bigint() / 1000n),
  });
  // An answer that did not arrive whole would be no answer, and a question nobody hears lets the call pass.
  const told = write(1, output.stdout);
  write(2, told ? output.stderr : `${failureLine('the answer could not be written to standard output')}\n`);
  return told ? output.exitCode : DENIED;
}

/** All of standard input as text; throws when it is longer than any payload may be, or no valid UTF-8. */
function readInput(): string {
  let bytes: Buffer = Buffer.allocUnsafe(65_536);
  let size = 0;
  for (;;) {
    if (size === bytes.length) bytes = doubled(bytes);
    const got = readSome(bytes, size);
    if (got === 0) break;
    size += got;
    if (size > MOST_BYTES) throw new Error(`the payload is longer than ${MOST_BYTES} bytes`);
  }
  if (!isUtf8(bytes.subarray(0, size))) throw new Error('the payload is not valid UTF-8');
  return bytes.toString('utf8', 0, size);
}

function doubled(bytes: Buffer): Buffer {
  const larger = Buffer.allocUnsafe(2 * bytes.length);
  bytes.copy(larger);
  return larger;
}

/** Bytes read; waits where a runner left the pipe non-blocking. */
function readSome(bytes: Buffer, from: number): number {
  for (;;) {
    try {
      return readSync(0, bytes, from, bytes.length - from, null);
    } catch (error) {
      if (codeOf(error) === 'EOF') return 0;
      if (codeOf(error) !== 'EAGAIN') throw error;
      pause();
    }
  }
}

/** Writes all of a text; false when it could not. */
function write(descriptor: number, text: string): boolean {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') return false;
      pause();
    }
  }
  return true;
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
