/** Queries the decision log: the newest records first, by id, or as they arrive. */
import { statSync } from 'node:fs';
import { type LogFile, type LogLine, linesBackward, linesForward, logFiles, openFiles } from '../files/log-files.js';
import { jsonLine } from '../record/json-line.js';
import type { DecisionRecord, EventRecord, LogRecord } from '../record/record.js';
import { mayHaveId, type ReadLine, readRecord } from './read-record.js';
import { isTrialSession } from './trial-session.js';

/** Conditions on a record; an absent one does not matter. */
export interface RecordFilter {
  readonly kind?: LogRecord['kind'];
  /** For records of observe mode, the decision that would have been made is compared. */
  readonly decision?: string;
  /** The tool's name as called or its canonical name, case-insensitive. */
  readonly tool?: string;
  readonly agent?: string;
  readonly session?: string;
  /** The id of a run of `policy run`. */
  readonly run?: string;
  /** A part of the text of the deciding rule. */
  readonly rule?: string;
  readonly project?: string;
  /** Milliseconds since 1970, both inclusive. */
  readonly since?: number;
  readonly until?: number;
  /** Excludes the calls with which `policy doctor` tests the hook. */
  readonly withoutTrials?: boolean;
}

/** True if a record matches the filter. */
export function matchesFilter(record: LogRecord, filter: RecordFilter): boolean {
  return (
    sessionPasses(record.session, filter) &&
    callerPasses(record, filter) &&
    projectPasses(record.project, filter) &&
    runPasses(record, filter) &&
    rulingPasses(record, filter) &&
    toolPasses(record, filter) &&
    timePasses(record.time, filter)
  );
}

export function sessionPasses(id: string | null, { session, withoutTrials }: RecordFilter): boolean {
  if (session !== undefined && id !== session) return false;
  return withoutTrials !== true || !isTrialSession(id);
}

export function callerPasses(record: Pick<LogRecord, 'agent'>, { agent }: RecordFilter): boolean {
  return agent === undefined || record.agent === agent;
}

export function projectPasses(path: string | null, { project }: RecordFilter): boolean {
  return project === undefined || path === project;
}

export function runPasses(record: Pick<LogRecord, 'run'>, { run }: RecordFilter): boolean {
  return run === undefined || record.run === run;
}

/** True if the kind of record and the decision match the filter. */
export function rulingPasses(record: RulingOf<LogRecord>, { kind, decision, rule }: RecordFilter): boolean {
  if (kind !== undefined && record.kind !== kind) return false;
  if (decision !== undefined && (record.kind !== 'decision' || (record.would ?? record.decision) !== decision)) return false;
  return rule === undefined || (record.kind === 'decision' && record.rule?.text.includes(rule) === true);
}

type RulingOf<Found extends LogRecord> = Found extends DecisionRecord
  ? Pick<Found, 'kind' | 'decision' | 'would' | 'rule'>
  : Pick<Found, 'kind'>;

/** True if the tool matches the filter; an event has no tool. */
export function toolPasses(record: Pick<DecisionRecord, 'tool' | 'canonical'> | EventRecord, { tool }: RecordFilter): boolean {
  if (tool === undefined) return true;
  const name = tool.toLowerCase();
  return 'tool' in record && (record.tool.toLowerCase() === name || record.canonical.toLowerCase() === name);
}

export function timePasses(time: string, { since, until }: RecordFilter): boolean {
  if (since === undefined && until === undefined) return true;
  const moment = Date.parse(time);
  return !(moment < (since ?? Number.NEGATIVE_INFINITY) || moment > (until ?? Number.POSITIVE_INFINITY));
}

/**
 * Yields the records of the log that pass the filter, newest first, and a note for each line without a record. Memory stays
 * bounded however large the log is. Throws LogError when the log cannot be read.
 * @param ends where to stop in each file (from logEnds); default: at its current end
 */
export function* newestFirst(
  stateDirectory: string,
  filter: RecordFilter = {},
  ends?: ReadonlyMap<string, number>,
): Generator<ReadLine> {
  const hint = hintOf(filter);
  for (const file of logFiles(stateDirectory).reverse()) {
    if (!mayHold(file, filter)) continue;
    const end = ends === undefined || file.serial !== null ? undefined : (ends.get(file.path) ?? 0);
    for (const line of linesBackward(file.path, end)) if (!lacks(line, hint)) yield* matching(file.path, line, filter);
  }
}

/**
 * Returns the newest records that pass the filter, at most `most`, newest first; skips lines without a record.
 * @param bytes maximum number of bytes of the log that are read
 * @returns `whole`: all of the log was read, or everything wanted was found
 */
export function lastRecords(
  stateDirectory: string,
  filter: RecordFilter,
  most: number,
  bytes: number,
): { readonly records: readonly LogRecord[]; readonly whole: boolean } {
  const hint = hintOf(filter);
  const records: LogRecord[] = [];
  let left = bytes;
  for (const file of logFiles(stateDirectory).reverse()) {
    if (!mayHold(file, filter)) continue;
    for (const line of linesBackward(file.path)) {
      left -= line.end - line.offset;
      if (left < 0) return { records, whole: false };
      if (lacks(line, hint)) continue;
      for (const found of matching(file.path, line, filter)) if ('record' in found) records.push(found.record);
      if (records.length >= most) return { records: records.slice(0, most), whole: true };
    }
  }
  return { records, whole: true };
}

/** The same as newestFirst, but oldest first. */
export function* oldestFirst(stateDirectory: string, filter: RecordFilter = {}): Generator<ReadLine> {
  const hint = hintOf(filter);
  for (const file of logFiles(stateDirectory)) {
    if (!mayHold(file, filter)) continue;
    for (const line of linesForward(file.path, 0, true)) if (!lacks(line, hint)) yield* matching(file.path, line, filter);
  }
}

function* matching(path: string, line: LogLine, filter: RecordFilter): Generator<ReadLine> {
  for (const found of readRecord(path, line)) if ('note' in found || matchesFilter(found.record, filter)) yield found;
}

/** True if a file may contain matching records: a file covers one day in UTC. */
export function mayHold({ day }: LogFile, { since, until }: RecordFilter): boolean {
  const start = Date.parse(`${day}T00:00:00Z`);
  return !(start + 86_400_000 <= (since ?? Number.NEGATIVE_INFINITY) || start > (until ?? Number.POSITIVE_INFINITY));
}

/** Returns a text that every matching line contains, so that most lines are skipped without parsing them. */
export function hintOf({ run, session, agent, project, rule }: RecordFilter): string | null {
  if (run !== undefined) return `"run":${jsonLine(run)}`;
  if (session !== undefined) return `"session":${jsonLine(session)}`;
  if (agent !== undefined) return `"agent":${jsonLine(agent)}`;
  if (project !== undefined) return `"project":${jsonLine(project)}`;
  return rule === undefined ? null : jsonLine(rule).slice(1, -1);
}

/** True for a complete record as this program writes them, without the text that every match contains. */
export function lacks({ text, ended }: LogLine, hint: string | null): boolean {
  return (
    hint !== null && ended && text !== null && mayHaveId(text.slice(0, 64), '') && text.endsWith('}') && !text.includes(hint)
  );
}

/** Returns records whose id begins with `prefix`, newest first, at most `most`. Stops once a full id is found. */
export function recordsById(stateDirectory: string, prefix: string, most: number): LogRecord[] {
  const found: LogRecord[] = [];
  for (const file of logFiles(stateDirectory).reverse())
    for (const line of linesBackward(file.path)) {
      if (line.text === null || !mayHaveId(line.text, prefix)) continue;
      for (const read of readRecord(file.path, line))
        if ('record' in read && read.record.id.startsWith(prefix)) found.push(read.record);
      if (found.length >= most || (found.length > 0 && prefix.length === 36)) return found.slice(0, most);
    }
  return found;
}

/** Returns the current length of each log file that is still written to. */
export function logEnds(stateDirectory: string): Map<string, number> {
  return new Map(openFiles(stateDirectory).map(({ path }) => [path, statSync(path, { throwIfNoEntry: false })?.size ?? 0]));
}

/** Yields the records appended since `ends`, oldest first, and advances `ends`. A partially written record is returned the next time. */
export function* appendedSince(
  stateDirectory: string,
  ends: Map<string, number>,
  filter: RecordFilter = {},
): Generator<ReadLine> {
  for (const file of openFiles(stateDirectory)) {
    for (const line of linesForward(file.path, ends.get(file.path) ?? 0)) {
      yield* matching(file.path, line, filter);
      ends.set(file.path, line.end);
    }
  }
}
