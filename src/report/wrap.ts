/** Breaks sentences into lines that fit a terminal. */

/**
 * The lines of `text` at most `width` characters wide, broken at spaces; a word that is too long alone is broken
 * anywhere. Always at least one line.
 */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((part) => pieces(part, width))) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** A word cut into parts of at most `width` characters; surrogate pairs stay whole. */
function pieces(word: string, width: number): readonly string[] {
  if (word.length <= width) return [word];
  const parts: string[] = [];
  let part = '';
  for (const character of word) {
    if (part.length + character.length > width) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part];
}
