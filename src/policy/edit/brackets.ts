/** Finding the end of a bracketed list or map in YAML, JSON or TOML, the place where one more entry belongs, and the ends of one. */

import type { Insertion } from './insertion.js';

export interface BracketSyntax {
  /** YAML wants white space before `#`. */
  readonly comments: 'none' | 'spaced' | 'anywhere';
  /** YAML: a quote opens a text only where a value starts; TOML has long strings. */
  readonly quotes: 'json' | 'yaml' | 'toml';
}

/** What stands between a bracket and the one that closes it. */
interface Inside {
  readonly close: number;
  /** End of the last character that is neither white space nor comment; the opening bracket's end when there is none. */
  readonly last: number;
  /** Where the last entry at this level starts; -1 when there is none. */
  readonly entry: number;
  readonly trailingComma: boolean;
}

/** Scans from the opening bracket at `open`; null when it is not closed. The text has been parsed before. */
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

/** The offset behind a quoted text that starts at `at`. */
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
      // Up to two quotes may stand right before the closing three.
      while (long && source[position] === quote) position++;
      return position;
    } else position++;
  }
  return source.length;
}

/**
 * Puts an entry behind the last one of the bracketed list or map at `open`: on the same line when the list is written on one,
 * else on a line of its own with the same indentation, with or without a comma at its end like the one before.
 * `outer` is the indentation of an entry when there is none to look at.
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
  // The bracket stands on the line of the last entry: a line of its own would have to move it.
  if (close < lineEnd || lineEnd < 0) return [{ at: last, text: `${trailingComma ? '' : ','} ${entry}` }];
  const end = source[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd;
  return [...comma, { at: end, text: `\n${indent}${entry}${tail}` }];
}

function lineStart(source: string, at: number): number {
  return source.lastIndexOf('\n', at - 1) + 1;
}

/** The white space that the line of `at` starts with. */
function indentation(source: string, at: number): string {
  return /^[ \t]*/.exec(source.slice(lineStart(source, at)))?.[0] ?? '';
}

/** Where an entry of a bracketed list ends, and the comma behind it; -1 where there is none. Null when nothing closes it. */
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
