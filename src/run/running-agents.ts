/** Reads which agents run: for `policy status`, and for runners whose payloads do not identify the calling agent. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isJournalOf, isSharedJournal, journalFile, readJournal, runsDirectory } from './journal.js';
import type { Timestamp } from './moment.js';
import type { ProcessTable } from './process-identity.js';
import { type Run, replay } from './replay.js';
import { RunError } from './run-error.js';
import { staleness } from './stale.js';

/**
 * Returns the agents that run in a session of a project, oldest first: an agent comes after the one that started it. Reads only
 * the record, one small file; a run whose runner crashed may still be in it.
 * @param family the session, or null if a runner gives its subagents sessions of their own (see recordedUnder)
 * Throws RunError if the record cannot be read: the caller is then unknown.
 */
export function runningAgents(stateDirectory: string, project: string, family: string | null): readonly Run[] {
  const runs = replay(readJournal(journalFile(stateDirectory, project, family)));
  return runs.filter((run) => run.state === 'running' && run.project === project);
}

/**
 * Returns every run of a project in all its sessions, in order of their starts; runs that nobody will end are shown as ended.
 * Throws RunError if a record cannot be read.
 */
export function runsOfProject(stateDirectory: string, project: string, now: Timestamp, table: ProcessTable): readonly Run[] {
  const folder = runsDirectory(stateDirectory);
  return agentFiles(folder)
    .filter((name) => isJournalOf(name, project))
    .flatMap((name) => replay(readJournal(join(folder, name))))
    .filter((run) => run.project === project && run.state !== 'refused')
    .map((run) => withoutStale(run, now, table))
    .sort((left, right) => left.when.at - right.when.at);
}

/**
 * Returns the running agents of one record and the requests that wait, oldest first, except those that nobody will end. Throws
 * RunError if it cannot be read.
 */
export function liveRuns(
  stateDirectory: string,
  project: string,
  family: string | null,
  now: Timestamp,
  table: () => ProcessTable,
): readonly Run[] {
  const all = replay(readJournal(journalFile(stateDirectory, project, family)));
  const runs = all.filter((run) => (run.state === 'running' || run.state === 'waiting') && run.project === project);
  if (runs.length === 0) return [];
  const processes = table();
  return runs.filter((run) => staleness(run, now, processes) === null);
}

/** A shared record is removed once it is this large and has not been written to for this long. */
const LARGE = 256 * 1024;
const IDLE_MS = 2 * 24 * 3600 * 1000;

/**
 * Whether a record may be removed before its month has passed: a large, idle one that a project's sessions share, and in which
 * nothing runs. Because clocks can be set, the record itself must show that every run has ended.
 */
export function isRecordOver(file: string, idle: number, size: number): boolean {
  if (size < LARGE || idle < IDLE_MS || !isSharedJournal(basename(file))) return false;
  try {
    return replay(readJournal(file)).every(({ state }) => state === 'ended' || state === 'refused');
  } catch (error) {
    // The error is reported when an agent is started.
    if (error instanceof RunError) return false;
    throw error;
  }
}

function withoutStale(run: Run, now: Timestamp, table: ProcessTable): Run {
  const why = run.state === 'running' || run.state === 'waiting' ? staleness(run, now, table) : null;
  return why === null ? run : { ...run, state: 'ended', endedAt: now, lastEvent: `struck off: ${why}` };
}

function agentFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new RunError(`the folder ${folder} cannot be read (${String(error)})`);
  }
}
