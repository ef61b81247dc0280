/** The literal subset of Starlark: top-level calls whose arguments are literal strings, lists and names. */

export type Literal = string | number | boolean | null | readonly Literal[];

export interface LiteralCall {
  readonly name: string;
  /** By keyword; null if the statement is neither a literal call nor a lone string. */
  readonly arguments: ReadonlyMap<string, Literal> | null;
  /** The place of each argument's value. */
  readonly places: ReadonlyMap<string, TextRange>;
  /** The statement as written. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** Offset of the statement. */
  readonly start: number;
}

/** A range of offsets in the file. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const MOST_DEPTH = 8;

/** Thrown for anything that is not literal; the statement is then skipped. */
class NotLiteral extends Error {}

/** Every statement of a file, in order. Takes linear time; never throws. */
export function literalCalls(source: string): LiteralCall[] {
  const calls: LiteralCall[] = [];
  const reader = new Reader(source);
  for (reader.skipAll(); !reader.ended; reader.skipAll()) {
    const start = reader.at;
    const line = reader.line;
    let found: Pick<LiteralCall, 'name' | 'arguments' | 'places'>;
    try {
      found = reader.call();
    } catch (error) {
      if (!(error instanceof NotLiteral)) throw error;
      reader.skipStatement();
      found = { name: '', arguments: null, places: new Map() };
    }
    calls.push({ ...found, text: source.slice(start, reader.at).trim(), line, start });
  }
  return calls;
}

class Reader {
  at = 0;
  line = 1;
  private counted = 0;
  /** The end of the last value, without the white space after it. */
  private valueEnd = 0;
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  get ended(): boolean {
    return this.at >= this.source.length;
  }

  /** Skips white space, line ends and comments, and counts lines. */
  skipAll(): void {
    for (let character = this.peek(); character !== '' && /[\s#]/.test(character); character = this.peek()) {
      const end = character === '#' ? this.source.indexOf('\n', this.at) : this.at + 1;
      this.at = end < 0 ? this.source.length : end;
    }
    for (; this.counted < this.at; this.counted++) if (this.source[this.counted] === '\n') this.line++;
  }

  /** Reads `name(key = value, …)` up to the end of its line, or a lone string, which does nothing. */
  call(): Pick<LiteralCall, 'name' | 'arguments' | 'places'> {
    if (/["']/.test(this.peek())) {
      this.text();
      return { name: '', arguments: new Map(), places: new Map() };
    }
    const name = this.word();
    const given = new Map<string, Literal>();
    const places = new Map<string, TextRange>();
    this.expect('(');
    for (this.skipAll(); this.peek() !== ')'; this.skipAll()) {
      const key = this.word();
      this.expect('=');
      if (given.has(key)) throw new NotLiteral();
      this.skipAll();
      const start = this.at;
      given.set(key, this.value(0));
      places.set(key, { start, end: this.valueEnd });
      this.skipAll();
      if (this.peek() === ',') this.at++;
      else if (this.peek() !== ')') throw new NotLiteral();
    }
    this.at++;
    if (!/^[ \t]*(?:#|\r?\n|$)/.test(this.source.slice(this.at, this.at + 200))) throw new NotLiteral();
    return { name, arguments: given, places };
  }

  /** Skips to the next line that starts a statement: not indented, and not a closing bracket. */
  skipStatement(): void {
    const next = /\n(?=[^\s#)\]}])/g;
    next.lastIndex = this.at;
    const found = next.exec(this.source);
    this.at = found === null ? this.source.length : found.index + 1;
  }

  private value(depth: number): Literal {
    this.skipAll();
    const first = this.peek();
    if (first === '"' || first === "'") return this.text();
    if (first !== '[') return this.constant();
    if (depth >= MOST_DEPTH) throw new NotLiteral();
    this.at++;
    const items: Literal[] = [];
    for (this.skipAll(); this.peek() !== ']'; this.skipAll()) {
      items.push(this.value(depth + 1));
      this.skipAll();
      if (this.peek() === ',') this.at++;
      else if (this.peek() !== ']') throw new NotLiteral();
    }
    this.at++;
    this.valueEnd = this.at;
    return items;
  }

  private constant(): Literal {
    const word = this.word();
    this.valueEnd = this.at;
    if (word === 'True' || word === 'False') return word === 'True';
    if (word === 'None') return null;
    throw new NotLiteral();
  }

  /** Reads a string in one or three quotes. */
  private text(): string {
    const literal = /("""|'''|["'])((?:(?!\1)[^\\]|\\[\s\S]){0,4096})\1/y;
    literal.lastIndex = this.at;
    const [whole, quote, inside] = literal.exec(this.source) ?? [];
    if (whole === undefined || inside === undefined) throw new NotLiteral();
    if (quote?.length === 1 && inside.replace(/\\[\s\S]/g, '').includes('\n')) throw new NotLiteral();
    this.at += whole.length;
    this.valueEnd = this.at;
    this.skipAll();
    // Adjacent or concatenated strings are not a literal.
    if (/["'+%.]/.test(this.peek())) throw new NotLiteral();
    return unescaped(inside);
  }

  private word(): string {
    this.skipAll();
    const name = /[A-Za-z_]\w*/y;
    name.lastIndex = this.at;
    const found = name.exec(this.source)?.[0];
    if (found === undefined) throw new NotLiteral();
    this.at += found.length;
    return found;
  }

  private expect(character: string): void {
    this.skipAll();
    if (this.peek() !== character) throw new NotLiteral();
    this.at++;
  }

  private peek(): string {
    return this.source[this.at] ?? '';
  }
}

const ESCAPED: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', f: '\f', v: '\v', '\n': '' },
  ...{ '"': '"', "'": "'", '\\': '\\' },
};

/** The value of a string: an escape that Starlark does not know keeps its backslash (starlark-rust, lexer.rs). */
function unescaped(inside: string): string {
  const escapes = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g;
  return inside.replaceAll('\r', '').replace(escapes, (whole, ...parts: readonly (string | undefined)[]) => {
    const [hex, short, long, octal, letter = ''] = parts;
    if (octal !== undefined) return character(Number.parseInt(octal, 8));
    const code = hex ?? short ?? long;
    return code === undefined ? (ESCAPED[letter] ?? whole) : character(Number.parseInt(code, 16));
  });
}

function character(code: number): string {
  if (code > 0x10_ff_ff) throw new NotLiteral();
  return String.fromCodePoint(code);
}
