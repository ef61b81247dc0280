/**
 * The hook's reader of PowerShell, in place of src/command/powershell/posix.ts: a separate bundle (dist/hook-powershell.cjs),
 * started by the first call of that tool. Without the bundle such a call fails and is denied.
 */
import type { CommandTable } from '../command/grammar/table.js';
import type { PosixReading } from '../command/powershell/posix.js';
import { startCached } from './cached.js';

let reader: typeof import('../command/powershell/posix.js') | null = null;

/** See `posixReading` of src/command/powershell/posix.ts. */
export function posixReading(line: string, tableOf: (name: string) => CommandTable | null): PosixReading | null {
  reader ??= startCached('hook-powershell', 'posixReading') as typeof import('../command/powershell/posix.js');
  return reader.posixReading(line, tableOf);
}
