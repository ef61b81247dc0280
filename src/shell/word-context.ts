/** What a reader of one word may take from its surroundings: the variables that are known there, and where substitutions end. */
import type { Binding } from './bindings.js';

export interface WordContext {
  /** What `$name` stands for; null when nobody knows. */
  binding(name: string): Binding | null;
  /** The offset behind the `$(…)` that begins at this offset of the word, when its output may stand for a text; else -1. */
  substitutionEnd(offset: number): number;
  /** The word stands in the list of a loop: an unquoted substitution gives any number of values, each of them a text. */
  readonly isListed: boolean;
}

/** A plain use of a parameter in a word, and the offset behind it. */
export interface ParameterUse {
  readonly name: string;
  readonly end: number;
}

const USE = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*)|([?#$!]))/y;

/**
 * The `$name`, `${name}` or `$?` that begins at an offset; null for every other expansion, and where zsh takes what follows for a
 * subscript (`$x[1]`), a modifier (`$x:h`) or the rest of a name (`$#x`).
 */
export function parameterUse(text: string, offset: number): ParameterUse | null {
  USE.lastIndex = offset;
  const match = USE.exec(text);
  if (match === null) return null;
  const [whole, braced, bare, special] = match;
  const end = offset + whole.length;
  if (braced !== undefined) return { name: braced, end };
  const rest = text.slice(end, end + 2);
  if (special !== undefined) return rest === '' || /^[\s"'.,/);%|]/.test(rest) ? { name: special, end } : null;
  if (bare === undefined || /^(?:\[|:[^\s"'/])/.test(rest)) return null;
  return { name: bare, end };
}
