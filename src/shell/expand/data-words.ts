/** Where builtins of interest may receive a string of unknown value: `[ -n "$x" ]`, `printf '%s' "$x"`. */
import type { ShellDialect, ShellWord } from '../syntax/types.js';
import { isCompared, isWholeVariable } from './whole-variable.js';

const UNARY: ReadonlySet<string> = new Set(['-n', '-z', '-e', '-f', '-d', '-r', '-w', '-x', '-s', '-L', '-h']);
const TEXTUAL: ReadonlySet<string> = new Set(['=', '==', '!=']);
const NUMERIC: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
const NUMBER = /^-?\d{1,9}$/;
/** Only string directives and literal characters: zsh evaluates numeric arguments as arithmetic, and `%n` assigns. */
const TEXT_FORMAT = /^(?:[^%\\]|\\[ntrabfv"\\]|%%|%-?\d{0,4}(?:\.\d{1,4})?[sbq])*$/;
/** Same as `TEXT_FORMAT`, plus integer directives, for words known to be numbers. */
const NUMBER_FORMAT = /^(?:[^%\\]|\\[ntrabfv"\\]|%%|%-?\d{0,4}(?:\.\d{1,4})?[sbqdiu])*$/;

/** Whether a builtin only compares or prints the words whose value is unknown. */
export function takesData(words: readonly ShellWord[], shell: ShellDialect): boolean {
  const [name, ...rest] = words;
  switch (name?.value) {
    case 'test':
      return takesTest(rest, shell);
    case '[':
      return rest.at(-1)?.value === ']' && takesTest(rest.slice(0, -1), shell);
    case 'printf':
      return takesFormat(rest);
    case 'exit':
      return rest.length === 1 && rest.every(isFigure);
    default:
      return false;
  }
}

/** Whether the preceding words belong to a `test` or `[` command. */
export function isTest([name]: readonly ShellWord[]): boolean {
  return name?.value === '[' || name?.value === 'test';
}

/**
 * Whether a word of a test (`[ -n "$X" ]`, `[ "$X" = a ]`) only asks if a variable is empty, or equals a given string. This is
 * allowed for every variable, even one that may hold a secret. Looks only at the word and its neighbours; `takesData` still has
 * to check the whole test.
 * @param after the words after it, as written
 */
export function asksOfVariable(before: readonly ShellWord[], text: string, after: readonly string[]): boolean {
  if (!isWholeVariable(text)) return false;
  const operator = before.at(-1)?.value ?? '';
  if (operator === '-n' || operator === '-z') return true;
  const [next = '', other = ''] = after;
  if (TEXTUAL.has(next)) return isCompared(other);
  return TEXTUAL.has(operator) && isCompared(before.at(-2)?.text ?? '');
}

/**
 * `[ -n "$x" ]`, `[ "$x" = a ]`, `[ $? -eq 0 ]`: POSIX determines the operator by the number of words, so no value can become an operator.
 */
function takesTest(words: readonly ShellWord[], shell: ShellDialect): boolean {
  const [first, ...others] = words;
  if (first?.value === '!' && others.length > 1) return takesTest(others, shell);
  if (words.some((word) => word.data === 'several' && !isFigure(word))) return false;
  const [second, third] = others;
  if (words.length === 2) return UNARY.has(first?.value ?? '');
  if (words.length !== 3 || second?.value == null || first?.value === '!' || first?.value === '(') return false;
  if (TEXTUAL.has(second.value)) return true;
  return NUMERIC.has(second.value) && [first, third].every((word) => word !== undefined && isNumber(word, shell));
}

/** Whether the word is safe as a numeric operand: old versions of zsh evaluate the operands as arithmetic, bash does not. */
function isNumber(word: ShellWord, shell: ShellDialect): boolean {
  if (isFigure(word)) return true;
  return word.value === null || word.glob ? shell === 'bash' : NUMBER.test(word.value);
}

/** Whether the word is a number or empty (then the test lacks an operand and fails). */
function isFigure({ data, origin }: ShellWord): boolean {
  if (data === 'digits') return true;
  return origin?.source.kind === 'number' && origin.before === '' && origin.after === '';
}

function takesFormat(words: readonly ShellWord[]): boolean {
  const [format, ...others] = words[0]?.value === '--' ? words.slice(1) : words;
  if (format?.value == null || format.data !== undefined || format.value.startsWith('-')) return false;
  if (TEXT_FORMAT.test(format.value)) return true;
  const areFigures = others.every((word) => word.data === undefined || (word.data !== 'several' && isFigure(word)));
  return areFigures && NUMBER_FORMAT.test(format.value);
}
