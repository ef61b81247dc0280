/** What bash did with a line, as the tracer saw it: the records of the driver, read. */
import { posix } from 'node:path';

/** A program that started. */
export interface Program {
  readonly cwd: string;
  /** The file that was executed. */
  readonly file: string;
  readonly argv: readonly string[];
}

/** A file that was opened for writing, or changed in another way. */
export interface Change {
  readonly path: string;
  /** `open FLAGS`, or `change` for removing, renaming, linking, making and the like. */
  readonly kind: string;
}

export interface Trace {
  /** In order; the first is bash itself. */
  readonly programs: readonly Program[];
  readonly changes: readonly Change[];
  /** Address family and port or path of every connection that was tried. */
  readonly connections: readonly string[];
  /** The lines that bash traced: simple commands (builtins too), assignments, tests and heads of loops. */
  readonly steps: readonly string[];
  /** Exit status, `timeout` or `processes`. */
  readonly end: string;
}

/** What stands before every traced line, once per level (PS4); no shell word can hold it unquoted. */
const STEP_MARK = '\x01';

/** Reads the records of one answer of the driver (sandbox/driver.c says how they look). */
export function readTrace(answer: Buffer): Trace {
  const programs: Program[] = [];
  const changes: Change[] = [];
  const connections: string[] = [];
  let steps: string[] = [];
  let end = '';
  let isCut = false;
  for (let at = 0; at + 4 < answer.length; ) {
    const length = answer.readUInt32LE(at);
    const letter = String.fromCharCode(answer[at + 4] ?? 0);
    const text = answer.toString('utf8', at + 5, at + 4 + length);
    const fields = text.split('\0');
    at += 4 + length;
    if (letter === 'X') programs.push({ cwd: fields[0] ?? '', file: fields[1] ?? '', argv: fields.slice(2, -1) });
    else if (letter === 'W')
      changes.push({ path: posix.normalize(fields[0] ?? '').replace(/(?<=.)\/+$/, ''), kind: fields[1] ?? '' });
    else if (letter === 'C') connections.push(`${fields[0]} ${fields[1]}`);
    else if (letter === 'T') {
      steps = readSteps(text);
      isCut = text !== '' && !text.endsWith('\n');
    } else if (letter === 'E') end = text;
    else throw new Error(`The driver sent a record of unknown kind: ${JSON.stringify(letter)}`);
  }
  // A trace that was cut off ends in the middle of a step: where the line was stopped, and where a part of it wrote more than it may.
  if (!/^\d+$/.test(end) || Number(end) > 128 || isCut) steps.pop();
  return { programs, changes, connections, steps, end };
}

/** A traced command may span several lines when a word holds a newline; every step begins with the mark. */
function readSteps(text: string): string[] {
  return text
    .split(new RegExp(`(?:^|(?<=\n))${STEP_MARK}+`))
    .slice(1)
    .map((step) => step.replace(/\n$/, ''));
}

/**
 * The words of a traced step, unquoted as bash quotes them (`'…'`, `\'`, `$'…'`).
 * @returns null when the quoting is not bash's own
 */
export function wordsOfStep(step: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  for (let i = 0; i < step.length; ) {
    const character = step.charAt(i);
    if (character === ' ') {
      if (word !== null) words.push(word);
      word = null;
      i++;
    } else if (character === "'") {
      const end = step.indexOf("'", i + 1);
      if (end === -1) return null;
      word = (word ?? '') + step.slice(i + 1, end);
      i = end + 1;
    } else if (character === '$' && step.charAt(i + 1) === "'") {
      const read = readAnsi(step, i + 2);
      if (read === null) return null;
      word = (word ?? '') + read.text;
      i = read.end;
    } else if (character === '\\') {
      word = (word ?? '') + step.charAt(i + 1);
      i += 2;
    } else {
      word = (word ?? '') + character;
      i++;
    }
  }
  if (word !== null) words.push(word);
  return words;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v', E: '\x1b' };

/** The text of `$'…'` from behind its opening quote; bash writes bytes that it cannot show as octal numbers. */
function readAnsi(step: string, start: number): { readonly text: string; readonly end: number } | null {
  const bytes: Buffer[] = [];
  for (let i = start; i < step.length; i++) {
    const character = step.charAt(i);
    if (character === "'") return { text: Buffer.concat(bytes).toString('utf8'), end: i + 1 };
    if (character !== '\\') {
      bytes.push(Buffer.from(character));
      continue;
    }
    const octal = /^[0-7]{3}/.exec(step.slice(i + 1, i + 4))?.[0];
    bytes.push(
      octal === undefined ? Buffer.from(ESCAPES[step.charAt(i + 1)] ?? step.charAt(i + 1)) : Buffer.of(Number.parseInt(octal, 8)),
    );
    i += octal === undefined ? 1 : 3;
  }
  return null;
}
