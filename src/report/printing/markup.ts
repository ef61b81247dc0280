/** Texts in HTML and XML that keep their meaning whatever a stranger put into them. */
import { escapeText } from './escape.js';

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** For text and for quoted values. Characters that XML cannot contain become visible. */
export function markup(text: string): string {
  return escapeText(text)
    .replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? '')
    .replace(/\p{Noncharacter_Code_Point}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
