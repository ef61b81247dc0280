/** From a line of the log to the record in it, or to a note why there is none. */
import { validateLogRecord } from '../../generated/validators/log-record.js';
import type { LogLine } from '../files/log-files.js';
import type { LogRecord } from '../record/record.js';

/** A line that holds no record. */
export interface LogNote {
  readonly path: string;
  /** Byte at which the line begins. */
  readonly offset: number;
  readonly problem: string;
}

export type ReadLine = { readonly record: LogRecord } | { readonly note: LogNote };

/** How every line of ours begins; inside a record's texts the quotes would be escaped. */
const BEGINNING = '{"v":1,"id":"';
const MOST_BEGINNINGS = 16;

/** True for a line that may hold a record of that id, or an id beginning so; costs no parsing. */
export function mayHaveId(line: string, prefix: string): boolean {
  return line.includes(`${BEGINNING}${prefix}`);
}

/**
 * What a line holds. A record that was written behind one that had been cut off (a full disk) is found, and the lost one noted.
 */
export function readRecord(path: string, { text, offset, ended }: LogLine): readonly ReadLine[] {
  if (text === null) return [{ note: { path, offset, problem: 'the line is longer than any record' } }];
  const record = parsed(text);
  if (record !== null) return [{ record }];
  const behind = recordBehind(text);
  if (behind !== null)
    return [{ record: behind }, { note: { path, offset, problem: 'a record was cut off before the next one' } }];
  const problem = !ended ? 'the last record is not complete' : (laterVersion(text) ?? 'the line is no record');
  return [{ note: { path, offset, problem } }];
}

/** The record of a whole text; null for anything else, also for JSON that only looks like a record. */
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

/** Records of a later version stay in the log as they are; this program only cannot read them. */
function laterVersion(text: string): string | null {
  const [, version] = LATER.exec(text) ?? [];
  return version === undefined
    ? null
    : `the record is of version ${version}, which a newer policy wrote; this one knows version 1`;
}

const LATER = /^\{"v":([2-9]|[1-9]\d{1,2}),.*\}$/s;

/** The record that ends a line which begins with a piece of another one. */
function recordBehind(text: string): LogRecord | null {
  let at = text.indexOf(BEGINNING, 1);
  for (let tries = 0; at !== -1 && tries < MOST_BEGINNINGS; tries += 1) {
    const record = parsed(text.slice(at));
    if (record !== null) return record;
    at = text.indexOf(BEGINNING, at + 1);
  }
  return null;
}
