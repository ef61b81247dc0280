/**
 * Arithmetic that can only count. Shells evaluate the value of a variable as another expression, and run commands in a subscript
 * (`x='a[$(P)]'; echo $((x))`, spec: shell, section 5). So an expression is harmless only if it consists of decimal numbers,
 * names and plain operators, and every name in it holds a number: callers must check the names.
 */

/** An expression of numbers, names and operators. */
export interface Arithmetic {
  /** The offset after its last parenthesis. */
  readonly end: number;
  /** Variables whose values affect the result. */
  readonly read: readonly string[];
  /** Variables that it sets, each to a number. */
  readonly assigned: readonly string[];
  /** True if every part of it is certainly evaluated. */
  readonly certain: boolean;
}

/** Expressions of more than this many tokens are not read. */
const MAX_TOKENS = 64;
/**
 * A blank, a decimal number, a variable (bare or with `$`), an operator, a parenthesis. Bases, quotes, subscripts and bit shifts
 * do not match.
 */
const TOKEN =
  /[ \t]+|(\d{1,15})(?![\w#.])|([A-Za-z_]\w*)(?![\w[(])|\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*)(?![\w[])|([?#])(?=[ \t)]))|(\+\+|--|\*\*|[<>=!]=|&&|\|\||[-+*/%]?=|[-+*/%<>!?:,])|([()])/y;
const BLANK = /^[ \t]+$/;

/**
 * Reads the expression between `((` and `))`.
 * @param at the offset of its first character, after the opening parentheses
 * @returns null for any other text, which may do anything when evaluated
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

/** The same for a text that consists of exactly the opening, the expression and `))`. */
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
  /** A name without `$`, which an adjacent operator may set. */
  readonly bare: boolean;
  readonly operator: string | null;
}

const ASSIGNING: ReadonlySet<string> = new Set(['=', '+=', '-=', '*=', '/=', '%=']);

/** The names that are read and set; null if `++`, `--` or `=` has nothing to set. */
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
      // `a++b` is a syntax error, and not every shell reads `a--1` as one.
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
