/** Reads files that a hostile repository may have prepared: only regular files of limited size with valid UTF-8. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { utf8Of } from '../log/record/bytes.js';

const MAX_FILE_BYTES = 1024 * 1024;

export type FileText =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly code: 'missing' | 'not-a-file' | 'too-large' | 'not-utf8' | 'unreadable';
      readonly message: string;
    };

/**
 * Reads a text file of at most `limit` bytes. Refuses a FIFO or device without blocking on it; never throws.
 * @param follow whether the file itself may be a symlink
 * @param lenient whether bytes other than UTF-8 are accepted as well, as by most programs that read texts
 */
export function readText(file: string, { limit = MAX_FILE_BYTES, follow = true, lenient = false } = {}): FileText {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | (follow ? 0 : constants.O_NOFOLLOW));
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return { ok: false, code: 'not-a-file', message: 'is not a regular file' };
    if (stat.size > limit) return { ok: false, code: 'too-large', message: `is larger than ${limit} bytes` };
    const bytes = new Uint8Array(stat.size);
    let length = 0;
    while (length < bytes.length) {
      const got = readSync(descriptor, bytes, length, bytes.length - length, length);
      if (got === 0) break;
      length += got;
    }
    const text = utf8Of(bytes, length) ?? (lenient ? leniently(bytes.subarray(0, length)) : null);
    // Keeps a byte order mark; the parser of the text decides about it.
    return text === null ? { ok: false, code: 'not-utf8', message: 'is not valid UTF-8' } : { ok: true, text };
  } catch (error) {
    return failure(error);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function leniently(bytes: Uint8Array): string {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes);
}

function failure(error: unknown): FileText {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: false, code: 'missing', message: 'does not exist' };
  if (code === 'ELOOP') return { ok: false, code: 'not-a-file', message: 'is a symbolic link' };
  return { ok: false, code: 'unreadable', message: `cannot be read${code === '' ? '' : ` (${code})`}` };
}
