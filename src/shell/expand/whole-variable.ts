/**
 * What a command may ask of a variable that may hold anything, even a secret: whether it is empty, and whether it equals a given
 * string. Not whether it starts with the string or sorts before it: a few such questions could reveal a secret.
 */

/** The variable or argument itself, or a plain string in its place: `$X`, `${X}`, `$1`, `${X:-a}`, `${X:+a}`; it assigns nothing. */
const VARIABLE = String.raw`\$(?:[A-Za-z_]\w*|[1-9]|\{(?:[A-Za-z_]\w*|[1-9])(?::?[-+][\w./:@+=, -]*)?\})`;
const QUOTED = new RegExp(`^"${VARIABLE}"$`);
const BARE = new RegExp(`^${VARIABLE}$`);
/** A string without wildcards, quoted or not; neither a home directory nor a word that zsh looks up (`=ls`). */
const PLAIN = /^(?:[\w.:/@%+,-][\w.:/@%+,=-]*|"[\w .:/@%+,=-]*"|'[\w .:/@%+,=-]*')$/;

/** Whether a word is exactly one variable in double quotes: it stays one word in every shell, and nothing evaluates it again. */
export function isWholeVariable(text: string): boolean {
  return QUOTED.test(text);
}

/** The same, where the shell neither splits nor expands the value of a variable (`[[ $X == a ]]`, `case $X in`). */
export function isUnsplitVariable(text: string): boolean {
  return QUOTED.test(text) || BARE.test(text);
}

/** True if the string is not a pattern. */
export function isPlainText(text: string): boolean {
  return PLAIN.test(text);
}

/** Whether a variable may be compared with it: a plain string, or another variable. */
export function isCompared(text: string): boolean {
  return isPlainText(text) || isWholeVariable(text);
}
