/** Extracts the record from a line of the log, or a note why there is none. */
import { validateLogRecord } from '../../generated/validators/log-record.js';
import type { LogLine } from '../files/log-files.js';
import type { LogRecord } from '../record/record.js';

/** A line without a record. */
export interface LogNote {
  readonly path: string;
  /** Offset at which the line begins. */
  readonly offset: number;
  readonly problem: string;
}

export type ReadLine = { readonly record: LogRecord } | { readonly note: LogNote };

/** The beginning of every line that this program writes; inside a record's strings the quotes would be escaped. */
const BEGINNING = '{"v":1,"id":"';
const MOST_BEGINNINGS = 16;

/** True if a line may contain a record whose id begins with `prefix`; needs no parsing. */
export function mayHaveId(line: string, prefix: string): boolean {
  return line.includes(`${BEGINNING}${prefix}`);
}

/**
 * Returns the content of a line. If a record was written after one that had been cut off (a full disk), the record is found, and
 * the lost one noted.
 */
export function readRecord(path: string, { text, offset, ended }: LogLine): readonly ReadLine[] {
  if (text === null) return [{ note: { path, offset, problem: 'the line is longer than any record' } }];
  const record = parsed(text);
  if (record !== null) return [{ record }];
  const behind = recordBehind(text);
  if (behind !== null)
    return [{ record: behind }, { note: { path, offset, problem: 'a record was cut off before the next one' } }];
  const problem = !ended ? 'the last record is not complete' : (laterVersion(text) ?? 'the line is not a record');
  return [{ note: { path, offset, problem } }];
}

/** Returns the record in a whole text; null for anything else, including JSON that only resembles a record. */
function parsed(text: string): LogRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return isRecord(value) ? value : null;
}

function isRecord(value: unknown): value is LogRecord {
  return validateLogRecord(value);
}

/** Recognizes records of a later version: they stay in the log as they are, but this program cannot read them. */
function laterVersion(text: string): string | null {
  const [, version] = LATER.exec(text) ?? [];
  return version === undefined ? null : `the record has version ${version}, written by a newer policy; this one knows version 1`;
}

const LATER = /^\{"v":([2-9]|[1-9]\d{1,2}),.*\}$/s;

/** Returns the record at the end of a line that begins with a piece of another one. */
function recordBehind(text: string): LogRecord | null {
  let at = text.indexOf(BEGINNING, 1);
  for (let tries = 0; at !== -1 && tries < MOST_BEGINNINGS; tries += 1) {
    const record = parsed(text.slice(at));
    if (record !== null) return record;
    at = text.indexOf(BEGINNING, at + 1);
  }
  return null;
}
