/** The structure of a JSON text, seen before it is parsed: how deep it is nested, and whether its numbers survive being written again. Pure. */

/** The structure of a JSON text. Neither field says that the text is valid. */
export interface Structure {
  readonly depth: number;
  /** False if a number is too long or too large for a JavaScript number: written again, it would be another one. */
  readonly exact: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LONG_INTEGER = /^-?\d{16,}$/;

/** Scans the text once, without recursion, so that no input is too deep for it. */
export function structureOf(text: string): Structure {
  let depth = 0;
  let deepest = 0;
  let exact = true;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const end = endOfNumber(text, at);
      if (exact && !survives(text.slice(at, end))) exact = false;
      at = end - 1;
    }
  }
  return { depth: deepest, exact };
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && /[\d.eE+-]/.test(text.charAt(at))) at += 1;
  return at;
}

function survives(number: string): boolean {
  // `1e999` would become null.
  return LONG_INTEGER.test(number) ? Number.isSafeInteger(Number(number)) : Number.isFinite(Number(number));
}
