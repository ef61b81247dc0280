/**
 * `[[ … ]]` that only compares strings and tests for files: each word is certain, or harmless as a string, and no operator
 * evaluates anything.
 */

import { isCompared, isUnsplitVariable, isWholeVariable } from '../expand/whole-variable.js';
import { readWord } from '../expand/word.js';
import { type Binding, isNumeric } from '../scope/binding.js';
import { mayBeDash, mayDiffer } from '../scope/dialect.js';
import { parameterUse } from '../syntax/parameter-use.js';
import type { ShellDialect } from '../syntax/types.js';

/**
 * Operators with one operand. Not `-v` and `-R` (they evaluate subscripts), `-o` and `-a` (two meanings each), nor `-t`
 * (arithmetic in zsh).
 */
const UNARY = /^-[bcdefghknprsuwxzGLNOS]$/;
const BINARY: ReadonlySet<string> = new Set(['=', '==', '!=', '=~', '-nt', '-ot', '-ef']);
/** Operators that compare strings, if the right operand is not a pattern. */
const EQUAL: ReadonlySet<string> = new Set(['=', '==', '!=']);
/** Operators whose operands are both arithmetic. */
const ARITHMETIC: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
/** dash runs `[[` as a program and reads these as operators of its own. */
const DOUBLE_BRACKET_ONLY: ReadonlySet<string> = new Set(['&&', '||', '(', ')', '<', '>']);
const NUMBER = /^-?\d{1,9}$/;

/** The binding of `$name` at the place of the test; null when unknown. */
type Lookup = (name: string) => Binding | null;

/**
 * Whether a test command, given with its brackets, is harmless in the given shell: its words are static, or harmless as strings
 * where they are compared. Reads the text itself and relies on the parser for no byte of it.
 */
export function isHarmlessTest(text: string, shell: ShellDialect, bindingOf: Lookup): boolean {
  const tokens = text.split(/[ \t]+/);
  if (tokens.length < 3 || tokens[0] !== '[[' || tokens.at(-1) !== ']]') return false;
  const inner = tokens.slice(1, -1);
  return inner.every(
    (token, at) => isHarmless(token, inner[at - 1], inner[at + 1], shell, bindingOf) || asksOfVariable(inner, at),
  );
}

/** `[[ -n $X ]]`, `[[ "$X" == a ]]`: whether it only asks if a variable is empty or equals a given string. */
function asksOfVariable(inner: readonly string[], at: number): boolean {
  const [left = '', before = '', token = '', after = '', right = ''] = [-2, -1, 0, 1, 2].map((step) => inner[at + step]);
  if (!isUnsplitVariable(token)) return false;
  if (before === '-n' || before === '-z') return true;
  if (EQUAL.has(after)) return isCompared(right);
  return EQUAL.has(before) && isWholeVariable(token) && isCompared(left);
}

function isHarmless(
  token: string,
  before: string | undefined,
  after: string | undefined,
  shell: ShellDialect,
  bindingOf: Lookup,
): boolean {
  if (token === '!' || UNARY.test(token) || BINARY.has(token)) return true;
  if (ARITHMETIC.has(token)) return isNumeral(before, bindingOf) && isNumeral(after, bindingOf);
  if (DOUBLE_BRACKET_ONLY.has(token)) return !mayBeDash(shell);
  if (bindingOfWhole(token, bindingOf) !== null) return true;
  const { value, codes, differs, tilde } = readWord(token, false);
  const isNumber = NUMBER.test(token);
  if (value === null || codes.length > 0 || tilde || mayDiffer(differs, shell)) return false;
  return isNumber || !value.startsWith('-');
}

/**
 * The binding of a word that is one variable, quoted or not; its value cannot become an operator, since the shell finds operators first.
 */
function bindingOfWhole(token: string, bindingOf: Lookup): Binding | null {
  const bare = /^"(\$[^"]*)"$/.exec(token)?.[1] ?? token;
  const use = parameterUse(bare, 0);
  return use !== null && use.end === bare.length ? bindingOf(use.name) : null;
}

function isNumeral(token: string | undefined, bindingOf: Lookup): boolean {
  if (token === undefined || NUMBER.test(token)) return token !== undefined;
  const binding = bindingOfWhole(token, bindingOf);
  return isNumeric(binding) || (binding?.kind === 'known' && NUMBER.test(binding.value));
}
