/**
 * The reader of Python for the hook, in place of src/command/languages/python-program.ts: a bundle of its own (dist/hook-python.cjs),
 * started by the first program in a line. Without it such a line fails, and the call is denied.
 */
import { startCached } from './cached.js';

let reader: typeof import('../command/languages/python-program.js') | null = null;

/** See `filesPythonReads` of src/command/languages/python-program.ts. */
export function filesPythonReads(text: string): readonly string[] | null {
  reader ??= startCached('hook-python', 'filesPythonReads') as typeof import('../command/languages/python-program.js');
  return reader.filesPythonReads(text);
}
