/**
 * Splits a line into simple commands as far as finding secrets requires: not a shell parser, and also useful for text that is not
 * a shell line.
 */

/** A stretch of a text: a word with its quotes. */
export interface Word {
  readonly start: number;
  readonly end: number;
}

/** A simple command. */
export interface Statement {
  readonly words: Word[];
  /** Text written to its input: a here-string, the body of a here-document. */
  readonly fed: Word[];
  /** The previous statement is piped into it. */
  readonly piped: boolean;
  /** A group ends before it: all previous statements are piped into it. */
  readonly grouped: boolean;
}

/** Longer bodies of here-documents are not a single secret. */
const LONGEST_BODY = 4_096;
const BETWEEN = /[;&|()\s]+/y;
const OUTPUT = />{1,2}[&|]?\s*/y;
const HERE = /<<-?[^\S\n]*\\?["']?(\w+)["']?/y;
/** Characters without a meaning for a shell. */
const PLAIN = /[^\s;&|()<>"'`$\\]+/y;
const BLANK = /(?:\s|\\\n)+/y;

/** The statements between two positions of a text, except those inside words. */
export function statementsIn(text: string, from: number, to: number): Statement[] {
  let current: Statement = { words: [], fed: [], piped: false, grouped: false };
  const statements = [current];
  for (let at = from; at < to; ) {
    const character = text[at] ?? '';
    const blank = endOf(BLANK, text, at);
    if (blank > at && character !== '\n') at = blank;
    else if (';&|()\n'.includes(character)) {
      const end = endOf(BETWEEN, text, at);
      const between = text.slice(at, end);
      current = { words: [], fed: [], piped: /(?:^|[^|])\|&?\s*$/.test(between), grouped: between.includes(')') };
      statements.push(current);
      at = end;
    } else if (text.startsWith('<<<', at)) at = takeWord(text, endOf(BLANK, text, at + 3), to, current.fed);
    else if (text.startsWith('<<', at)) {
      const body = bodyAt(text, at, to);
      if (body !== null) current.fed.push(body);
      at = Math.max(endOf(HERE, text, at), at + 2);
    } else if (character === '>') at = takeWord(text, endOf(OUTPUT, text, at), to, []);
    else if (character === '<' && text[at + 1] !== '(') at += 1;
    else at = takeWord(text, at, to, current.words);
  }
  return statements;
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function takeWord(text: string, start: number, to: number, into: Word[]): number {
  let end = start;
  while (end < to) {
    const next = afterPiece(text, end, to);
    if (next === end) break;
    end = next;
  }
  if (end > start) into.push({ start, end });
  return Math.max(end, start + 1);
}

/** Text with blanks inside quotes or brackets of a word: it may be a command. */
export function innersOf(text: string, { start, end }: Word): Word[] {
  const found: Word[] = [];
  for (let at = /\s/.test(text.slice(start, end)) ? start : end; at < end; ) {
    const next = Math.max(at + 1, afterPiece(text, at, end));
    const [open = ''] = /^(?:\\?["'`]|[$<>]\()/.exec(text.slice(at, at + 2)) ?? [];
    const inner = { start: at + open.length, end: next - open.replace(/^[$<>]/, '').length };
    if (open !== '' && /\s/.test(text.slice(inner.start, inner.end))) found.push(inner);
    at = next;
  }
  return found;
}

/** The position after the next character, quoted text or substitution of a word; `at` if the word ends. */
function afterPiece(text: string, at: number, to: number): number {
  const plain = endOf(PLAIN, text, at);
  if (plain > at) return Math.min(plain, to);
  const character = text[at] ?? '';
  if ('<>$'.includes(character) && text[at + 1] === '(') return afterGroup(text, at + 1, to);
  if (/[\s;&|()<>]/.test(character)) return at;
  // Quotes inside a quoted text are preceded by a backslash.
  const quote = character === '\\' && '"\''.includes(text[at + 1] ?? ' ') ? text.slice(at, at + 2) : character;
  if (!'"\'`'.includes(quote.at(-1) ?? ' ')) return character === '\\' ? Math.min(at + 2, to) : at + 1;
  let close = text.indexOf(quote, at + quote.length);
  while (quote === '"' && close > 0 && close < to && text[close - 1] === '\\') close = text.indexOf(quote, close + 1);
  return close < 0 || close >= to ? at + quote.length : close + quote.length;
}

/** The position after the bracket that closes the one at `open`. */
function afterGroup(text: string, open: number, to: number): number {
  let depth = 0;
  for (let at = open; at < to; ) {
    const character = text[at] ?? '';
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth === 0) return at + 1;
    at = '()<>$'.includes(character) ? at + 1 : Math.max(at + 1, afterPiece(text, at, to));
  }
  return to;
}

/** The lines from the one after `<<WORD` to the one before WORD. */
function bodyAt(text: string, at: number, to: number): Word | null {
  HERE.lastIndex = at;
  const end = HERE.exec(text)?.[1];
  const start = text.indexOf('\n', Math.min(at, to)) + 1;
  if (end === undefined || start === 0) return null;
  const body = text.slice(start, start + LONGEST_BODY);
  const close = body.split('\n').findIndex((line) => line.trim() === end);
  const length = close < 0 ? body.length : body.split('\n').slice(0, close).join('\n').length;
  return length === 0 ? null : { start, end: start + length };
}
