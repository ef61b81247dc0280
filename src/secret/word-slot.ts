export const SLOTS = 4_096;

/** A number below SLOTS for a word: distinguishes most words that are in no table from words that are in one. */
export function slotOf(word: string): number {
  return slot(word.charCodeAt(0), word.charCodeAt(1) || 0, word.charCodeAt(word.length - 1), word.length);
}

/** @param second the second character; 0 when there is none */
export function slot(first: number, second: number, last: number, length: number): number {
  return (first * 1021 + second * 127 + last * 13 + length) & (SLOTS - 1);
}
