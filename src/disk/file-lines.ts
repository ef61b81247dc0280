/** The lines of large files, read in chunks. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const CHUNK = 1_048_576;
const LONGEST_LINE = 16_777_216;
const NEWLINE = 0x0a;

export interface FileLine {
  /** Null for a line that is too long. */
  readonly text: string | null;
  /** Bytes. */
  readonly length: number;
}

/** Yields the lines of a regular file. Throws for any other file, and for a symlink. */
export function* linesOf(path: string): Generator<FileLine> {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error(`${path} is not a regular file`);
    const chunk = Buffer.alloc(CHUNK);
    let held: Buffer[] = [];
    let length = 0;
    const line = (): FileLine => ({ text: length > LONGEST_LINE ? null : Buffer.concat(held).toString('utf8'), length });
    for (let got = readSync(descriptor, chunk); got > 0; got = readSync(descriptor, chunk)) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1 && at < got; at = chunk.indexOf(NEWLINE, from)) {
        held.push(chunk.subarray(from, at));
        length += at - from;
        yield line();
        [held, length, from] = [[], 0, at + 1];
      }
      length += got - from;
      held = length > LONGEST_LINE ? [] : [...held, Buffer.from(chunk.subarray(from, got))];
    }
    if (length > 0) yield line();
  } finally {
    closeSync(descriptor);
  }
}
