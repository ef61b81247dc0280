/** `[[ … ]]` whose every word is certain, or harmless as a text, and whose operators evaluate nothing: it only compares texts and looks whether files are there. */

import { isCompared, isUnsplitVariable, isWholeVariable } from '../expand/whole-variable.js';
import { readWord } from '../expand/word.js';
import { type Binding, isNumeric } from '../scope/binding.js';
import { mayBeDash, mayDiffer } from '../scope/dialect.js';
import { parameterUse } from '../syntax/parameter-use.js';
import type { ShellDialect } from '../syntax/types.js';

/** Operators with one operand. Not `-v`, `-R` (they evaluate subscripts), `-o`, `-a` (two meanings), nor `-t` (arithmetic in zsh). */
const UNARY = /^-[bcdefghknprsuwxzGLNOS]$/;
const BINARY: ReadonlySet<string> = new Set(['=', '==', '!=', '=~', '-nt', '-ot', '-ef']);
/** Those that compare texts, where the right one is no pattern. */
const EQUAL: ReadonlySet<string> = new Set(['=', '==', '!=']);
/** Both operands of these are arithmetic. */
const ARITHMETIC: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
/** dash takes `[[` for a program and these for operators of its own. */
const DOUBLE_BRACKET_ONLY: ReadonlySet<string> = new Set(['&&', '||', '(', ')', '<', '>']);
const NUMBER = /^-?\d{1,9}$/;

/** What `$name` stands for where the test stands; null when nobody knows. */
type Lookup = (name: string) => Binding | null;

/**
 * Whether a test command, given with its brackets, is harmless in the given shell: its words are static, or texts that are harmless
 * where they are compared. It looks at the text itself: no byte is left to
 * the parser.
 */
export function isHarmlessTest(text: string, shell: ShellDialect, bindingOf: Lookup): boolean {
  const tokens = text.split(/[ \t]+/);
  if (tokens.length < 3 || tokens[0] !== '[[' || tokens.at(-1) !== ']]') return false;
  const inner = tokens.slice(1, -1);
  return inner.every(
    (token, at) => isHarmless(token, inner[at - 1], inner[at + 1], shell, bindingOf) || asksOfVariable(inner, at),
  );
}

/** `[[ -n $X ]]`, `[[ "$X" == a ]]`: whether a variable is empty, or just this text. */
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

/** The binding of a word that is one variable, quoted or not: no operator can come out of it, since these are found before. */
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
