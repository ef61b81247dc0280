/** Finds the end of a bracketed list or map in YAML, JSON or TOML, the position for one more entry, and the end of an entry. */

import type { Insertion } from './insertion.js';

export interface BracketSyntax {
  /** YAML requires white space before `#`. */
  readonly comments: 'none' | 'spaced' | 'anywhere';
  /** In YAML a quote starts a string only at the start of a value; TOML has multi-line strings. */
  readonly quotes: 'json' | 'yaml' | 'toml';
}

/** The contents between a bracket and its closing one. */
interface Inside {
  readonly close: number;
  /** The end of the last character that is neither white space nor comment; the end of the opening bracket if there is none. */
  readonly last: number;
  /** Where the last entry at this level starts; -1 if there is none. */
  readonly entry: number;
  readonly trailingComma: boolean;
}

/** Scans from the opening bracket at `open`; null if it is not closed. The text was already parsed. */
function insideOf(source: string, open: number, syntax: BracketSyntax): Inside | null {
  let depth = 0;
  let last = open + 1;
  let entry = -1;
  let starts = true;
  for (let at = open; at < source.length; at++) {
    const character = source[at] ?? '';
    if (/\s/.test(character)) continue;
    if (isComment(source, at, syntax)) {
      const end = source.indexOf('\n', at);
      at = end < 0 ? source.length : end;
      continue;
    }
    const comma = source[last - 1] === ',' && last > open + 1;
    if (depth === 1 && (entry < 0 || comma) && !/[\]},]/.test(character)) entry = at;
    if (isQuote(character, syntax, starts)) at = quoteEnd(source, at, syntax) - 1;
    else if (character === '[' || character === '{') depth++;
    else if ((character === ']' || character === '}') && --depth === 0)
      return { close: at, last, entry, trailingComma: source[last - 1] === ',' };
    starts = character === '[' || character === '{' || character === ',' || character === ':';
    last = at + 1;
  }
  return null;
}

function isComment(source: string, at: number, { comments }: BracketSyntax): boolean {
  if (source[at] !== '#' || comments === 'none') return false;
  return comments === 'anywhere' || /\s/.test(source[at - 1] ?? ' ');
}

function isQuote(character: string, { quotes }: BracketSyntax, starts: boolean): boolean {
  if (character !== '"' && (character !== "'" || quotes === 'json')) return false;
  return quotes !== 'yaml' || starts;
}

/** The offset after a quoted string that starts at `at`. */
function quoteEnd(source: string, at: number, { quotes }: BracketSyntax): number {
  const quote = source[at] ?? '"';
  const long = quotes === 'toml' && source.startsWith(quote.repeat(3), at);
  const close = long ? quote.repeat(3) : quote;
  let position = at + close.length;
  while (position < source.length) {
    if (quote === '"' && source[position] === '\\') position += 2;
    else if (quotes === 'yaml' && quote === "'" && source.startsWith("''", position)) position += 2;
    else if (source.startsWith(close, position)) {
      position += close.length;
      // Up to two quotes may directly precede the closing three.
      while (long && source[position] === quote) position++;
      return position;
    } else position++;
  }
  return source.length;
}

/**
 * Inserts an entry after the last one of the bracketed list or map at `open`: on the same line if the list is on one line, else
 * on a line of its own with the same indentation, with or without a trailing comma like the entry before. `outer` is the
 * indentation if there is no other entry.
 */
export function insertInBrackets(
  source: string,
  open: number,
  entry: string,
  syntax: BracketSyntax,
  outer = '  ',
): readonly Insertion[] | null {
  const inside = insideOf(source, open, syntax);
  if (inside === null) return null;
  const { close, last, trailingComma } = inside;
  const multiline = source.slice(open, close).includes('\n');
  if (inside.entry < 0) {
    if (!multiline) return [{ at: open + 1, text: entry }];
    return [{ at: lineStart(source, close), text: `${indentation(source, open)}${outer}${entry}\n` }];
  }
  if (!multiline) return [{ at: last, text: `${trailingComma ? ' ' : ', '}${entry}` }];
  const indent = indentation(source, inside.entry);
  const comma: readonly Insertion[] = trailingComma ? [] : [{ at: last, text: ',' }];
  const lineEnd = source.indexOf('\n', last);
  const tail = trailingComma ? ',' : '';
  // The bracket is on the line of the last entry, so a separate line would have to move it.
  if (close < lineEnd || lineEnd < 0) return [{ at: last, text: `${trailingComma ? '' : ','} ${entry}` }];
  const end = source[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd;
  return [...comma, { at: end, text: `\n${indent}${entry}${tail}` }];
}

function lineStart(source: string, at: number): number {
  return source.lastIndexOf('\n', at - 1) + 1;
}

/** The white space at the start of the line of `at`. */
function indentation(source: string, at: number): string {
  return /^[ \t]*/.exec(source.slice(lineStart(source, at)))?.[0] ?? '';
}

/** The end of an entry in a bracketed list, and its comma; -1 if there is none. Null if nothing closes the list. */
export function entryEnd(
  source: string,
  start: number,
  syntax: BracketSyntax,
): { readonly end: number; readonly comma: number } | null {
  let depth = 0;
  let end = start;
  let starts = true;
  for (let at = start; at < source.length; at++) {
    const character = source[at] ?? '';
    if (/\s/.test(character)) continue;
    if (isComment(source, at, syntax)) {
      const line = source.indexOf('\n', at);
      at = line < 0 ? source.length : line;
      continue;
    }
    if (depth === 0 && character === ',') return { end, comma: at };
    if (isQuote(character, syntax, starts)) at = quoteEnd(source, at, syntax) - 1;
    else if (character === '[' || character === '{') depth++;
    else if ((character === ']' || character === '}') && --depth < 0) return { end, comma: -1 };
    starts = character === '[' || character === '{' || character === ',' || character === ':';
    end = at + 1;
  }
  return null;
}
