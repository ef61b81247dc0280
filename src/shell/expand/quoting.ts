/** The two quotings that need decoding: `$'…'` and the text of a here-document. */

/** One-letter escapes of `$'…'` (bash manual, "ANSI-C Quoting"). */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', '\x07'],
  ['b', '\b'],
  ['e', '\x1b'],
  ['E', '\x1b'],
  ['f', '\f'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['?', '?'],
]);

/** Hexadecimal and octal escapes; three octal digits, two hexadecimal ones. */
const NUMERIC_ESCAPE = /^(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3}))/;

interface AnsiCText {
  /** Null when it is not certain: control escapes, Unicode escapes, or bytes outside ASCII (which depend on the locale). */
  readonly value: string | null;
  /** Offset behind the closing quote; -1 when there is none. */
  readonly end: number;
  /** zsh was seen to read every escape in it as bash does. */
  readonly sameInZsh: boolean;
}

/**
 * Decodes `$'…'` as bash does.
 * @param start offset of the first character inside the quotes
 */
export function decodeAnsiC(text: string, start: number): AnsiCText {
  let value: string | null = '';
  let sameInZsh = true;
  for (let i = start; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === "'") return { value, end: i + 1, sameInZsh };
    if (character !== '\\') {
      if (value !== null) value += character;
      continue;
    }
    const decoded = decodeEscape(text, i + 1);
    if (decoded.unknown) sameInZsh = false;
    value = value === null || decoded.value === null ? null : value + decoded.value;
    i += decoded.length;
  }
  return { value: null, end: -1, sameInZsh: false };
}

/** What stands for the escape whose letter is at `at`, and how many characters it takes after the backslash. */
function decodeEscape(text: string, at: number): { value: string | null; length: number; unknown?: true } {
  const letter = text.charAt(at);
  const simple = ESCAPES.get(letter);
  if (simple !== undefined) return { value: simple, length: 1 };
  const digits = NUMERIC_ESCAPE.exec(text.slice(at, at + 3));
  if (digits !== null) {
    const code = digits[1] === undefined ? Number.parseInt(digits[2] ?? '', 8) : Number.parseInt(digits[1], 16);
    return { value: code > 0 && code < 128 ? String.fromCharCode(code) : null, length: digits[0].length };
  }
  // Any other letter keeps its backslash (zsh drops it), but \u, \U, \c and a broken \x depend on locale or version.
  return { value: /[uUcx]/.test(letter) ? null : `\\${letter}`, length: 1, unknown: true };
}

/**
 * The text that a command receives from a here-document.
 * @param body as written
 * @param quoted whether any part of the delimiter is quoted (then nothing is expanded)
 * @param stripTabs for `<<-`
 * @returns null when it holds an expansion, or a continued line (whose joining depends on the delimiter)
 */
export function hereDocText(body: string, quoted: boolean, stripTabs: boolean): string | null {
  const text = stripTabs ? body.replace(/^\t+/gm, '') : body;
  if (quoted) return text;
  if (/[$`]/.test(text.replace(/\\[^\n]/g, '')) || text.includes('\\\n')) return null;
  return text.replace(/\\([$`\\])/g, '$1');
}

/** Whether a text holds what an arithmetic or indirect evaluation would run. */
export function looksLikeCode(text: string): boolean {
  return text.includes('$(') || text.includes('`') || text.includes('${');
}
