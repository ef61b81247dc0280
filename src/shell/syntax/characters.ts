/** Classes of ASCII characters as tables, which the readers of plain lines and words consult for every character. */

/** Longer lines are not read: nobody writes them, and this also limits the work of every later reader. */
export const MAX_BYTES = 65_536;

/** Letters, digits and `-_./=:,@%+`: not special inside a word in any of the shells. */
const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@%+';

/** Letters, digits and punctuation that start an expansion after `$` in any of the shells we read. */
const AFTER_DOLLAR = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@*#?-$!{([';

/** A table over ASCII: 1 for each of `characters` and those set in `others`. No iterator, since every new process builds the tables. */
function characterTable(characters: string, others: Uint8Array = new Uint8Array(128)): Uint8Array {
  const result = others.slice();
  for (let at = 0; at < characters.length; at += 1) result[characters.charCodeAt(at)] = 1;
  return result;
}

const plain = characterTable(PLAIN);
const literal = characterTable(`^!]}\x01\x02\x03\x04\x05\x06\x07\b\v\f\r\x0e\x0f\x7f`, plain);

/** Whether a character is literal anywhere in a word (except `=` and `%` at its start). */
export function isPlain(code: number): boolean {
  return code < 128 && plain[code] === 1;
}

/** Whether the reader of one word can pass over a character; this includes `#` except at the start, so it is not in the table. */
export function isLiteral(code: number): boolean {
  return code > 127 || literal[code] === 1;
}

/** Whether `$` followed by this character is an expansion. */
export function startsExpansion(code: number): boolean {
  return AFTER_DOLLAR.includes(String.fromCharCode(code));
}
