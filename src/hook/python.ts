/**
 * The hook's reader of Python, in place of src/command/languages/python-program.ts: a separate bundle (dist/hook-python.cjs),
 * started by the first program in a line. Without the bundle such a line fails, and the call is denied.
 */
import type { PythonProgram } from '../command/languages/python-program.js';
import { startCached } from './cached.js';

let reader: typeof import('../command/languages/python-program.js') | null = null;

/** See `readPythonProgram` of src/command/languages/python-program.ts. */
export function readPythonProgram(text: string): PythonProgram | null {
  reader ??= startCached('hook-python', 'readPythonProgram') as typeof import('../command/languages/python-program.js');
  return reader.readPythonProgram(text);
}
