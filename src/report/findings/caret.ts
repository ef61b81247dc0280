/** Points at a part of a command line: the line it stands in, and carets below it. */
import type { Span } from '../../shell/syntax/types.js';
import { escapeText } from '../escape.js';

/**
 * Two lines, neither longer than `width` characters: the source line around `span`, and carets under the span.
 * A span over several lines is marked on its first one; text that does not fit is replaced by `…`.
 * Null when the span does not lie in the source.
 */
export function caretLines(source: string, span: Span, width: number): readonly [string, string] | null {
  if (span.start < 0 || span.start >= source.length || span.end <= span.start) return null;
  const from = source.lastIndexOf('\n', span.start - 1) + 1;
  const lineEnd = source.indexOf('\n', span.start);
  const to = lineEnd === -1 ? source.length : lineEnd;
  const before = keepEnd([...escapeText(source.slice(from, span.start))], Math.floor(width / 3));
  const marked = keepStart(
    [...escapeText(source.slice(span.start, Math.max(span.start + 1, Math.min(span.end, to))))],
    Math.floor(width / 2),
  );
  const after = keepStart([...escapeText(source.slice(Math.min(span.end, to), to))], width - before.length - marked.length);
  return [before.join('') + marked.join('') + after.join(''), ' '.repeat(before.length) + '^'.repeat(marked.length)];
}

/** The last `room` characters; the first of them is `…` when something was cut. */
function keepEnd(characters: readonly string[], room: number): readonly string[] {
  return characters.length <= room ? characters : ['…', ...characters.slice(characters.length - room + 1)];
}

/** The first `room` characters; the last of them is `…` when something was cut. */
function keepStart(characters: readonly string[], room: number): readonly string[] {
  if (characters.length <= room) return characters;
  return room <= 0 ? [] : [...characters.slice(0, room - 1), '…'];
}
