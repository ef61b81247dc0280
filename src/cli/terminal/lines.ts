/** Splits a stream of bytes into lines, and never holds more than one line of limited length. */

/** A line's text, or why it has none. */
export type InputLine = { readonly text: string } | { readonly problem: string };

const MEBIBYTE = 1_048_576;
const NEWLINE = 0x0a;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Yields the lines of `source`, in order. `\n` and `\r\n` end a line, a last line needs no end, a byte order mark is dropped. A
 * line of more than `most` bytes, or not in UTF-8, becomes a problem in its place.
 */
export async function* linesOf(source: AsyncIterable<Uint8Array>, most: number = MEBIBYTE): AsyncGenerator<InputLine> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
      if (size + to - from <= most) parts.push(chunk.subarray(from, to));
      yield lineOf(parts, size + to - from, most);
      parts = [];
      size = 0;
      from = to + 1;
    }
    size += chunk.length - from;
    if (size <= most) parts.push(chunk.subarray(from));
    else parts = [];
  }
  if (size > 0) yield lineOf(parts, size, most);
}

function lineOf(parts: readonly Uint8Array[], size: number, most: number): InputLine {
  if (size > most) return { problem: `the line has ${size} bytes; at most ${most} are read` };
  try {
    return { text: decoder.decode(Buffer.concat(parts)).replace(/\r$/, '') };
  } catch {
    return { problem: 'the line is not UTF-8' };
  }
}
