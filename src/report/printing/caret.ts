/** Points at a part of a line: the line itself, with carets below the part. */
import type { Span } from '../../shell/syntax/types.js';
import { escapeText } from './escape.js';
import { cellsOf, widthOf } from './width.js';

/**
 * Returns two lines, neither wider than `width` columns: the source line around `span`, and marks under the span. A span over
 * several lines is marked on its first one; text that does not fit is replaced by `…`. Null when the span is not in the source.
 */
export function caretLines(source: string, span: Span, width: number, mark = '^'): readonly [string, string] | null {
  if (span.start < 0 || span.start >= source.length || span.end <= span.start) return null;
  const from = source.lastIndexOf('\n', span.start - 1) + 1;
  const lineEnd = source.indexOf('\n', span.start);
  const to = lineEnd === -1 ? source.length : lineEnd;
  const before = keepEnd([...escapeText(source.slice(from, span.start))], Math.floor(width / 3));
  const marked = keepStart(
    [...escapeText(source.slice(span.start, Math.max(span.start + 1, Math.min(span.end, to))))],
    Math.floor(width / 2),
  );
  const room = width - widthOf(before) - widthOf(marked);
  const after = keepStart([...escapeText(source.slice(Math.min(span.end, to), to))], room);
  const marks = mark.repeat(Math.max(widthOf(marked), 1));
  return [before.join('') + marked.join('') + after.join(''), ' '.repeat(widthOf(before)) + marks];
}

/** Returns the characters at the end that fit into `room` columns; the first of them is `…` if something was cut. */
function keepEnd(characters: readonly string[], room: number): readonly string[] {
  if (widthOf(characters) <= room) return characters;
  let start = characters.length;
  for (let left = room - 1; start > 0; start--) {
    left -= cellsOf(characters[start - 1] ?? '');
    if (left < 0) break;
  }
  return ['…', ...characters.slice(start)];
}

/** Returns the characters at the start that fit into `room` columns; the last of them is `…` if something was cut. */
function keepStart(characters: readonly string[], room: number): readonly string[] {
  if (widthOf(characters) <= room) return characters;
  if (room <= 0) return [];
  let end = 0;
  for (let left = room - 1; end < characters.length; end++) {
    left -= cellsOf(characters[end] ?? '');
    if (left < 0) break;
  }
  return [...characters.slice(0, end), '…'];
}
