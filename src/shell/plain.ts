/**
 * The short way for the plainest lines: one command of plain words with single blanks between them. It must say exactly what the
 * parser's way says (a property test compares them); everything that could mean more is left to that way.
 */
import { isBuiltinOfInterest } from './builtins.js';
import { isPlain } from './characters.js';
import type { CommandLine, Invocation, ShellWord } from './command-line.js';
import { plainShellWord } from './shell-words.js';

const NONE: readonly never[] = [];

/** Reads a plain line; null when it is not plain. */
export function readPlainLine(source: string): CommandLine | null {
  for (let i = 0; i < source.length; i++) {
    const code = source.charCodeAt(i);
    if (code !== 32 && !isPlain(code)) return null;
  }
  const argv: ShellWord[] = [];
  for (let start = 0; start <= source.length; ) {
    const blank = source.indexOf(' ', start);
    const end = blank === -1 ? source.length : blank;
    // Two blanks, or one at either end; a leading `=`; a command name that is more than a name.
    if (end === start || source.charCodeAt(start) === 61) return null;
    const text = source.slice(start, end);
    if (start === 0 && !isPlainName(text)) return null;
    argv.push(plainShellWord(text, { start, end }));
    start = end + 1;
  }
  const invocation: Invocation = {
    argv,
    assignments: NONE,
    redirections: NONE,
    enclosures: NONE,
    background: false,
    piped: false,
    directory: NONE,
    span: { start: 0, end: source.length },
  };
  return { source, invocations: [invocation], opaque: NONE };
}

/** Not a keyword, an assignment, a job or a builtin that does more than an ordinary program. */
function isPlainName(text: string): boolean {
  return !text.includes('=') && !text.startsWith('%') && text !== 'time' && !isBuiltinOfInterest(text);
}
