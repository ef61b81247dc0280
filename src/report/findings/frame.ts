/** The source lines of a finding, with marks below the relevant parts. */
import type { Finding, LintReport, Span } from '../../lint/text/finding.js';
import { caretLines } from '../printing/caret.js';

/** A line of a frame; `number` is null for a line of marks below a source line. */
export interface FrameLine {
  readonly number: number | null;
  readonly text: string;
  /** Set for a line of marks, together with its label. */
  readonly marks: 'primary' | 'related' | null;
  readonly label: string;
}

/** The lines of one file. */
export interface Frame {
  readonly at: Span;
  readonly lines: readonly FrameLine[];
}

/** The maximum number of related places that are shown; the others are counted. */
const MOST_RELATED = 5;

/**
 * Returns the frames of a finding: first its own file with the related places in it, in the order of lines; then those of other
 * files. Places without a text to show have no lines.
 */
export function framesOf({ location, related }: Finding, lineOf: LintReport['lineOf'], width: number): readonly Frame[] {
  const shown = related.slice(0, MOST_RELATED);
  const own = shown.filter(({ file }) => file === location.file);
  const primary = { at: location, marks: 'primary' as const, label: '' };
  const marked = [primary, ...own.map((place) => ({ at: place, marks: 'related' as const, label: place.message }))];
  const inOrder = marked.sort((left, right) => left.at.line - right.at.line || left.at.column - right.at.column);
  const others = shown
    .filter(({ file }) => file !== location.file)
    .map((place) => ({ at: place, lines: markedLine(place, 'related', place.message, lineOf, width) }));
  return [
    {
      at: location,
      lines: withoutRepeated(inOrder.flatMap(({ at, marks, label }) => markedLine(at, marks, label, lineOf, width))),
    },
    ...others,
  ];
}

/** Returns the number of related places that are not shown. */
export function unshown({ related }: Finding): number {
  return Math.max(0, related.length - MOST_RELATED);
}

/** Shows a line with two marks only once, if both marks are about the same part of it. */
function withoutRepeated(lines: readonly FrameLine[]): readonly FrameLine[] {
  let last: FrameLine | null = null;
  return lines.filter((line) => {
    if (line.number === null) return true;
    const isRepeated = last?.number === line.number && last.text === line.text;
    last = line;
    return !isRepeated;
  });
}

function markedLine(
  at: Span,
  marks: 'primary' | 'related',
  label: string,
  lineOf: LintReport['lineOf'],
  width: number,
): FrameLine[] {
  const text = lineOf(at.file, at.line);
  if (text === null || text.trim() === '') return [];
  const end = at.endLine === at.line ? at.endColumn - 1 : text.length;
  const start = Math.min(at.column - 1, text.length - 1);
  // Far more than fits on a terminal, and far less than the maximum length of a line.
  const from = Math.max(0, start - 400);
  const span = { start: start - from, end: Math.max(end, start + 1) - from };
  const lines = caretLines(text.slice(from, start + 800), span, width, marks === 'primary' ? '^' : '-');
  if (lines === null) return [];
  return [
    { number: at.line, text: lines[0], marks: null, label: '' },
    { number: null, text: lines[1], marks, label },
  ];
}
