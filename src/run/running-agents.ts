/** Reads who runs: for `policy status`, and for runners whose payloads do not say which agent calls. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isJournalOf, isSharedJournal, journalFile, readJournal, runsDirectory } from './journal.js';
import type { Timestamp } from './moment.js';
import type { ProcessTable } from './process-identity.js';
import { type Run, replay } from './replay.js';
import { RunError } from './run-error.js';
import { staleness } from './stale.js';

/**
 * The agents that run in a session of a project, oldest first: where one was started by another it comes behind it. Only the
 * record is read, one small file; a run whose runner crashed may still be in it.
 * @param family the session, or null where a runner gives its subagents sessions of their own (see recordedUnder)
 * Throws RunError when the record cannot be read: then nobody knows who calls.
 */
export function runningAgents(stateDirectory: string, project: string, family: string | null): readonly Run[] {
  const runs = replay(readJournal(journalFile(stateDirectory, project, family)));
  return runs.filter((run) => run.state === 'running' && run.project === project);
}

/**
 * Every run of a project in all its sessions, in the order of their starts; runs that nobody will end are ended already.
 * Throws RunError when a record cannot be read.
 */
export function runsOfProject(stateDirectory: string, project: string, now: Timestamp, table: ProcessTable): readonly Run[] {
  const folder = runsDirectory(stateDirectory);
  return namesIn(folder)
    .filter((name) => isJournalOf(name, project))
    .flatMap((name) => replay(readJournal(join(folder, name))))
    .filter((run) => run.project === project && run.state !== 'refused')
    .map((run) => withoutStale(run, now, table))
    .sort((left, right) => left.when.at - right.when.at);
}

/** Those that run in one record, oldest first, without those that nobody will end. Throws RunError when it cannot be read. */
export function liveAgents(
  stateDirectory: string,
  project: string,
  family: string | null,
  now: Timestamp,
  table: () => ProcessTable,
): readonly Run[] {
  const runs = runningAgents(stateDirectory, project, family);
  if (runs.length === 0) return [];
  const processes = table();
  return runs.filter((run) => staleness(run, now, processes) === null);
}

/** A shared record is begun anew once it is this large and nothing was written to it for this long. */
const LARGE = 256 * 1024;
const IDLE_MS = 2 * 24 * 3600 * 1000;

/**
 * Whether a record can go before its month is over: a large one that the sessions of a project share, that rests, and in which
 * nobody runs. Clocks can be set, so that all who ran have to have ended by the record itself.
 */
export function isRecordOver(file: string, idle: number, size: number): boolean {
  if (size < LARGE || idle < IDLE_MS || !isSharedJournal(basename(file))) return false;
  try {
    return replay(readJournal(file)).every(({ state }) => state === 'ended' || state === 'refused');
  } catch (error) {
    // Whoever starts an agent is told what is wrong with it.
    if (error instanceof RunError) return false;
    throw error;
  }
}

function withoutStale(run: Run, now: Timestamp, table: ProcessTable): Run {
  const why = run.state === 'running' || run.state === 'waiting' ? staleness(run, now, table) : null;
  return why === null ? run : { ...run, state: 'ended', endedAt: now, lastEvent: `struck off: ${why}` };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new RunError(`the folder ${folder} cannot be read (${String(error)})`);
  }
}
