/**
 * Arithmetic that can only count. The shells evaluate the text of a variable as an expression again, and run what stands in a subscript
 * (`x='a[$(P)]'; echo $((x))`, spec: shell, section 5). So an expression is harmless only when it consists of decimal numbers, names and
 * plain operators, and every name in it holds a number: whoever asks must check the names.
 */

/** An expression of numbers, names and operators. */
export interface Arithmetic {
  /** The offset behind its last parenthesis. */
  readonly end: number;
  /** Variables whose values count. */
  readonly read: readonly string[];
  /** Variables that it sets, each to a number. */
  readonly assigned: readonly string[];
  /** Every part of it is evaluated. */
  readonly certain: boolean;
}

/** Longer expressions are not followed. */
const MAX_TOKENS = 64;
/** Blanks, a decimal number, a variable (bare, or expanded before), an operator, a parenthesis. Bases, quotes, subscripts and bit shifts are none. */
const TOKEN =
  /[ \t]+|(\d{1,15})(?![\w#.])|([A-Za-z_]\w*)(?![\w[(])|\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*)(?![\w[])|([?#])(?=[ \t)]))|(\+\+|--|\*\*|[<>=!]=|&&|\|\||[-+*/%]?=|[-+*/%<>!?:,])|([()])/y;
const BLANK = /^[ \t]+$/;

/**
 * Reads the expression between `((` and `))`.
 * @param at the offset of its first character, behind the opening parentheses
 * @returns null for every other text: then nobody knows what evaluating it does
 */
export function arithmeticAt(text: string, at: number): Arithmetic | null {
  const tokens: Token[] = [];
  let depth = 0;
  let position = at;
  while (depth > 0 || !text.startsWith('))', position)) {
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(text);
    if (match === null || tokens.length >= MAX_TOKENS) return null;
    position = TOKEN.lastIndex;
    const [whole, number, bare, braced, expanded, special, operator, parenthesis] = match;
    if (parenthesis !== undefined) depth += parenthesis === '(' ? 1 : -1;
    if (depth < 0) return null;
    if (number === undefined && parenthesis === undefined && BLANK.test(whole)) continue;
    const name = bare ?? braced ?? expanded ?? special ?? null;
    tokens.push({ name, bare: bare !== undefined, operator: operator ?? null });
  }
  const variables = tokens.length === 0 ? null : variablesOf(tokens);
  return variables === null ? null : { ...variables, end: position + 2 };
}

/** The same for a text that is nothing but the opening, the expression and `))`. */
export function wholeArithmetic(text: string, opening: '((' | '$(('): Arithmetic | null {
  const found = text.startsWith(opening) ? arithmeticAt(text, opening.length) : null;
  return found?.end === text.length ? found : null;
}

const COUNTING = /^for[ \t]*\(\(([^;\n]*);([^;\n]*);([^;\n]*)\)\)[ \t]*;?\s*do\s+$/;

/** The three expressions of `for ((i = 0; i < 3; i++))`; null when one is missing or may do more than count. */
export function countingLoop(
  text: string,
  loop: { readonly pos: number; readonly body: { readonly pos: number } },
): readonly Arithmetic[] | null {
  const parts = COUNTING.exec(text.slice(loop.pos, loop.body.pos));
  if (parts === null) return null;
  const expressions = parts.slice(1).map((part) => wholeArithmetic(`((${part}))`, '(('));
  return expressions.every((one) => one !== null) ? expressions : null;
}

interface Token {
  readonly name: string | null;
  /** A name as it stands, which an operator behind or before it may set. */
  readonly bare: boolean;
  readonly operator: string | null;
}

const ASSIGNING: ReadonlySet<string> = new Set(['=', '+=', '-=', '*=', '/=', '%=']);

/** Which names are read and which are set; null where `++`, `--` or `=` has nothing to set. */
function variablesOf(tokens: readonly Token[]): Omit<Arithmetic, 'end'> | null {
  const read: string[] = [];
  const assigned: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const { name, operator } = tokens[at] ?? {};
    if (name != null && tokens[at + 1]?.operator !== '=') read.push(name);
    if (operator == null) continue;
    const before = settable(tokens[at - 1]);
    if (ASSIGNING.has(operator)) {
      if (before === null) return null;
      assigned.push(before);
    } else if (operator === '++' || operator === '--') {
      const after = settable(tokens[at + 1]);
      // `a++b` is a mistake, `a--1` none in every shell.
      if ((before === null) === (after === null) || tokens[at + 1]?.operator === operator) return null;
      assigned.push(before ?? after ?? '');
    }
  }
  const certain = tokens.every(({ operator }) => operator !== '&&' && operator !== '||' && operator !== '?');
  return { read, assigned, certain };
}

function settable(token: Token | undefined): string | null {
  return token?.bare === true ? token.name : null;
}
