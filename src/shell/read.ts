/** From a command line to its invocations: bounds first, then the short way for plain lines, then the parser's way. */
import type { CommandLine, ShellDialect } from './command-line.js';
import { OPAQUE_MESSAGES } from './opaque.js';
import { parse } from './parser.js';
import { readPlainLine } from './plain.js';
import { Reading } from './reading.js';
import { readScript } from './walk.js';

/** Longer lines are not read: no person writes them, and every reader after us is bounded by this too. */
const MAX_BYTES = 65_536;

/** C0 except TAB and LF, DEL, and C1: shells drop them, end a line at them, or disagree about them (spec: shell, section 5). */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

/**
 * Reads a command line as the given shell would.
 * @param source the command line as the runner would hand it to the shell
 * @param shell whose rules hold; `union` is the strictest of all
 * @returns every invocation that can be seen, nested ones included, and every reason why the line is not fully understood; it never
 *   throws. Behaviour: bash 5.2 as measured by spec shell.md; promise 1 of the design.
 */
export function readCommandLine(source: string, shell: ShellDialect): CommandLine {
  return (source.length <= MAX_BYTES / 3 ? readPlainLine(source) : null) ?? readWithParser(source, shell);
}

/** The parser's way, for every line; exported so that the short way can be compared with it. */
export function readWithParser(source: string, shell: ShellDialect): CommandLine {
  if (utf8Length(source) > MAX_BYTES) return unread(source, 'too-long');
  const reading = new Reading(source, shell, readScript);
  const root = reading.root();
  if (CONTROL.test(source)) reading.note('control-character', root, 0, source.length);
  try {
    readScript(reading, root, parse(source));
  } catch {
    // The tree is deeper than the stack. What was found until then still counts for deny rules.
    reading.note('nesting', root, 0, source.length);
  }
  return reading.result();
}

function unread(source: string, code: 'too-long'): CommandLine {
  return { source, invocations: [], opaque: [{ code, message: OPAQUE_MESSAGES[code], span: { start: 0, end: source.length } }] };
}

/** Bytes of the text in UTF-8, counted only when the text is long enough for it to matter. */
function utf8Length(text: string): number {
  if (text.length * 3 <= MAX_BYTES) return text.length;
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) bytes++;
    // A surrogate is half of four bytes.
    if (code > 0x7ff && (code < 0xd800 || code > 0xdfff)) bytes++;
  }
  return bytes;
}
