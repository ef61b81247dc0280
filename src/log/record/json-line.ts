/** A value as one line of JSON that is safe to look at: what a terminal would obey is written as `\uXXXX`. */
import { utf8Length } from './bytes.js';

/**
 * DEL, C1, soft hyphen, zero-width and direction marks, line and paragraph separators, byte order mark, tag characters.
 * C0 and lone surrogates are escaped by JSON.stringify itself.
 */
const HIDDEN =
  /[\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|\udb40[\udc00-\udfff]/g;

/** `value` as JSON on one line without its line break; parses back to an equal value. */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value);
  // Of ASCII, JSON.stringify leaves only DEL as it is; most records need no look at the rest of Unicode.
  return utf8Length(json) === json.length && !json.includes('\x7f') ? json : json.replace(HIDDEN, escaped);
}

function escaped(character: string): string {
  let text = '';
  for (let index = 0; index < character.length; index += 1)
    text += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  return text;
}

/** The bytes that `text` takes as a JSON string of jsonLine. */
export function jsonBytes(text: string): number {
  return utf8Length(jsonLine(text));
}
