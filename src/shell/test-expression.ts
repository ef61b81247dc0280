/** `[[ … ]]` whose every word is certain and whose operators evaluate nothing: it only compares texts and looks whether files are there. */
import type { ShellDialect } from './command-line.js';
import { readWord } from './word.js';

/** Operators with one operand. Not `-v`, `-R` (they evaluate subscripts), `-o`, `-a` (two meanings), nor `-t` (arithmetic in zsh). */
const UNARY = /^-[bcdefghknprsuwxzGLNOS]$/;
const BINARY: ReadonlySet<string> = new Set(['=', '==', '!=', '=~', '-nt', '-ot', '-ef']);
/** Both operands of these are arithmetic. */
const ARITHMETIC: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
/** dash takes `[[` for a program and these for operators of its own. */
const BASH_ONLY: ReadonlySet<string> = new Set(['&&', '||', '(', ')', '<', '>']);
const NUMBER = /^-?\d{1,9}$/;

/**
 * Whether a test command, given with its brackets, is static and harmless in the given shell (spec: shell, section 5, "arithmetic
 * evaluation of data"). It looks at the text itself: no byte is left to the parser.
 */
export function isStaticTest(text: string, shell: ShellDialect): boolean {
  const tokens = text.split(/[ \t]+/);
  if (tokens.length < 3 || tokens[0] !== '[[' || tokens.at(-1) !== ']]') return false;
  return tokens.slice(1, -1).every((token, at, inner) => isHarmless(token, inner[at - 1], inner[at + 1], shell));
}

function isHarmless(token: string, before: string | undefined, after: string | undefined, shell: ShellDialect): boolean {
  if (token === '!' || UNARY.test(token) || BINARY.has(token)) return true;
  if (ARITHMETIC.has(token)) return NUMBER.test(before ?? '') && NUMBER.test(after ?? '');
  if (BASH_ONLY.has(token)) return shell === 'bash';
  const { value, codes, dialect, tilde } = readWord(token, false);
  const isNumber = NUMBER.test(token);
  if (value === null || codes.length > 0 || tilde || (dialect && shell !== 'bash')) return false;
  return isNumber || !value.startsWith('-');
}
