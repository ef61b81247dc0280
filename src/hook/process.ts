/** This process as a hook: standard input, output and clock for `runHook`; shared by the bundle and by the command. */
import { fstatSync, readSync, statSync, writeSync } from 'node:fs';
import { utf8Length, utf8Of } from '../log/record/bytes.js';
import { ANSWER, PROOF } from '../runner/hook/proof.js';
import { byExitCode, type HookOutput } from '../runner/hook/runner.js';
import { runnerNamed } from '../runner/runners.js';
import { failureLine } from './hook-line.js';
import { failure, type HookProcess, runHook, TELL_A_PERSON } from './main.js';

const MOST_BYTES = 32 * 1024 * 1024;
/** Milliseconds between two looks at a pipe that has nothing yet. */
const PAUSE = 5;

/** Exit codes: those of a runner's protocol, or those by which an installed line knows that it was the hook that ended. */
interface Codes {
  readonly passed: number;
  readonly denied: number;
  /** The denial could not be told to anybody; the line then tells its own. */
  readonly unheard: number;
}

const PLAIN: Codes = { passed: 0, denied: 2, unheard: 2 };
const PROVED: Codes = { ...PROOF, unheard: 1 };

/** Answers the one payload on standard input; gives the exit code. `words` are those behind `policy hook`. */
export function answerAsHook(words: readonly string[], own: Pick<HookProcess, 'compile' | 'home' | 'seal'>): number {
  const codes = words.includes('--proof') ? PROVED : PLAIN;
  const answers = words.includes('--answer') ? ANSWER : 1;
  const [runner = ''] = words;
  process.on('uncaughtException', (error) => {
    const why = `the hook failed (internal/uncaught: ${error.message}); ${TELL_A_PERSON}`;
    process.exit(deny(failure(why, runner), codes, runner, answers));
  });
  const parent = process.ppid;
  const output = runHook({
    ...own,
    words,
    input: readInput,
    environment: process.env,
    parent,
    isUnheard: () => process.ppid !== parent,
    platform: process.platform,
    now: Date.now,
    microseconds: () => Number(process.hrtime.bigint() / 1000n),
  });
  if (output.exitCode === 2) return deny(output, codes, runner, answers);
  const isLost = output.denies !== undefined && leadsNowhere(answers);
  // An answer that did not arrive whole would be no answer, and a question nobody hears lets the call pass.
  if (!isLost && write(answers, output.stdout) && write(2, output.stderr)) return codes.passed;
  if (output.denies !== undefined) return deny(byExitCode(output), codes, runner, answers);
  const stderr = `${failureLine('the answer could not be written to standard output')}\n`;
  return write(2, stderr) ? codes.denied : codes.unheard;
}

/**
 * Most clients run a call after exit code 2 without a word on standard error (recorded). An installed line whose standard error
 * leads nowhere therefore denies on standard output, in the client's own form.
 */
function deny({ stdout, stderr }: HookOutput, codes: Codes, runner: string, answers: number): number {
  const isHeard = (codes === PLAIN || !leadsNowhere(2)) && write(2, stderr);
  if (isHeard || codes === PLAIN) {
    // Whether these words arrive or not: it is the exit code that denies.
    if (stdout !== '') write(answers, stdout);
    return codes.denied;
  }
  // Nothing else may stand on standard output: two answers in a row would be none.
  const onStdout = stdoutDenialOf(runner, stderr.trimEnd());
  return onStdout !== undefined && !leadsNowhere(answers) && write(answers, onStdout) ? codes.passed : codes.unheard;
}

/** A denial in a runner's own form; undefined where it has none, or where the part of this program that knows it cannot be had. */
function stdoutDenialOf(runner: string, message: string): string | undefined {
  try {
    return runnerNamed(runner)?.stdoutDenial?.(message);
  } catch {
    return undefined;
  }
}

/** True for the null device, which is also what node puts in the place of a closed descriptor. */
function leadsNowhere(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isCharacterDevice() && found.rdev === statSync('/dev/null').rdev;
  } catch {
    return true;
  }
}

/** All of standard input as text; throws when it is longer than any payload may be, or no valid UTF-8. */
function readInput(): string {
  let bytes = new Uint8Array(65_536);
  let size = 0;
  for (;;) {
    if (size === bytes.length) bytes = doubled(bytes);
    const got = readSome(bytes, size);
    if (got === 0) break;
    size += got;
    if (size > MOST_BYTES) throw new Error(`the payload is longer than ${MOST_BYTES} bytes`);
  }
  const text = utf8Of(bytes, size);
  if (text === null) throw new Error('the payload is not valid UTF-8');
  return text;
}

function doubled(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * bytes.length);
  larger.set(bytes);
  return larger;
}

/** Bytes read; waits where a runner left the pipe non-blocking. */
function readSome(bytes: Uint8Array, from: number): number {
  for (;;) {
    try {
      return readSync(0, bytes, from, bytes.length - from, null);
    } catch (error) {
      if (codeOf(error) === 'EOF') return 0;
      if (!isPassing(error)) throw error;
      pause();
    }
  }
}

/** Writes all of a text; false when it could not. */
function write(descriptor: number, text: string): boolean {
  const length = utf8Length(text);
  let rest: string | Uint8Array = text;
  for (let written = 0; written < length; ) {
    try {
      written += typeof rest === 'string' ? writeSync(descriptor, rest) : writeSync(descriptor, rest);
      // A pipe that had no room for all of it.
      if (written < length) rest = Buffer.from(text).subarray(written);
    } catch (error) {
      if (!isPassing(error)) return false;
      pause();
    }
  }
  return true;
}

/** A pipe that has nothing, or no room, right now; or a signal that came in between. */
function isPassing(error: unknown): boolean {
  return codeOf(error) === 'EAGAIN' || codeOf(error) === 'EINTR';
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
