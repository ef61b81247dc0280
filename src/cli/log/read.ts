/** `policy log tail|show|query`: prints records of the log. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { logDirectory } from '../../log/files/directory.js';
import { appendedSince, logEnds, newestFirst, type RecordFilter, recordsById } from '../../log/read/query.js';
import type { LogNote, ReadLine } from '../../log/read/read-record.js';
import type { LogRecord, ResultRecord } from '../../log/record/record.js';
import { momentOf } from '../../log/record/time-span.js';
import { recordExplained, recordLine } from '../../report/log/records.js';
import { jsonLine } from '../../report/printing/escape.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, printProse, textOptions, warn } from '../terminal/terminal.js';
import { type Arguments, choiceFlag, switchFlag, textFlag } from '../words/arguments.js';

export const DECISIONS = ['allow', 'ask', 'deny'] as const;
export const KINDS = ['decision', 'result', 'event'] as const;
/** Number of records that `tail` prints by default. */
export const LAST = 20;
/** The flags that select records. */
const FILTERS = ['decision', 'kind', 'tool', 'agent', 'session', 'rule', 'project', 'since', 'until'] as const;
const MOST_MATCHES = 10;
const POLL_MILLISECONDS = 250;

/** Prints the last records in the order of their arrival, and with --follow each new one. */
export async function tail(args: Arguments, state: string): Promise<ExitCode> {
  if (switchFlag(args, 'follow')) return follow(args, state);
  const { records, notes } = lastRecords(state, filterOf(args), limitFlag(args) ?? LAST);
  for (const record of records) await printLine(args, record);
  tellNotes(notes);
  if (records.length === 0) tellNoRecords(args, state);
  return EXIT.allow;
}

/** Returns the newest records that pass the filter, at most `most`, in the order of their arrival. */
function lastRecords(state: string, filter: RecordFilter, most: number, ends?: ReturnType<typeof logEnds>) {
  const records: LogRecord[] = [];
  const notes: LogNote[] = [];
  for (const found of most === 0 ? [] : newestFirst(state, filter, ends)) {
    if ('note' in found) notes.push(found.note);
    else records.push(found.record);
    if (records.length >= most) break;
  }
  return { records: records.reverse(), notes };
}

/** Says why no record was printed: the limit is 0, the log is empty, or no record matches the flags. */
export function tellNoRecords(args: Arguments, state: string): void {
  const given = FILTERS.flatMap((name) => {
    const value = textFlag(args, name);
    return value === undefined ? [] : [`--${name} ${value}`];
  });
  const [any] = lastRecords(state, {}, 1).records;
  if (any !== undefined && limitFlag(args) === 0) warn('No record was printed: --limit is 0.');
  else if (any === undefined || given.length === 0) warn(`No records found in ${logDirectory(state)}.`);
  else warn(`No record of ${logDirectory(state)} matches ${given.join(' ')}.`);
}

/** Prints the records that the flags select, newest first. */
export async function query(args: Arguments, state: string): Promise<ExitCode> {
  const most = limitFlag(args) ?? Number.POSITIVE_INFINITY;
  const notes: LogNote[] = [];
  let count = 0;
  for (const found of most === 0 ? [] : newestFirst(state, filterOf(args))) {
    if ('note' in found) {
      notes.push(found.note);
      continue;
    }
    await printLine(args, found.record);
    count += 1;
    if (count >= most) break;
  }
  tellNotes(notes);
  if (count === 0) tellNoRecords(args, state);
  return EXIT.allow;
}

/** Prints the last records in the order of their arrival, followed by each new one, until the process is interrupted. */
async function follow(args: Arguments, state: string): Promise<never> {
  const filter = filterOf(args);
  const ends = logEnds(state);
  const { records } = lastRecords(state, filter, limitFlag(args) ?? LAST, ends);
  for (const record of records) await printLine(args, record);
  if (records.length === 0) tellNoRecords(args, state);
  for (;;) {
    for (const found of appendedSince(state, ends, filter)) await printFound(args, found);
    await sleep(POLL_MILLISECONDS);
  }
}

async function printFound(args: Arguments, found: ReadLine): Promise<void> {
  if ('record' in found) await printLine(args, found.record);
  else tellNotes([found.note]);
}

/** Explains the record with the given id. Throws UsageError unless exactly one record matches the id. */
export async function show(args: Arguments, state: string): Promise<ExitCode> {
  const id = textFlag(args, 'id')?.toLowerCase();
  if (id === undefined || !/^[0-9a-f-]{4,36}$/.test(id))
    throw new UsageError('Name a record by its id, or at least its first 4 characters: policy log show ID');
  const [record, ...others] = recordsById(state, id, MOST_MATCHES);
  if (record === undefined) throw new UsageError(`No record of ${logDirectory(state)} has an id that begins with ${id}`);
  if (others.length > 0)
    throw new UsageError(
      `Several records have an id that begins with ${id}:`,
      ...[record, ...others].map((one) => recordLine(one)),
    );
  if (switchFlag(args, 'json')) await print(jsonLine(record));
  else await print(recordExplained(record, resultsOf(record, state), textOptions()));
  return EXIT.allow;
}

/** Returns the result records of the call that a decision is about, oldest first; none for records of other kinds. */
function resultsOf(record: LogRecord, state: string): ResultRecord[] {
  if (record.kind !== 'decision' || record.toolUseId === null || record.session === null) return [];
  const filter: RecordFilter = { kind: 'result', session: record.session, since: Date.parse(record.time) };
  const results: ResultRecord[] = [];
  for (const found of newestFirst(state, filter))
    if ('record' in found && found.record.kind === 'result' && found.record.toolUseId === record.toolUseId)
      results.push(found.record);
  return results.reverse();
}

/** Prints one record; on a terminal, a long line is wrapped at words. */
async function printLine(args: Arguments, record: LogRecord): Promise<void> {
  if (switchFlag(args, 'json')) await print(jsonLine(record));
  else await printProse(`${recordLine(record, textOptions().color)}\n`);
}

/** Returns the filter that the flags describe. Throws UsageError for an invalid value. */
export function filterOf(args: Arguments): RecordFilter {
  const [decision, kind] = [choiceFlag(args, 'decision', DECISIONS), choiceFlag(args, 'kind', KINDS)];
  const [tool, agent, session, rule] = ['tool', 'agent', 'session', 'rule'].map((name) => textFlag(args, name));
  const project = textFlag(args, 'project');
  const [since, until] = [momentFlag(args, 'since', 'start'), momentFlag(args, 'until', 'end')];
  return {
    ...(decision !== undefined && { decision }),
    ...(kind !== undefined && { kind }),
    ...(tool !== undefined && { tool }),
    ...(agent !== undefined && { agent }),
    ...(session !== undefined && { session }),
    ...(rule !== undefined && { rule }),
    ...(project !== undefined && { project: realOr(resolve(project)) }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

/** Returns a time in milliseconds since 1970. Throws UsageError for an invalid value. */
export function momentFlag(args: Arguments, name: string, edge: 'start' | 'end'): number | undefined {
  const text = textFlag(args, name);
  if (text === undefined) return undefined;
  const moment = momentOf(text, Date.now(), edge);
  if (moment === null)
    throw new UsageError(
      `--${name} is ${JSON.stringify(text)}; give a day (2026-01-31), a time (2026-01-31T12:00) or an age (2h)`,
    );
  return moment;
}

function limitFlag(args: Arguments): number | undefined {
  const text = textFlag(args, 'limit');
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--limit is ${JSON.stringify(text)}; it must be a number of records`);
  return Number(text);
}

/** Returns the real path, as records contain it; the given path if it no longer exists. */
function realOr(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Reports how many lines of each file were skipped, and the place of the last one. */
export function tellNotes(notes: readonly LogNote[]): void {
  const files = new Map<string, LogNote[]>();
  for (const note of notes) files.set(note.path, [...(files.get(note.path) ?? []), note]);
  for (const [path, [first, ...more]] of files) {
    if (first === undefined) continue;
    const others = more.length === 0 ? '' : ` (and ${more.length} more ${more.length === 1 ? 'line' : 'lines'} of this file)`;
    warn(`note: ${path}: at byte ${first.offset} ${first.problem}${others}`);
  }
}
