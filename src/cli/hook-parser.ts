/**
 * The parser's way for the hook, in place of src/shell/read-parsed.ts: that file and the parser are a bundle of their own
 * (dist/hook-parser.cjs), started by the first line that needs them. Without it such a line fails, and the call is denied.
 */
import type { CommandLine, ShellDialect } from '../shell/command-line.js';
import { startCached } from './hook-cached.js';

let parser: typeof import('../shell/read-parsed.js') | null = null;

/** See `readWithParser` of src/shell/read-parsed.ts. */
export function readWithParser(source: string, shell: ShellDialect): CommandLine {
  parser ??= startCached('hook-parser', 'readWithParser') as typeof import('../shell/read-parsed.js');
  return parser.readWithParser(source, shell);
}
