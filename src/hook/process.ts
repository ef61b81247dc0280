/** This process as a hook: standard input, output and clock for `runHook`; shared by the bundle and the command. */
import { fstatSync, readSync, statSync, writeSync } from 'node:fs';
import { utf8Length, utf8Of } from '../log/record/bytes.js';
import { ANSWER, PROOF } from '../runner/hook/proof.js';
import { byExitCode, type HookOutput } from '../runner/hook/runner.js';
import { runnerNamed } from '../runner/runners.js';
import { failureLine } from './hook-line.js';
import { failure, type HookProcess, runHook, TELL_A_PERSON } from './main.js';

const MOST_BYTES = 32 * 1024 * 1024;
/** Milliseconds between two reads of a pipe that is still empty, or writes to one that is full. */
const PAUSE = 5;

/** Exit codes: those of a runner's protocol, or those that tell an installed line that the hook itself exited. */
interface Codes {
  readonly passed: number;
  readonly denied: number;
  /** The denial could not be delivered; the line then prints its own. */
  readonly unheard: number;
}

const PLAIN: Codes = { passed: 0, denied: 2, unheard: 2 };
const PROVED: Codes = { ...PROOF, unheard: 1 };

/** Answers the single payload on standard input and returns the exit code. `words` are those after `policy hook`. */
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
  // An incomplete answer would not be one, and a question that nobody receives lets the call pass.
  if (!isLost && write(answers, output.stdout) && write(2, output.stderr)) return codes.passed;
  if (output.denies !== undefined) return deny(byExitCode(output), codes, runner, answers);
  const stderr = `${failureLine('the answer could not be written to standard output')}\n`;
  return write(2, stderr) ? codes.denied : codes.unheard;
}

/**
 * Most runners run a call after exit code 2 if standard error is empty (recorded). An installed line whose standard error leads
 * nowhere therefore denies on standard output, in the runner's own form.
 */
function deny({ stdout, stderr }: HookOutput, codes: Codes, runner: string, answers: number): number {
  const isHeard = (codes === PLAIN || !leadsNowhere(2)) && write(2, stderr);
  if (isHeard || codes === PLAIN) {
    // Even if this text does not arrive, the exit code denies.
    if (stdout !== '') write(answers, stdout);
    return codes.denied;
  }
  // Standard output must contain nothing else: two answers in a row would be no valid answer.
  const onStdout = stdoutDenialOf(runner, stderr.trimEnd());
  return onStdout !== undefined && !leadsNowhere(answers) && write(answers, onStdout) ? codes.passed : codes.unheard;
}

/** A denial in a runner's own form; undefined if it has none, or if the part of this program that knows the runner cannot be loaded. */
function stdoutDenialOf(runner: string, message: string): string | undefined {
  try {
    return runnerNamed(runner)?.stdoutDenial?.(message);
  } catch {
    return undefined;
  }
}

/** True for the null device, which node also substitutes for a closed descriptor. */
function leadsNowhere(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isCharacterDevice() && found.rdev === statSync('/dev/null').rdev;
  } catch {
    return true;
  }
}

/** All of standard input as text; throws if it is longer than any payload may be, or not valid UTF-8. */
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

/** Returns the number of bytes read; waits if a runner left the pipe non-blocking. */
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

/** Writes all of a text; returns false if that fails. */
function write(descriptor: number, text: string): boolean {
  const length = utf8Length(text);
  let rest: string | Uint8Array = text;
  for (let written = 0; written < length; ) {
    try {
      written += typeof rest === 'string' ? writeSync(descriptor, rest) : writeSync(descriptor, rest);
      // The pipe had no room for all of it.
      if (written < length) rest = Buffer.from(text).subarray(written);
    } catch (error) {
      if (!isPassing(error)) return false;
      pause();
    }
  }
  return true;
}

/** Whether the error is temporary: a pipe that is empty or full, or an interrupting signal. */
function isPassing(error: unknown): boolean {
  return codeOf(error) === 'EAGAIN' || codeOf(error) === 'EINTR';
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
