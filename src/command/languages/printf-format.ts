/** Formats of printf: which arguments a format prints as texts, which as numbers, and that it does nothing but print. */

/** Up to the next conversion: letters, and escapes for others. zsh looks for conversions in what `\\u` stands for, so no escape is a `%`. */
const LITERAL = /(?:[^%\\]|\\[abefnrtvcE\\"'?/ ]|\\0?[0-7]{1,3}|\\x[0-9a-fA-F]{1,2}|\\u[0-9a-fA-F]{1,4}|\\U[0-9a-fA-F]{1,8})*/y;
const PERCENT = /\\(?:0?45|x25|u(?:0025|0{0,2}25(?![0-9a-fA-F]))|U(?:0{6}25|0{0,6}25(?![0-9a-fA-F])))/;
/** Flags, width, precision and size of a conversion, then its letter. The builtins differ about `%1$s` and all further signs. */
const CONVERSION = /%([-+ #0']*)(\*|\d{0,6})(?:\.(\*|\d{0,6}))?(?:hh?|ll?|[jztL])?([a-zA-Z%])/y;
/** A date of bash: its argument is a number of seconds. */
const DATE = /%-?\d{0,6}\([^()]*\)T/y;
const TEXTS = 'sbqc';
const NUMBERS = 'diouxXeEfFgGaA';
/** What every builtin takes for a number without computing it, or for the code of a letter. */
const PLAIN = /^(?:[+-]?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,4})?|0[xX][0-9a-fA-F]{1,16}|["'].?|)$/;

/**
 * True when printf only prints: every conversion is known (bash and zsh let `%n` set a variable of any name), and each argument that is
 * printed as a number is a plain one (zsh computes it: `printf %d PATH=5` sets PATH).
 * @param argumentValues the words behind the format; null for one that is not certain, and may be several
 */
export function formatPrintsOnly(format: string, argumentValues: readonly (string | null)[]): boolean {
  const takes = PERCENT.test(format) ? null : argumentKinds(format);
  if (takes === null) return false;
  if (!takes.includes('number')) return true;
  // Several words may stand for one that is not certain, so the places of the others are not known.
  const certain = argumentValues.every((value) => value !== null);
  return argumentValues.every((value, at) => {
    if (certain && takes[at % takes.length] === 'text') return true;
    return value !== null && PLAIN.test(value);
  });
}

/** What the conversions take, in order; the format is used again while arguments are left. Null when one of them is not known. */
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
