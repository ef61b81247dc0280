/** Tells most words that no table knows from those that one does, before they are cut out of a text. */

export const SLOTS = 4_096;

/** A number below SLOTS of a word. */
export function slotOf(text: string, start: number, end: number): number {
  return (
    (text.charCodeAt(start) * 1021 + text.charCodeAt(start + 1) * 127 + text.charCodeAt(end - 1) * 13 + end - start) & (SLOTS - 1)
  );
}
