/** Text that may stand in a rule that is offered. */

/** Whether a text holds nothing that a terminal would not show as it is. */
export function isPrintable(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text) || !holdsHidden(text);
}

/** The properties of Unicode take long to make ready, already where V8 compiles the function around them. */
function holdsHidden(text: string): boolean {
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}

/** A word as a pattern writes it: quoted where it holds white space; null when it would say something else there. */
export function patternWord(word: string): string | null {
  if (/^[\w./:=@%+,-]+$/.test(word)) return word;
  if (/[*?]/.test(word) || !isPrintable(word)) return null;
  if (word !== '' && !/[\s"']/.test(word)) return word;
  if (!word.includes("'")) return `'${word}'`;
  return word.includes('"') ? null : `"${word}"`;
}
