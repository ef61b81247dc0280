/** Takes a line apart into simple commands as far as secrets in it have to be found: no shell, and of use for text that is none, too. */

/** A stretch of a text: a word with its quotes. */
export interface Word {
  readonly start: number;
  readonly end: number;
}

/** A simple command. */
export interface Statement {
  readonly words: Word[];
  /** What is written into its input: a here-string, the body of a here-document. */
  readonly fed: Word[];
  /** A pipe leads into it from the statement before. */
  readonly piped: boolean;
  /** A group ends in front of it: what is piped into it are all statements before. */
  readonly grouped: boolean;
}

/** Longer bodies of here-documents are no single secret. */
const LONGEST_BODY = 4_096;
const BETWEEN = /[;&|()\s]+/y;
const OUTPUT = />{1,2}[&|]?\s*/y;
const HERE = /<<-?[^\S\n]*\\?["']?(\w+)["']?/y;
/** What means nothing to a shell. */
const PLAIN = /[^\s;&|()<>"'`$\\]+/y;
const BLANK = /(?:\s|\\\n)+/y;

/** The statements between two places of a text, those within words not among them. */
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

/** What stands within quotes or brackets of a word and has blanks: it may be a command. */
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

/** Behind the next character, quoted text or substitution of a word; `at` where the word ends. */
function afterPiece(text: string, at: number, to: number): number {
  const plain = endOf(PLAIN, text, at);
  if (plain > at) return Math.min(plain, to);
  const character = text[at] ?? '';
  if ('<>$'.includes(character) && text[at + 1] === '(') return afterGroup(text, at + 1, to);
  if (/[\s;&|()<>]/.test(character)) return at;
  // Quotes within a quoted text have a backslash in front.
  const quote = character === '\\' && '"\''.includes(text[at + 1] ?? ' ') ? text.slice(at, at + 2) : character;
  if (!'"\'`'.includes(quote.at(-1) ?? ' ')) return character === '\\' ? Math.min(at + 2, to) : at + 1;
  let close = text.indexOf(quote, at + quote.length);
  while (quote === '"' && close > 0 && close < to && text[close - 1] === '\\') close = text.indexOf(quote, close + 1);
  return close < 0 || close >= to ? at + quote.length : close + quote.length;
}

/** Behind the bracket that closes the one at `open`. */
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

/** The lines from behind the one of `<<WORD` to the one that is WORD. */
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
