/** Formats of printf: which arguments a format prints as strings and which as numbers, and whether it only prints. */

/**
 * Text up to the next conversion: letters, and escapes for others. zsh looks for conversions in the character that `\\u` stands
 * for, so no escape may be a `%`.
 */
const LITERAL = /(?:[^%\\]|\\[abefnrtvcE\\"'?/ ]|\\0?[0-7]{1,3}|\\x[0-9a-fA-F]{1,2}|\\u[0-9a-fA-F]{1,4}|\\U[0-9a-fA-F]{1,8})*/y;
const PERCENT = /\\(?:0?45|x25|u(?:0025|0{0,2}25(?![0-9a-fA-F]))|U(?:0{6}25|0{0,6}25(?![0-9a-fA-F])))/;
/** Flags, width, precision, size and letter of a conversion. The builtins differ on `%1$s` and all further characters. */
const CONVERSION = /%([-+ #0']*)(\*|\d{0,6})(?:\.(\*|\d{0,6}))?(?:hh?|ll?|[jztL])?([a-zA-Z%])/y;
/** A date format of bash: its argument is a number of seconds. */
const DATE = /%-?\d{0,6}\([^()]*\)T/y;
const TEXTS = 'sbqc';
const NUMBERS = 'diouxXeEfFgGaA';
/** An argument that every builtin reads as a number without evaluating it, or as the code of a character. */
const PLAIN = /^(?:[+-]?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,4})?|0[xX][0-9a-fA-F]{1,16}|["'].?|)$/;

/**
 * True if printf only prints: every conversion is known (bash and zsh let `%n` set a variable of any name), and each argument
 * printed as a number is a plain one (zsh evaluates it: `printf %d PATH=5` sets PATH).
 * @param argumentValues the words after the format; null for one that is not certain, and may be several
 */
export function formatPrintsOnly(format: string, argumentValues: readonly (string | null)[]): boolean {
  const takes = PERCENT.test(format) ? null : argumentKinds(format);
  if (takes === null) return false;
  if (!takes.includes('number')) return true;
  // An uncertain word may become several words, so the positions of the others are unknown.
  const certain = argumentValues.every((value) => value !== null);
  return argumentValues.every((value, at) => {
    if (certain && takes[at % takes.length] === 'text') return true;
    return value !== null && PLAIN.test(value);
  });
}

/**
 * The kinds of arguments that the conversions take, in order; the format is reused while arguments remain. Null if a conversion
 * is not known.
 */
function argumentKinds(format: string): ('text' | 'number')[] | null {
  const kinds: ('text' | 'number')[] = [];
  let at = endOf(LITERAL, format, 0);
  while (at < format.length) {
    DATE.lastIndex = at;
    if (DATE.test(format)) {
      kinds.push('number');
      at = endOf(LITERAL, format, DATE.lastIndex);
      continue;
    }
    CONVERSION.lastIndex = at;
    const found = CONVERSION.exec(format);
    if (found === null) return null;
    const [whole, , width, precision, letter = ''] = found;
    if (width === '*') kinds.push('number');
    if (precision === '*') kinds.push('number');
    if (TEXTS.includes(letter)) kinds.push('text');
    else if (NUMBERS.includes(letter)) kinds.push('number');
    else if (whole !== '%%') return null;
    at = endOf(LITERAL, format, at + whole.length);
  }
  return kinds;
}

function endOf(expression: RegExp, text: string, from: number): number {
  expression.lastIndex = from;
  return from + (expression.exec(text)?.[0].length ?? 0);
}
