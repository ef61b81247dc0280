/** The number of terminal columns of a character. */

/** Beyond ASCII: combining marks take no column, East Asian characters and emoji take two. */
const NOTHING = /^[\p{Mn}\p{Me}]$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{1fa70}-\u{1faff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;

/** Returns the columns of one printable character (a code point). */
export function cellsOf(character: string): 0 | 1 | 2 {
  if (character <= '~') return 1;
  if (NOTHING.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

export function widthOf(characters: readonly string[]): number {
  let width = 0;
  for (const character of characters) width += cellsOf(character);
  return width;
}
