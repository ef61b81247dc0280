export const SLOTS = 4_096;

/** A number below SLOTS of a word: tells most words that no table knows from those that one does. */
export function slotOf(word: string): number {
  const { length } = word;
  return (word.charCodeAt(0) * 1021 + word.charCodeAt(1) * 127 + word.charCodeAt(length - 1) * 13 + length) & (SLOTS - 1);
}
