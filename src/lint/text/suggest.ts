/** "Did you mean …?" for the words of one file, so many and no more: comparing words costs time that a file must not command. */
import { nearestWord } from '../../policy/nearest.js';

const MOST = 100;
const MOST_KEPT = 1_000;

export type Suggest = (word: string, candidates: readonly string[]) => string | null;

/** The nearest of the candidates for the first hundred words that are asked about, null for those after them. */
export function suggester(): Suggest {
  let left = MOST;
  return (word, candidates) => (left-- > 0 ? nearestBefore(word, candidates) : null);
}

/** Files of one project have the same mistakes: what was found for a word is kept as long as its candidates are. */
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

/** The end of a sentence: the suggestion, or a full stop. */
export function meant(near: string | null): string {
  return near === null ? '.' : `; did you mean ${near}?`;
}
