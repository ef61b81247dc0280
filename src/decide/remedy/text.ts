/** Text that may stand in a rule that is offered. */

/** Whether a text holds nothing that a terminal would not show as it is. */
export function isPrintable(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text) || !holdsHidden(text);
}

/** The properties of Unicode take long to make ready, already where V8 compiles the function around them. */
function holdsHidden(text: string): boolean {
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}

/**
 * A word as a pattern writes it, so that a shell reads it as the same word: quoted unless each of its characters stands for itself there.
 * Null where no pattern says it: a wildcard has no quoted form.
 */
export function patternWord(word: string): string | null {
  if (/^[\w./:@%+,-][\w./:=@%+,-]*$/.test(word)) return word;
  if (/[*?]/.test(word.includes('://') ? word.replaceAll('?', '') : word) || !isPrintable(word)) return null;
  if (!word.includes("'")) return `'${word}'`;
  if (!/["$`\\!]/.test(word)) return `"${word}"`;
  return word
    .split("'")
    .map((part) => (part === '' ? '' : `'${part}'`))
    .join(`"'"`);
}
