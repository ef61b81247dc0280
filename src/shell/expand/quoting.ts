/** The two kinds of quoted text that need decoding: `$'…'` and the body of a here-document. */

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

/** Hexadecimal and octal escapes: one or two hexadecimal digits, one to three octal digits. */
const NUMERIC_ESCAPE = /^(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3}))/;

interface AnsiCText {
  /** Null when not certain: control escapes, Unicode escapes, or non-ASCII bytes (which depend on the locale). */
  readonly value: string | null;
  /** The offset after the closing quote; -1 if there is none. */
  readonly end: number;
  /** True if zsh reads every escape in it as bash does (observed). */
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

/** The value of the escape whose letter is at `at`, and how many characters it takes after the backslash. */
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
 * @param stripTabs true for `<<-`
 * @returns null if it contains an expansion, or a line continuation (joining lines depends on the delimiter)
 */
export function hereDocText(body: string, quoted: boolean, stripTabs: boolean): string | null {
  const text = stripTabs ? body.replace(/^\t+/gm, '') : body;
  if (quoted) return text;
  if (/[$`]/.test(text.replace(/\\[^\n]/g, '')) || text.includes('\\\n')) return null;
  return text.replace(/\\([$`\\])/g, '$1');
}

/** Whether the text contains anything that an arithmetic or indirect evaluation would run. */
export function looksLikeCode(text: string): boolean {
  return text.includes('$(') || text.includes('`') || text.includes('${');
}
