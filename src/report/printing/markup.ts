/** Texts in HTML and XML that stay what they are, whatever a stranger put into them. */
import { escapeText } from './escape.js';

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** For text and for values in quotes. Characters that XML cannot hold become visible. */
export function markup(text: string): string {
  return escapeText(text)
    .replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? '')
    .replace(/\p{Noncharacter_Code_Point}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
