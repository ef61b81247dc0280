/** Words that do not appear in the source: parts of other words, words made opaque by a replacement, or words added by a wrapper. */
import type { FoundNames, Opaque, OpaqueCode, ShellWord, Span } from '../../shell/syntax/types.js';

/** The arguments that a wrapper appends to its inner command; at most their beginning is known. */
export interface Appended {
  /** The string with which every appended argument certainly begins; empty when unknown. */
  readonly prefix: string;
  /** Set if all of them are names of files that were found. */
  readonly names: FoundNames | null;
  readonly processes?: boolean;
  /** The command is not run if nothing was found, so it never runs without them. */
  readonly certain: boolean;
  readonly span: Span;
}

/** The same arguments in another directory, where the names that were found mean nothing. */
export function elsewhere(appended: Appended): Appended {
  return appended.names === null ? appended : { ...appended, prefix: '', names: null };
}

/** The replacement for a placeholder such as `{}` that is a whole word: one argument, perhaps the name of a file. */
export interface Replacement {
  readonly texts: readonly string[];
  /** Exactly one name; null when nothing is known about it. */
  readonly names: FoundNames | null;
}

export function namesWord(text: string, names: FoundNames, span: Span): ShellWord {
  return { text, value: null, span, glob: false, tilde: false, literalPrefix: '', names };
}

/** A word with a certain value, at the position of `span`. */
export function staticWord(value: string, span: Span): ShellWord {
  return { text: value, value, span, glob: false, tilde: false, literalPrefix: value };
}

/** A word of which only the beginning is certain. */
export function opaqueWord(text: string, literalPrefix: string, span: Span): ShellWord {
  return { text, value: null, span, glob: false, tilde: false, literalPrefix };
}

/** The value of an option that is written in the same word: everything after the first `from` characters. */
export function wordTail(word: ShellWord, from: number): ShellWord {
  const value = word.value === null ? null : word.value.slice(from);
  return {
    text: value ?? word.text,
    value,
    span: word.span,
    glob: word.glob,
    tilde: false,
    literalPrefix: word.literalPrefix.slice(from),
  };
}

/** True when the program receives exactly `value`: no expansion can change it or its number of words. */
export function isCertain(word: ShellWord): word is ShellWord & { readonly value: string } {
  return word.value !== null && !word.glob;
}

/**
 * The words with every placeholder such as `{}` replaced: by a name if that is known and the placeholder is the whole word, else by a word
 * of which only the beginning is certain. A last word that is exactly a placeholder is removed: it is an appended argument like any other.
 */
export function replaceIn(words: readonly ShellWord[], { texts, names }: Replacement): ShellWord[] {
  const result = words.map((word, index) => {
    const value = word.value ?? word.literalPrefix;
    const at = firstOf(value, texts);
    if (at < 0) return word;
    const whole = index > 0 && isCertain(word) && texts.includes(word.value);
    if (whole && index === words.length - 1) return null;
    if (whole && names !== null) return namesWord(word.text, { ...names, many: false }, word.span);
    const opaque = opaqueWord(word.text, value.slice(0, at), word.span);
    // The replacement is one argument; the rest of the word must be certain for the whole to be one string.
    return isCertain(word) && index > 0 ? { ...opaque, data: 'one' as const } : opaque;
  });
  return result.filter((word) => word !== null);
}

/** The first position of any of `texts`; -1 if there is none. */
function firstOf(value: string, texts: readonly string[]): number {
  let first = -1;
  for (const text of texts) {
    const at = text === '' ? -1 : value.indexOf(text);
    if (at >= 0 && (first < 0 || at < first)) first = at;
  }
  return first;
}

/** The span from the first word to the last; `fallback` if there are no words. */
export function spanOf(words: readonly ShellWord[], fallback: Span): Span {
  let start = Number.POSITIVE_INFINITY;
  let end = -1;
  for (const word of words) {
    start = Math.min(start, word.span.start);
    end = Math.max(end, word.span.end);
  }
  return end < 0 ? fallback : { start, end };
}

export function opaqueReason(code: OpaqueCode, message: string, span: Span): Opaque {
  return { code, message, span };
}
