/** Makes text from files, payloads and command lines safe to print: what a terminal or an editor would obey becomes visible. */

/**
 * Characters that are never printed as they are: controls (C0, DEL, C1), formatting (direction marks, zero-width and tag
 * characters), lone surrogates, line and paragraph separators, and everything else without a shape of its own. The
 * variation selectors U+FE00 to U+FE0F only choose how an emoji looks and stay.
 */
let unsafe: RegExp | null = null;

/** Made when it is first needed: its Unicode properties take longer than everything else that a hook loads. */
function unsafeCharacters(): RegExp {
  unsafe ??= /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?![\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;
  return unsafe;
}

/** Letters of other alphabets in a word with Latin ones, which look like these (`sr\\u0441`), and blanks that are none. */
function withoutDisguise(text: string): string {
  const blanks = /[\u00a0\u1680\u2000-\u200a\u202f\u205f]/g;
  const foreign = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/gu;
  const isLatin = /\p{Script=Latin}/u;
  return text.replace(blanks, shown).replace(/\p{L}+/gu, (word) => (isLatin.test(word) ? word.replace(foreign, shown) : word));
}

/** Most texts need no look at the properties of Unicode, which are slow to make ready. */
const PLAIN = /^[\x20-\x7e]*$/;

const NAMED: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** One line of printable text; each unsafe or disguised character becomes `\n`, `\x1b`, `\u202e` or `\u{e0041}`. */
export function escapeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return withoutDisguise(text.replace(unsafeCharacters(), shown));
}

function shown(character: string): string {
  return NAMED.get(character) ?? numeric(character.codePointAt(0) ?? 0);
}

/** JSON that is still the same JSON, but in which the unsafe characters inside its strings are `\uXXXX`. */
export function escapeJson(json: string): string {
  return json.replace(unsafeCharacters(), (character) => {
    let escaped = '';
    for (let index = 0; index < character.length; index++)
      escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
    return escaped;
  });
}

/** A value as JSON on one line with its line break, safe to print. */
export function jsonLine(value: unknown): string {
  return `${escapeJson(JSON.stringify(value))}\n`;
}

/** JSON that a person may read, each member on a line of its own. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2).split('\n').map(escapeJson).join('\n')}\n`;
}

/** The number of a character as a source text would write it. */
function numeric(code: number): string {
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}

/** How an agent is named everywhere: its name, and its model when one is set. */
export function agentLabel(name: string, model: string | null): string {
  return escapeText(model === null || model === '' ? name : `${name} · model: ${model}`);
}
