/** The most common kind of word: its text is its value. */
import { isPlain } from './characters.js';
import type { ShellWord, Span } from './types.js';

export function plainShellWord(text: string, span: Span): ShellWord {
  return { text, value: text, span, glob: false, tilde: false, literalPrefix: text };
}

/** Whether the word has no special character, so that its text is its value. */
export function isPlainWord(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (!isPlain(text.charCodeAt(i))) return false;
  return text.charCodeAt(0) !== 61;
}
