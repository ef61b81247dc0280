/** A file's text with its lines: converts offsets to places and back, and finds the end of a word or value. */
import { lineStarts } from '../../policy/read/located.js';
import { secretSpans } from '../../secret/find.js';
import type { SecretSpan } from '../../secret/tokens.js';
import type { Span } from './finding.js';
import { endOfValue } from './json-text.js';

interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Subjects that rules search for in whole texts, each by substrings in any case: nearly no text contains one, which is determined
 * during the search for secrets.
 */
const SUBJECTS = {
  fetching: ['curl', 'wget', 'iwr', 'irm', 'invoke-', 'fetch'],
  sandbox: ['sandbox'],
  'open-flag': ['dangerously-', '--yolo', '--ignore-', 'danger-full-access'],
  comment: ['policy-disable-next-line'],
  marker: ['___last_message_marker___'],
} as const;
type Subject = keyof typeof SUBJECTS;
const ALL_SUBJECTS: ReadonlySet<Subject> = new Set(Object.keys(SUBJECTS) as Subject[]);
const NO_SUBJECT: ReadonlySet<Subject> = new Set();

/** Lines end with LF, CR LF or CR; a byte order mark is not part of any line. */
export class SourceText {
  readonly file: string;
  readonly text: string;
  #lines: readonly string[] | null = null;
  #lineStarts: readonly number[] | null = null;
  #secrets: readonly SecretSpan[] | null = null;
  #subjects: ReadonlySet<Subject> = ALL_SUBJECTS;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text.startsWith('\uFEFF') ? text.slice(1) : text;
  }

  /** Without their line ends. Computed only on request: most files never need it. */
  get lines(): readonly string[] {
    this.#lines ??= this.text.includes('\r') ? this.text.split(/\r\n|\n|\r/) : this.text.split('\n');
    return this.#lines;
  }

  /** Spans that may be secrets. */
  get secrets(): readonly SecretSpan[] {
    this.#secrets ??= secretSpans(this.text, ({ mayHold }) => {
      const found = Object.entries(SUBJECTS).filter(([, parts]) => parts.some(mayHold));
      this.#subjects = found.length === 0 ? NO_SUBJECT : new Set(found.map(([subject]) => subject as Subject));
    });
    return this.#secrets;
  }

  /** False if the text certainly contains nothing about a subject. */
  mayHold(subject: Subject): boolean {
    return this.secrets !== null && this.#subjects.has(subject);
  }

  get #starts(): readonly number[] {
    this.#lineStarts ??= lineStarts(this.text);
    return this.#lineStarts;
  }

  /** Returns the offset of a place; a place beyond the text is clamped. */
  offsetAt({ line, column }: Position): number {
    const index = Math.min(Math.max(line, 1), this.#starts.length) - 1;
    return (this.#starts[index] ?? 0) + Math.min(Math.max(column - 1, 0), this.lines[index]?.length ?? 0);
  }

  placeOf(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }

  /** Returns the span between two offsets; one column wide if it would be empty, as after the last character. */
  span(start: number, end: number): Span {
    const from = this.placeOf(start);
    if (end <= start) return { file: this.file, ...from, endLine: from.line, endColumn: from.column + 1 };
    const to = this.placeOf(end);
    const wraps = to.line > from.line && end === start + 1;
    return wraps
      ? { file: this.file, ...from, endLine: from.line, endColumn: from.column + 1 }
      : { file: this.file, ...from, endLine: to.line, endColumn: to.column };
  }

  lineSpan(line: number): Span {
    const length = this.lines[line - 1]?.length ?? 0;
    return { file: this.file, line, column: 1, endLine: line, endColumn: Math.max(length, 1) + 1 };
  }

  /** Returns the span of the token at a place: a quoted text with its quotes, or else the run up to a space, comma, colon or bracket. */
  wordSpan(position: Position): Span {
    const start = this.offsetAt(position);
    return this.span(start, this.quotedEnd(start) ?? start + (/^[^\s,:#[\]{}"']+/.exec(this.restOfLine(start))?.[0].length ?? 1));
  }

  /** Returns the span from a place to the end of its line, without trailing white space and a trailing comma. */
  restSpan(offset: number): Span {
    return this.span(offset, offset + this.restOfLine(offset).trimEnd().replace(/,$/, '').length);
  }

  /** Returns the span of a list or map: up to its bracket if that is on the same line, or else what follows on the line. */
  collectionSpan(offset: number): Span {
    const rest = this.restOfLine(offset);
    const end = /^[[{]/.test(rest) ? endOfValue(rest, 0) : rest.length;
    return end < rest.length ? this.span(offset, offset + end) : this.restSpan(offset);
  }

  /** Returns the end of the quoted text that starts at an offset, on the same line; null when there is none. */
  quotedEnd(start: number): number | null {
    const quote = this.text[start];
    if (quote !== '"' && quote !== "'") return null;
    for (let at = start + 1; at < this.text.length && this.text[at] !== '\n'; at++) {
      if (this.text[at] === '\\' && quote === '"') at++;
      else if (this.text[at] === quote) {
        if (quote === '"' || this.text[at + 1] !== quote) return at + 1;
        at++;
      }
    }
    return null;
  }

  /**
   * Returns the span of a text at an offset, possibly after a quote; the span of the word there if escapes or line folds changed the text.
   */
  textSpan(offset: number, text: string): Span {
    const start = [offset, offset + 1, offset - 1].find((at) => at >= 0 && text !== '' && this.text.startsWith(text, at));
    if (start !== undefined) return this.span(start, start + text.length);
    const end = this.quotedEnd(offset);
    return end === null ? this.restSpan(offset) : this.span(offset, end);
  }

  private restOfLine(offset: number): string {
    const { line, column } = this.placeOf(offset);
    return (this.lines[line - 1] ?? '').slice(column - 1);
  }
}
