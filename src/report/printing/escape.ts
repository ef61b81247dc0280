/** Makes text from files, payloads and command lines safe to print: characters that a terminal or an editor would obey become visible. */

/**
 * Characters that are never printed unchanged: controls (C0, DEL, C1), formatting (direction marks, zero-width and tag
 * characters), lone surrogates, line and paragraph separators, and all other characters without a visible form. The variation
 * selectors U+FE00 to U+FE0F only determine how an emoji looks, and are kept.
 */
let unsafe: RegExp | null = null;

/** Built on first use: its Unicode properties take longer than everything else that a hook loads. */
function unsafeCharacters(): RegExp {
  unsafe ??= /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?![\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;
  return unsafe;
}

/** Makes visible: look-alike letters of other alphabets in a word with Latin letters (`sr\\u0441`), and special blanks. */
function withoutDisguise(text: string): string {
  const blanks = /[\u00a0\u1680\u2000-\u200a\u202f\u205f]/g;
  const foreign = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/gu;
  const isLatin = /\p{Script=Latin}/u;
  return text.replace(blanks, shown).replace(/\p{L}+/gu, (word) => (isLatin.test(word) ? word.replace(foreign, shown) : word));
}

/** Most texts do not need the Unicode properties, which are slow to initialize. */
const PLAIN = /^[\x20-\x7e]*$/;

const NAMED: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Returns one line of printable text; each unsafe or disguised character becomes `\n`, `\x1b`, `\u202e` or `\u{e0041}`. */
export function escapeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return withoutDisguise(text.replace(unsafeCharacters(), shown));
}

function shown(character: string): string {
  return NAMED.get(character) ?? numeric(character.codePointAt(0) ?? 0);
}

/** Returns equivalent JSON in which the unsafe characters inside strings are `\uXXXX`. */
export function escapeJson(json: string): string {
  return json.replace(unsafeCharacters(), (character) => {
    let escaped = '';
    for (let index = 0; index < character.length; index++)
      escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
    return escaped;
  });
}

/** Returns a value as JSON on one line with its line break, safe to print. */
export function jsonLine(value: unknown): string {
  return `${escapeJson(JSON.stringify(value))}\n`;
}

/** Returns JSON that a person can read, each member on a line of its own. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2).split('\n').map(escapeJson).join('\n')}\n`;
}

/** Returns the number of a character in the notation of source code. */
function numeric(code: number): string {
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}

/** The label of an agent everywhere: its name, and its model if one is set. */
export function agentLabel(name: string, model: string | null): string {
  return escapeText(model === null || model === '' ? name : `${name} · model: ${model}`);
}
