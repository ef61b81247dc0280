/** "Did you mean …?" for the words of one file, so many and no more: comparing words costs time that a file must not command. */
import { nearestWord } from '../policy/nearest.js';

const MOST = 100;

export type Suggest = (word: string, candidates: readonly string[]) => string | null;

/** The nearest of the candidates for the first hundred words that are asked about, null for those after them. */
export function suggester(): Suggest {
  let left = MOST;
  return (word, candidates) => (left-- > 0 ? nearestWord(word, candidates) : null);
}

/** The end of a sentence: the suggestion, or a full stop. */
export function meant(near: string | null): string {
  return near === null ? '.' : `; did you mean ${near}?`;
}
