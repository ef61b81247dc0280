/** `codex_read_file`. */
import { closeSync, readSync } from 'node:fs';
import { utf8Of } from '../../log/record/bytes.js';
import { LARGEST, openFile, readWhole, TooLarge, ToolFailure } from './place.js';

/** Bytes that are looked through for the lines that were asked for. */
const FARTHEST = 64 * 1024 * 1024;
const CHUNK = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * Returns a text file, or some of its lines. Throws ToolFailure.
 * @param path absolute, without links
 * @param first number of the first line, from 1; undefined with `count` undefined: the whole file
 */
export function readFile(path: string, first?: number, count?: number): string {
  return first === undefined && count === undefined
    ? whole(path)
    : readLines(path, first ?? 1, count ?? Number.POSITIVE_INFINITY);
}

function whole(path: string): string {
  try {
    return readWhole(path);
  } catch (error) {
    if (error instanceof TooLarge) throw new ToolFailure(`${error.message}: give offset and limit`);
    throw error;
  }
}

function readLines(path: string, first: number, count: number): string {
  const { descriptor } = openFile(path);
  try {
    const wanted: Buffer[] = [];
    const chunk = Buffer.alloc(CHUNK);
    let line = 1;
    let bytes = 0;
    for (let at = 0; line < first + count; ) {
      if (at >= FARTHEST) throw new ToolFailure(`line ${first + count - 1} is not in the first ${FARTHEST} bytes of ${path}`);
      const got = readSync(descriptor, chunk, 0, CHUNK, at);
      if (got === 0) break;
      at += got;
      const { begin, end, next } = partOf(chunk.subarray(0, got), line, first, count);
      line = next;
      bytes += end - begin;
      if (bytes > LARGEST) throw new ToolFailure(`these lines of ${path} have more than ${LARGEST} bytes; read fewer`);
      if (end > begin) wanted.push(Buffer.from(chunk.subarray(begin, end)));
    }
    const text = utf8Of(Buffer.concat(wanted), bytes);
    if (text === null || text.includes('\0')) throw new ToolFailure(`${path} is not a text file`);
    if (text === '' && line < first) throw new ToolFailure(`${path} has ${line} lines`);
    return text;
  } finally {
    closeSync(descriptor);
  }
}

/** Returns which bytes of a chunk belong to the wanted lines, and the number of the line that goes on behind it. */
function partOf(chunk: Buffer, line: number, first: number, count: number): { begin: number; end: number; next: number } {
  let begin = line >= first ? 0 : chunk.length;
  let next = line;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
    next += 1;
    if (next === first) begin = at + 1;
    if (next >= first + count) return { begin, end: at + 1, next };
  }
  return { begin, end: chunk.length, next };
}
