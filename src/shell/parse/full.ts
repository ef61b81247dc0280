/**
 * The parser's path from a command line to its invocations: first the bounds, then the tree. The hook loads this file, the parser
 * and all readers of its tree only when a line needs them (.ci/bundle.mjs).
 */

import { Reading } from '../scope/context.js';
import { readableStart } from '../syntax/bounds.js';
import { MAX_BYTES } from '../syntax/characters.js';
import { OPAQUE_MESSAGES } from '../syntax/opaque.js';
import { parse } from '../syntax/parser.js';
import type { CommandLine, ShellDialect } from '../syntax/types.js';
import { readNode, readScript } from './statements.js';

/** C0 except TAB and LF, DEL, and C1: shells drop them, end a line at them, or disagree about them. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

/** Reads any command line with the parser, with the same result type as `readCommandLine`; never throws. */
export function readWithParser(source: string, shell: ShellDialect): CommandLine {
  if (utf8Length(source) > MAX_BYTES) return unread(source, 'too-long');
  const reading = new Reading(source, shell, readScript, readNode);
  const root = reading.root();
  if (CONTROL.test(source)) reading.note('control-character', root, 0, source.length);
  try {
    const text = readableStart(source);
    if (text.length < source.length) reading.note('nesting', root, text.length, source.length);
    readScript(reading, { ...root, text }, parse(text));
  } catch {
    // The tree is deeper than the stack. Deny rules still apply to what was found before.
    reading.note('nesting', root, 0, source.length);
  }
  return reading.result();
}

function unread(source: string, code: 'too-long'): CommandLine {
  return { source, invocations: [], opaque: [{ code, message: OPAQUE_MESSAGES[code], span: { start: 0, end: source.length } }] };
}

/** The length of the text in UTF-8 bytes, counted only if the text is long enough for it to matter. */
function utf8Length(text: string): number {
  if (text.length * 3 <= MAX_BYTES) return text.length;
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) bytes++;
    // A surrogate is half of a four-byte character.
    if (code > 0x7ff && (code < 0xd800 || code > 0xdfff)) bytes++;
  }
  return bytes;
}
