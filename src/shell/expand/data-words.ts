/** Where builtins of interest may be given a text that nobody knows: `[ -n "$x" ]`, `printf '%s' "$x"`. */
import type { ShellDialect, ShellWord } from '../syntax/types.js';
import { isCompared, isWholeVariable } from './whole-variable.js';

const UNARY: ReadonlySet<string> = new Set(['-n', '-z', '-e', '-f', '-d', '-r', '-w', '-x', '-s', '-L', '-h']);
const TEXTUAL: ReadonlySet<string> = new Set(['=', '==', '!=']);
const NUMERIC: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
const NUMBER = /^-?\d{1,9}$/;
/** Only texts and literal signs: zsh evaluates what it prints as a number, and `%n` assigns. */
const TEXT_FORMAT = /^(?:[^%\\]|\\[ntrabfv"\\]|%%|%-?\d{0,4}(?:\.\d{1,4})?[sbq])*$/;
/** The same with whole numbers, for words that are known to be one. */
const NUMBER_FORMAT = /^(?:[^%\\]|\\[ntrabfv"\\]|%%|%-?\d{0,4}(?:\.\d{1,4})?[sbqdiu])*$/;

/** Whether the words of a builtin hold texts that are not known only where it does no more than compare or print them. */
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

/** Whether the words that stand before are those of a test. */
export function isTest([name]: readonly ShellWord[]): boolean {
  return name?.value === '[' || name?.value === 'test';
}

/**
 * In a test, `[ -n "$X" ]`, `[ "$X" = a ]`: whether a variable is empty, or just this text, may be asked of any, also of one that may hold a secret.
 * Between the words that stand before and after it, the text of a word is no more than that; `takesData` still has to see the whole.
 * @param after the words behind it as they are written
 */
export function asksOfVariable(before: readonly ShellWord[], text: string, after: readonly string[]): boolean {
  if (!isWholeVariable(text)) return false;
  const operator = before.at(-1)?.value ?? '';
  if (operator === '-n' || operator === '-z') return true;
  const [next = '', other = ''] = after;
  if (TEXTUAL.has(next)) return isCompared(other);
  return TEXTUAL.has(operator) && isCompared(before.at(-2)?.text ?? '');
}

/** `[ -n "$x" ]`, `[ "$x" = a ]`, `[ $? -eq 0 ]`: POSIX knows the operator by the number of words, so no text can become one. */
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

/** Old versions of zsh evaluate the operands. */
function isNumber(word: ShellWord, shell: ShellDialect): boolean {
  if (isFigure(word)) return true;
  return word.value === null || word.glob ? shell === 'bash' : NUMBER.test(word.value);
}

/** A number, or nothing: then a test lacks an operand, and fails. */
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
