/** A value as one line of JSON that is safe to print: characters that a terminal would interpret are written as `\uXXXX`. */
import { utf8Length } from './bytes.js';

/**
 * Matches DEL, C1, soft hyphen, zero-width and direction marks, line and paragraph separators, byte order mark, tag characters.
 * JSON.stringify itself escapes C0 and lone surrogates.
 */
const HIDDEN =
  /[\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|\udb40[\udc00-\udfff]/g;

/** Returns `value` as JSON on one line without its line break; parses back to an equal value. */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value);
  // Of the ASCII characters that need escaping, JSON.stringify leaves only DEL; most records need no check for the rest of Unicode.
  return utf8Length(json) === json.length && !json.includes('\x7f') ? json : json.replace(HIDDEN, escaped);
}

function escaped(character: string): string {
  let text = '';
  for (let index = 0; index < character.length; index += 1)
    text += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  return text;
}

/** Returns the number of bytes of `text` as a JSON string of jsonLine. */
export function jsonBytes(text: string): number {
  return utf8Length(jsonLine(text));
}
