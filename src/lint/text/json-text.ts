/** The ends of values in JSON text, and the positions of characters in its strings, for corrections of JSON. */

/** Returns the offset after the value that starts at an offset; the end of the text if the value is cut off. */
export function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== '{' && first !== '[') return start + (/^[^\s,\]}]*/.exec(text.slice(start, start + 64))?.[0].length ?? 0);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** Returns the offset of character `index` of the string whose opening quote is at `start`: escapes take more than one character. */
export function offsetInString(text: string, start: number, index: number): number {
  let at = start + 1;
  for (let left = index; left > 0 && at < text.length; left--) {
    if (text[at] !== '\\') at++;
    else at += text[at + 1] === 'u' ? 6 : 2;
  }
  return at;
}

/** Escapes a text for the inside of a JSON string. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
