/** Reads the decision log back: the newest records first, by id, or as they come in. */
import { statSync } from 'node:fs';
import { type LogFile, type LogLine, linesBackward, linesForward, logFiles, openFiles } from './files/log-files.js';
import { jsonLine } from './record/json-line.js';
import { mayHaveId, type ReadLine, readRecord } from './record/read-record.js';
import type { LogRecord } from './record/record.js';

/** What a record has to be; what is left out does not matter. */
export interface RecordFilter {
  readonly kind?: LogRecord['kind'];
  /** For records of observe mode what would have been decided counts. */
  readonly decision?: string;
  /** The tool's name as called or its canonical name, in any case. */
  readonly tool?: string;
  readonly agent?: string;
  readonly session?: string;
  /** A part of the text of the rule that decided. */
  readonly rule?: string;
  readonly project?: string;
  /** Milliseconds since 1970, both included. */
  readonly since?: number;
  readonly until?: number;
}

/** True when a record is what the filter asks for. */
function matchesFilter(record: LogRecord, filter: RecordFilter): boolean {
  const { kind, decision, tool, agent, session, rule, project, since, until } = filter;
  if (kind !== undefined && record.kind !== kind) return false;
  if (decision !== undefined && (record.kind !== 'decision' || (record.would ?? record.decision) !== decision)) return false;
  if (tool !== undefined && !isTool(record, tool.toLowerCase())) return false;
  if (agent !== undefined && record.agent !== agent) return false;
  if (session !== undefined && record.session !== session) return false;
  if (project !== undefined && record.project !== project) return false;
  if (rule !== undefined && !(record.kind === 'decision' && record.rule?.text.includes(rule))) return false;
  const time = Date.parse(record.time);
  return !(time < (since ?? Number.NEGATIVE_INFINITY) || time > (until ?? Number.POSITIVE_INFINITY));
}

function isTool(record: LogRecord, name: string): boolean {
  return record.kind !== 'event' && (record.tool.toLowerCase() === name || record.canonical.toLowerCase() === name);
}

/**
 * The records of the log that pass the filter, newest first, with a note for each line that holds none. Memory stays bounded
 * however large the log is. Throws LogError when the log cannot be read.
 * @param ends where to stop in each file (from logEnds); default: at its end now
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

/** The same, oldest first. */
export function* oldestFirst(stateDirectory: string, filter: RecordFilter = {}): Generator<ReadLine> {
  const hint = hintOf(filter);
  for (const file of logFiles(stateDirectory)) {
    if (!mayHold(file, filter)) continue;
    for (const line of linesForward(file.path, 0, true)) if (!lacks(line, hint)) yield* matching(file.path, line, filter);
  }
}

/** What of a line passes the filter. */
function* matching(path: string, line: LogLine, filter: RecordFilter): Generator<ReadLine> {
  for (const found of readRecord(path, line)) if ('note' in found || matchesFilter(found.record, filter)) yield found;
}

/** A file holds the records of one day in UTC. */
function mayHold({ day }: LogFile, { since, until }: RecordFilter): boolean {
  const start = Date.parse(`${day}T00:00:00Z`);
  return !(start + 86_400_000 <= (since ?? Number.NEGATIVE_INFINITY) || start > (until ?? Number.POSITIVE_INFINITY));
}

/** A text that every matching line holds, so that most lines are passed over without parsing them. */
function hintOf({ session, agent, project, rule }: RecordFilter): string | null {
  if (session !== undefined) return `"session":${jsonLine(session)}`;
  if (agent !== undefined) return `"agent":${jsonLine(agent)}`;
  if (project !== undefined) return `"project":${jsonLine(project)}`;
  return rule === undefined ? null : jsonLine(rule).slice(1, -1);
}

/** True for a line that is a whole record as we write them and has not what every match has. */
function lacks({ text, ended }: LogLine, hint: string | null): boolean {
  return (
    hint !== null && ended && text !== null && mayHaveId(text.slice(0, 64), '') && text.endsWith('}') && !text.includes(hint)
  );
}

/** Records whose id begins with `prefix`, newest first, at most `most`. A full id ends the search when it is found. */
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

/** How long each file of the log is now that is written to. */
export function logEnds(stateDirectory: string): Map<string, number> {
  return new Map(openFiles(stateDirectory).map(({ path }) => [path, statSync(path, { throwIfNoEntry: false })?.size ?? 0]));
}

/** What was appended since `ends`, oldest first; moves `ends` on. A record that is still being written comes the next time. */
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
