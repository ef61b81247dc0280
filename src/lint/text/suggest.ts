/** "Did you mean …?" for a limited number of words of one file: comparing words takes time that a file must not control. */
import { nearestWord } from '../../policy/nearest.js';

const MOST = 100;
const MOST_KEPT = 1_000;

export type Suggest = (word: string, candidates: readonly string[]) => string | null;

/** Returns the nearest of the candidates for the first hundred words that are looked up, null for later ones. */
export function suggester(): Suggest {
  let left = MOST;
  return (word, candidates) => (left-- > 0 ? nearestBefore(word, candidates) : null);
}

/** Files of one project contain the same mistakes: the result for a word is kept as long as its candidates. */
const nearest = new WeakMap<readonly string[], Map<string, string | null>>();

function nearestBefore(word: string, candidates: readonly string[]): string | null {
  const known = nearest.get(candidates) ?? new Map<string, string | null>();
  nearest.set(candidates, known);
  const before = known.get(word);
  if (before !== undefined) return before;
  const found = nearestWord(word, candidates);
  if (known.size < MOST_KEPT) known.set(word, found);
  return found;
}

/** Returns the end of a sentence: the suggestion, or a period. */
export function meant(near: string | null): string {
  return near === null ? '.' : `; did you mean ${near}?`;
}
