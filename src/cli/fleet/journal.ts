/** A file to which each result is appended, so that an interrupted audit continues where it stopped. */
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import type { RepositoryResult } from '../../audit/fleet/report.js';
import { validateFleetReport } from '../../generated/validators/fleet-report.js';
import { systemCode } from '../../log/files/log-error.js';
import { UsageError } from '../terminal/exit.js';

export interface Journal {
  /** Repositories that were examined before, by their name in the list. */
  readonly known: ReadonlyMap<string, RepositoryResult>;
  readonly add: (result: RepositoryResult) => void;
}

const MOST_BYTES = 512 * 1024 * 1024;
/** The beginning of every line. */
const START = '{"toolVersion":';

/** Returns null without a file. Ignores results of another version, and an unfinished last line. Throws UsageError. */
export function openJournal(file: string | null, toolVersion: string): Journal | null {
  if (file === null) return null;
  try {
    const known = existsSync(file) ? read(file, toolVersion) : new Map<string, RepositoryResult>();
    // Ends an unfinished line, which is skipped the next time.
    appendFileSync(file, '', { mode: 0o600 });
    if (statSync(file).size > 0) appendFileSync(file, '\n');
    return { known, add: (result) => appendFileSync(file, `${JSON.stringify({ toolVersion, result })}\n`) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = systemCode(error);
    throw new UsageError(`--resume ${file} cannot be used (${code})`);
  }
}

function read(file: string, toolVersion: string): ReadonlyMap<string, RepositoryResult> {
  const stat = statSync(file);
  if (!stat.isFile()) throw new UsageError(`--resume ${file} is not a regular file`);
  const { size } = stat;
  if (size > MOST_BYTES) throw new UsageError(`--resume ${file} is larger than ${MOST_BYTES / 1024 / 1024} MiB`);
  const text = readFileSync(file, 'utf8');
  const start = text.trimStart().slice(0, START.length);
  // Never append to a file with other content.
  if (!START.startsWith(start)) throw new UsageError(`--resume ${file} contains something other than results; name another file`);
  const known = new Map<string, RepositoryResult>();
  for (const line of text.split('\n')) {
    const result = line === '' ? null : resultOf(line, toolVersion);
    if (result?.problem === null) known.set(result.repository, result);
  }
  return known;
}

function resultOf(line: string, toolVersion: string): RepositoryResult | null {
  try {
    const entry = JSON.parse(line) as { toolVersion?: unknown; result?: RepositoryResult };
    return entry.toolVersion === toolVersion && isResult(entry.result) ? entry.result : null;
  } catch {
    return null;
  }
}

/** Whether the value is a valid repository entry of a report. */
function isResult(result: unknown): result is RepositoryResult {
  const about = { version: 1, tool: 'policy', toolVersion: '-', generatedAt: '', milliseconds: 0 };
  return validateFleetReport({ ...about, repositories: [result] });
}
