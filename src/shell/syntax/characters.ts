/** Classes of ASCII characters, as tables: what the readers of plain lines and of words ask for every single character. */

/** Longer lines are not read: no person writes them, and every reader after us is bounded by this too. */
export const MAX_BYTES = 65_536;

/** Letters, digits and `-_./=:,@%+`: never special to any of the shells inside a word. */
const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@%+';

/** Letters, digits and signs that start an expansion after `$`, for any of the shells that we read. */
const AFTER_DOLLAR = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@*#?-$!{([';

/** A table over ASCII: 1 for each of `characters` and of those in `others`. Without an iterator, since every process that starts makes the tables anew. */
function characterTable(characters: string, others: Uint8Array = new Uint8Array(128)): Uint8Array {
  const result = others.slice();
  for (let at = 0; at < characters.length; at += 1) result[characters.charCodeAt(at)] = 1;
  return result;
}

const plain = characterTable(PLAIN);
const literal = characterTable(`^!]}\x01\x02\x03\x04\x05\x06\x07\b\v\f\r\x0e\x0f\x7f`, plain);

/** A character that stands for itself wherever it stands in a word (`=` and `%` at its start excepted). */
export function isPlain(code: number): boolean {
  return code < 128 && plain[code] === 1;
}

/** A character that a reader of one word can pass over; `#` is one except at the start, so it is not in the table. */
export function isLiteral(code: number): boolean {
  return code > 127 || literal[code] === 1;
}

/** Whether `$` followed by this character is an expansion. */
export function startsExpansion(code: number): boolean {
  return AFTER_DOLLAR.includes(String.fromCharCode(code));
}
