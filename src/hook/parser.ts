/**
 * The hook's access to the parser, in place of src/shell/parse/full.ts: that file and the parser are a separate bundle
 * (dist/hook-parser.cjs), started by the first line that needs them. Without the bundle such a line fails, and the call is denied.
 */
import type { CommandLine, ShellDialect } from '../shell/syntax/types.js';
import { startCached } from './cached.js';

let parser: typeof import('../shell/parse/full.js') | null = null;

/** See `readWithParser` of src/shell/parse/full.ts. */
export function readWithParser(source: string, shell: ShellDialect): CommandLine {
  parser ??= startCached('hook-parser', 'readWithParser') as typeof import('../shell/parse/full.js');
  return parser.readWithParser(source, shell);
}
