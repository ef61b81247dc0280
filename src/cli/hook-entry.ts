/** The hook as a program (dist/hook-main.cjs): this process's own input, output and clock for `runHook`. */
import { isUtf8 } from 'node:buffer';
import { readSync, writeSync } from 'node:fs';
import { failureLine } from '../report/hook-line.js';
import { runHook } from './hook-main.js';

export { runHook };

const MOST_BYTES = 32 * 1024 * 1024;
const EXIT_DENY = 2;

/** All of standard input as text; throws when it is longer than any payload may be, or no valid UTF-8. */
function readInput(): string {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(65_536);
    const got = readSome(chunk);
    if (got === 0) break;
    chunks.push(got === chunk.length ? chunk : chunk.subarray(0, got));
    size += got;
    if (size > MOST_BYTES) throw new Error(`the payload is longer than ${MOST_BYTES} bytes`);
  }
  const bytes = Buffer.concat(chunks, size);
  if (!isUtf8(bytes)) throw new Error('the payload is not valid UTF-8');
  return bytes.toString('utf8');
}

/** Bytes read; waits where a runner left the pipe non-blocking. */
function readSome(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(0, chunk, 0, chunk.length, null);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** Writes all of a text; a reader that went away changes nothing about the exit code. */
function write(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** Answers the one payload on standard input; `words` are those behind `policy hook`. */
export function main(words: readonly string[]): void {
  process.on('uncaughtException', (error) => {
    write(2, `${failureLine(`the hook failed (${error.message})`)}\n`);
    process.exit(EXIT_DENY);
  });
  const output = runHook({
    words,
    input: readInput,
    environment: process.env,
    // Needed only where HOME is not set.
    home: () => (require('node:os') as typeof import('node:os')).homedir(),
    parent: process.ppid,
    platform: process.platform,
    now: Date.now,
    microseconds: () => Number(process.hrtime.bigint() / 1000n),
    // A bundle of its own: it is read only when there is no snapshot.
    compile: (places) => (require('./compile.cjs') as typeof import('../enforce/compile-gate.js')).compileGate(places),
  });
  write(1, output.stdout);
  write(2, output.stderr);
  process.exitCode = output.exitCode;
}
