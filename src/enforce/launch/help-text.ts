/**
 * The help text of an installed runner: requested once per version, and cached by path, size and change time of the program.
 * Behind a version manager's shim the version may change without either, so the text is requested again after a day.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { readText } from '../../disk/read.js';
import { replaceFile } from '../../disk/replace.js';
import { ownDirectory } from '../../log/files/directory.js';
import { shortName } from '../../run/short-name.js';

/** Maximum milliseconds that a runner may take to print its help on a busy machine, and maximum number of characters that are used. */
const PATIENCE = 60_000;
const MOST = 256 * 1024;
/** Matches a flag; every help text contains one. */
const FLAG = /(?:^|[\s,[|(])--?[a-z]/im;
/** Maximum number of characters quoted when a runner prints something other than its help. */
const LONGEST = 300;
/** How long a cached text is valid, in milliseconds. */
const FRESH_MS = 24 * 3_600_000;

interface Remembered {
  readonly program: string;
  readonly words: readonly string[];
  readonly size: number;
  readonly changed: number;
  readonly text: string;
}

/**
 * Returns the output of `program words…` without colors, from both stdout and stderr, since some runners print their help to
 * standard error. Runs it in an empty folder: in a project it would read the settings of the project, and might fail because of
 * them. Throws an Error with a message for a person when it fails or prints nothing, and caches no such result. After a timeout,
 * returns the cached text if there is one.
 * @param program real path
 * @param environment of the runner
 */
export function helpText(
  program: string,
  words: readonly string[],
  stateDirectory: string,
  environment: Readonly<Record<string, string | undefined>>,
  patience = PATIENCE,
): string {
  const { size, ctimeMs: changed } = statSync(program);
  const folder = `${stateDirectory}/clients`;
  const file = `${folder}/${shortName([program, ...words].join('\0'))}.json`;
  const known = recall(file);
  const isSame = known?.program === program && known.words.join('\0') === words.join('\0') && isFresh(file);
  if (known !== null && isSame && known.size === size && known.changed === changed) return known.text;
  ownDirectory(stateDirectory);
  ownDirectory(folder);
  const neutral = `${folder}/empty`;
  ownDirectory(neutral);
  const text = ask(program, words, neutral, environment, patience);
  if (text === null && known?.program === program) return known.text;
  if (text === null)
    throw new Error(
      `${program} ${words.join(' ')} took longer than ${patience / 1000} s; the machine may be busy: try again, or run it once by hand`,
    );
  remember(file, { program, words, size, changed, text });
  return text;
}

function isFresh(file: string): boolean {
  const age = Date.now() - statSync(file).mtimeMs;
  // File times are finer than the clock: a file that was just written may seem to be slightly in the future.
  return age > -1_000 && age < FRESH_MS;
}

/** Returns null after a timeout. */
function ask(
  program: string,
  words: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
  timeout: number,
): string | null {
  const { stdout, stderr, error, status, signal } = spawnSync(program, words, {
    encoding: 'utf8',
    cwd,
    // Some programs take the working directory from PWD.
    env: { ...environment, PWD: cwd },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
    maxBuffer: 4 * MOST,
    killSignal: 'SIGKILL',
  });
  if (error !== undefined && 'code' in error && error.code === 'ETIMEDOUT') return null;
  const text = stripVTControlCharacters(`${stdout ?? ''}\n${stderr ?? ''}`).slice(0, MOST);
  const asked = `${program} ${words.join(' ')}`;
  if (text.trim() === '') throw new Error(`${asked} printed nothing${error === undefined ? '' : ` (${error.message})`}`);
  if (status === 0 && FLAG.test(text)) return text;
  const how =
    status === null ? `was ended by ${signal ?? 'the system'}` : status === 0 ? 'names no flag' : `ended with ${status}`;
  const [line = ''] = text.trim().split('\n');
  throw new Error(`${asked} ${how} and said: ${line.slice(0, LONGEST)}`);
}

function recall(file: string): Remembered | null {
  const read = readText(file, { follow: false });
  if (!read.ok) return null;
  try {
    const value: unknown = JSON.parse(read.text);
    return isRemembered(value) ? value : null;
  } catch {
    return null;
  }
}

function isRemembered(value: unknown): value is Remembered {
  if (typeof value !== 'object' || value === null) return false;
  const { program, words, size, changed, text } = value as Readonly<Record<string, unknown>>;
  return (
    [program, text].every((one) => typeof one === 'string') &&
    [size, changed].every((one) => typeof one === 'number') &&
    Array.isArray(words)
  );
}

/** Caches a text; without the cache, the next call requests it again. */
function remember(file: string, value: Remembered): void {
  try {
    const before = readText(file, { follow: false });
    replaceFile(file, before.ok ? before.text : null, JSON.stringify(value), 0o600);
  } catch {
    // Another process was faster, or the disk is full.
  }
}
