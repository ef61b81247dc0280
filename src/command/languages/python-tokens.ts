/** The tokens of a Python program, read so that all versions of Python agree on where each one ends. */

export interface PythonToken {
  readonly kind: 'name' | 'number' | 'string' | 'mark' | 'line' | 'end';
  /** As written; for a string its content, including escapes. */
  readonly text: string;
  /** For a string: its prefix in lower case. */
  readonly prefix?: string;
  /** For a string with values in it (`f'{x}'`): the tokens of each value. */
  readonly fields?: readonly (readonly PythonToken[])[];
}

const GAP = /(?:[ \t]|\\\n|#[^\n]*)+/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /0[xXoObB][0-9a-fA-F_]+|(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9][0-9_]*)?[jJ]?/y;
const STRING = /(?:"""|'''|"|')/y;
/** No `@`, no backtick and no separate exclamation mark. */
const MARK = /\*\*=|\/\/=|>>=|<<=|\.\.\.|!=|->|:=|[-+*/%&|^<>=]=|\*\*|\/\/|<<|>>|[-+*/%&|^~<>()[\]{},:.;=]/y;
const PREFIXES: ReadonlySet<string> = new Set(['', 'r', 'b', 'br', 'rb', 'u', 'f', 'fr', 'rf']);
/** A comment that can declare another encoding for the program. */
const ENCODING = /^[ \t]*#.*coding[:=]/m;
const MOST_NESTED = 8;

/** The tokens of a program; null if one of them is not known. Non-ASCII characters are accepted only in strings and comments. */
export function pythonTokens(text: string): readonly PythonToken[] | null {
  return /[\r\f\0]/.test(text) || ENCODING.test(text) ? null : (readTokens(text, 0, 0)?.tokens ?? null);
}

/** @param nested how many strings with values enclose the text: inside one, the text ends with its value */
function readTokens(text: string, from: number, nested: number): { readonly tokens: PythonToken[]; readonly at: number } | null {
  const tokens: PythonToken[] = [];
  const open: string[] = [];
  const ends = () => ({ tokens: [...tokens, { kind: 'end', text: '' } as const], at });
  let at = from;
  while (at < text.length) {
    const letter = text[at] ?? '';
    const gap = take(GAP, text, at);
    if (gap !== '') {
      if (nested > 0 && /[#\\]/.test(gap)) return null;
      at += gap.length;
      continue;
    }
    if (letter === '\n') {
      if (open.length === 0 && nested === 0) tokens.push({ kind: 'line', text: letter });
      at += 1;
      continue;
    }
    if (nested > 0 && open.length === 0 && (letter === '}' || letter === ':' || (letter === '!' && text[at + 1] !== '=')))
      return ends();
    const name = take(NAME, text, at);
    const quote = take(STRING, text, at + name.length);
    if (quote !== '' && PREFIXES.has(name.toLowerCase())) {
      const string = readString(text, at + name.length, quote, name.toLowerCase(), nested);
      if (string === null) return null;
      tokens.push(string.token);
      at = string.at;
      continue;
    }
    const token = name !== '' ? name : take(NUMBER, text, at) || take(MARK, text, at);
    if (token === '') return null;
    if ('([{'.includes(token)) open.push(token);
    if (')]}'.includes(token) && open.pop() !== PAIRS[token]) return null;
    tokens.push({ kind: name !== '' ? 'name' : /^\.?[0-9]/.test(token) ? 'number' : 'mark', text: token });
    at += token.length;
  }
  return open.length > 0 || nested > 0 ? null : ends();
}

const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

function readString(
  text: string,
  from: number,
  quote: string,
  prefix: string,
  nested: number,
): { token: PythonToken; at: number } | null {
  let end = from + quote.length;
  for (; !text.startsWith(quote, end); end += text[end] === '\\' ? 2 : 1)
    if (end >= text.length || (quote.length === 1 && text[end] === '\n')) return null;
  const content = text.slice(from + quote.length, end);
  const fields = prefix.includes('f') ? readFields(content, prefix, nested + 1) : undefined;
  return fields === null
    ? null
    : { token: { kind: 'string', text: content, prefix, ...(fields && { fields }) }, at: end + quote.length };
}

/** The values in a string: the text between braces up to its conversion and format, and the values in the format. */
function readFields(content: string, prefix: string, nested: number): PythonToken[][] | null {
  // A named character, `\N{…}`, has braces of its own.
  if (nested > MOST_NESTED || (!prefix.includes('r') && content.includes('\\N'))) return null;
  const fields: PythonToken[][] = [];
  let format = 0;
  for (let at = 0; at < content.length; ) {
    const letter = content[at] ?? '';
    const doubled = content[at + 1] === letter;
    if (letter === '}' && format > 0) {
      format -= 1;
      at += 1;
    } else if ((letter === '{' || letter === '}') && doubled && format === 0) at += 2;
    else if (letter === '}') return null;
    else if (letter !== '{') at += 1;
    else {
      const field = readTokens(content, at + 1, nested);
      if (field === null || format > 1) return null;
      const last = field.tokens.at(-2);
      // `{x=}` also shows the source text of its value.
      fields.push(last?.kind === 'mark' && last.text === '=' ? field.tokens.toSpliced(-2, 1) : field.tokens);
      at = field.at + (/^![rsa]/.test(content.slice(field.at, field.at + 2)) ? 2 : 0);
      if (content[at] === ':') format += 1;
      else if (content[at] !== '}') return null;
      at += 1;
    }
  }
  return format > 0 ? null : fields;
}

function take(expression: RegExp, text: string, at: number): string {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? '';
}
