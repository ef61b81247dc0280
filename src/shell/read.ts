/** From a command line to its invocations: the fast path for plain lines, the parser for all others. */

import { readPlainLine } from './parse/fast-path.js';
import { readWithParser } from './parse/full.js';
import { MAX_BYTES } from './syntax/characters.js';
import type { CommandLine, ShellDialect } from './syntax/types.js';

/**
 * Reads a command line as the given shell would.
 * @param source the command line as the runner passes it to the shell
 * @param shell the shell whose rules apply; `union` is the strictest
 * @returns every visible invocation, including nested ones, and every reason why the line is not fully understood; it never
 * throws. Behaviour: bash 5.2 as measured by spec shell.md; promise 1 of the design.
 */
export function readCommandLine(source: string, shell: ShellDialect): CommandLine {
  // No character takes more than three bytes per UTF-16 unit.
  return (source.length <= MAX_BYTES / 3 ? readPlainLine(source) : null) ?? readWithParser(source, shell);
}
