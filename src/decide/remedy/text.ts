/** Text that may be used in an offered rule. */

/** Whether a terminal would show every character of a text as it is. */
export function isPrintable(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text) || !holdsHidden(text);
}

/** A function of its own, because Unicode property classes are slow to prepare, even when V8 only compiles the function around them. */
function holdsHidden(text: string): boolean {
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}

/**
 * A word as a pattern writes it, so that a shell reads it as the same word: quoted unless every character is literal there. Null
 * if no pattern can express it: a wildcard has no quoted form.
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
