export const SLOTS = 4_096;

/** A number below SLOTS for a word: distinguishes most words that are in no table from words that are in one. */
export function slotOf(word: string): number {
  const { length } = word;
  return (word.charCodeAt(0) * 1021 + word.charCodeAt(1) * 127 + word.charCodeAt(length - 1) * 13 + length) & (SLOTS - 1);
}
