/** The word that most are: one that says what it is. */
import type { ShellWord, Span } from './command-line.js';

/** A word whose text is its value. */
export function plainShellWord(text: string, span: Span): ShellWord {
  return { text, value: text, span, glob: false, tilde: false, literalPrefix: text };
}
