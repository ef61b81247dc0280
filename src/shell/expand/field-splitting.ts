/** Single words that some shells split into several: a brace list, or an unquoted variable whose value contains blanks. */

import type { Reading } from '../scope/context.js';
import { mayBeDash } from '../scope/dialect.js';
import { isPlainWord } from '../syntax/plain-word.js';
import type { ShellWord, Span } from '../syntax/types.js';

/** A value with more words than this is not split. */
const MAX_SPLIT = 32;

/** The words of an unquoted `$files` that the line itself set to plain words separated by blanks, for a shell that splits it; else null. */
export function splitValue(reading: Reading, text: string): readonly string[] | null {
  const name = /^\$(?:(\w+)|\{(\w+)\})$/.exec(text);
  const binding = name === null ? null : reading.bindings.of(name[1] ?? name[2] ?? '');
  if (binding?.kind !== 'known' || binding.glob) return null;
  const words = binding.value.split(' ').filter((word) => word !== '');
  return words.length > 1 && words.length <= MAX_SPLIT && words.every(isPlainWord) ? words : null;
}

/** Whether the shell may leave the word whole: dash does so with a brace list, zsh with a variable (unless its options say otherwise). */
export function mayStayWhole({ shell }: Reading, text: string): boolean {
  return mayBeDash(shell) || (shell !== 'bash' && text.startsWith('$'));
}

/** The same word, for a shell that leaves it whole. */
export function unsplitWord(reading: Reading, text: string, span: Span): ShellWord {
  const binding = text.startsWith('$') ? reading.bindings.of(text.replace(/[${}]/g, '')) : null;
  if (binding?.kind !== 'known') return literalWord(text, span);
  const { value } = binding;
  return { text, value, span, glob: false, tilde: false, literalPrefix: value };
}

/** A brace list as dash reads it: literally, as written. */
function literalWord(text: string, span: Span): ShellWord {
  const wildcard = text.search(/[*?]/);
  const literalPrefix = wildcard === -1 ? text : text.slice(0, wildcard);
  return { text, value: text, span, glob: wildcard !== -1, tilde: text.startsWith('~/'), literalPrefix };
}
