/** Words as text that a POSIX shell reads back unchanged. */

/** Joins words into the one command line that runs exactly these words. */
export function quoteWords(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

/** Quotes a word; a plain word needs no quotes. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuoted(word);
}

/** Quotes a word, whatever its characters. */
export function singleQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
