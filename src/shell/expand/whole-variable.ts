/**
 * What may be asked of a variable that may hold anything, also a secret: whether it is empty, and whether it is exactly some text. Not
 * whether it begins so or comes before it: with a few such questions a secret could be told.
 */

/** The variable or argument itself, or a plain text in its place: `$X`, `${X}`, `$1`, `${X:-a}`, `${X:+a}`; it assigns nothing. */
const VARIABLE = String.raw`\$(?:[A-Za-z_]\w*|[1-9]|\{(?:[A-Za-z_]\w*|[1-9])(?::?[-+][\w./:@+=, -]*)?\})`;
const QUOTED = new RegExp(`^"${VARIABLE}"$`);
const BARE = new RegExp(`^${VARIABLE}$`);
/** A text without wildcards, quoted or not; neither a home folder nor one that zsh looks up (`=ls`). */
const PLAIN = /^(?:[\w.:/@%+,-][\w.:/@%+,=-]*|"[\w .:/@%+,=-]*"|'[\w .:/@%+,=-]*')$/;

/** A word that is one variable in double quotes, and nothing else: it stays one word in every shell, and nothing reads it again. */
export function isWholeVariable(text: string): boolean {
  return QUOTED.test(text);
}

/** The same where the shell neither splits nor expands what comes out of a variable (`[[ $X == a ]]`, `case $X in`). */
export function isUnsplitVariable(text: string): boolean {
  return QUOTED.test(text) || BARE.test(text);
}

/** A text that is no pattern. */
export function isPlainText(text: string): boolean {
  return PLAIN.test(text);
}

/** What a variable may be compared with: a text, or another variable. */
export function isCompared(text: string): boolean {
  return isPlainText(text) || isWholeVariable(text);
}
