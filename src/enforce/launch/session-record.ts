/**
 * The stored result of a `policy run`: a folder of its own with its record (run.json), its events (events.jsonl) and its last
 * message (summary.md), named `agents://NAME/sessions/TIME`.
 */
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalizeName } from '../../agent/name.js';
import { namesIn } from '../../disk/folder-entries.js';
import { readText } from '../../disk/read.js';
import { ownDirectory } from '../../log/files/directory.js';
import { systemCode } from '../../log/files/log-error.js';
import type { PresetName } from '../../policy/policy.js';
import { isAlive, isIdentity, type ProcessIdentity, type ProcessTable, processTable } from '../../run/process-identity.js';
import { RunError } from '../../run/run-error.js';
import type { TokenUsage } from '../../runner/stream/stream-event.js';

export const OUTCOMES = ['completed', 'failed', 'refused', 'timeout', 'interrupted', 'budget'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface SessionRecord {
  readonly version: 1;
  /** Id of the run, as in the record of running agents. */
  readonly id: string;
  /** `agents://NAME/sessions/TIME` */
  readonly uri: string;
  readonly agent: string | null;
  readonly preset: PresetName | null;
  readonly runner: string;
  readonly model: string | null;
  /** Real path. */
  readonly project: string;
  readonly goal: string | null;
  /** Session of the coding agent that started this run; null: a person did. */
  readonly parentSessionId: string | null;
  /** The runner's own session. */
  readonly session: string | null;
  /** If `policy run` was killed, the file still has `running`; sessionRecords reports the run as ended. */
  readonly state: 'running' | 'ended';
  /** The process of `policy run` itself. */
  readonly holder: ProcessIdentity | null;
  readonly outcome: Outcome | null;
  /** A sentence that states why the run did not end successfully. */
  readonly problem: string | null;
  readonly attempts: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly usage: TokenUsage | null;
  readonly decisions: DecisionCounts | null;
  /** The last message, limited in length. */
  readonly summary: string | null;
  /** Addresses of the files next to the record. */
  readonly artifacts: readonly string[];
}

export interface DecisionCounts {
  readonly allow: number;
  readonly ask: number;
  readonly deny: number;
  /** Number of allowed calls that the runner did not run; absent when there are none. */
  readonly refused?: number;
}

/** A folder for a run's record. */
export interface SessionFolder {
  readonly path: string;
  readonly uri: string;
}

const LONGEST_NAME = 100;
const MOST_EVENTS = 64 * 1024 * 1024;
const FOLDER = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z(?:-\d+)?$/;

/**
 * Creates the folder of a run that begins now. Throws LogError or RunError.
 * @param name of the agent or preset
 */
export function sessionFolder(stateDirectory: string, name: string, now: Date): SessionFolder {
  const safe = normalizeName(name).slice(0, LONGEST_NAME) || 'unnamed';
  const base = sessionsOf(stateDirectory, safe);
  for (const folder of [stateDirectory, join(stateDirectory, 'agents'), join(stateDirectory, 'agents', safe), base])
    ownDirectory(folder);
  const time = now.toISOString().replaceAll(':', '-');
  for (let nth = 1; ; nth += 1) {
    const called = nth === 1 ? time : `${time}-${nth}`;
    const path = join(base, called);
    try {
      mkdirSync(path, { mode: 0o700 });
      return { path, uri: `agents://${safe}/sessions/${called}` };
    } catch (error) {
      if (systemCode(error) === 'EEXIST') continue;
      throw new RunError(`the run's record cannot be made in ${base} (${systemCode(error)})`);
    }
  }
}

/** Writes the record. Throws RunError when it is not completely on disk. */
export function writeSession({ path }: SessionFolder, record: SessionRecord): void {
  const file = join(path, 'run.json');
  try {
    writeFileSync(`${file}.draft`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.draft`, file);
    if (record.summary !== null) writeFileSync(join(path, 'summary.md'), `${record.summary}\n`, { mode: 0o600 });
  } catch (error) {
    throw new RunError(`the record of the run ${file} cannot be written (${systemCode(error)}); free space and check its limits`);
  }
}

/** Returns a function that appends lines to the events of a run, up to the maximum size. A write error is only reported. */
export function eventAppender({ path }: SessionFolder, problem: (message: string) => void): (lines: string) => void {
  const file = join(path, 'events.jsonl');
  let size = 0;
  let full = false;
  return (lines) => {
    if (full || lines === '') return;
    size += lines.length;
    try {
      if (size > MOST_EVENTS) throw new Error('they are too long');
      appendFileSync(file, lines, { mode: 0o600 });
    } catch (error) {
      full = true;
      problem(`the run's events are no longer recorded (${systemCode(error)})`);
    }
  };
}

/**
 * Returns the records of a project, oldest first; skips folders without a complete record. Reports a run as ended if its
 * `policy run` no longer exists.
 * @param project null: of all projects
 */
export function sessionRecords(
  stateDirectory: string,
  project: string | null,
  table: () => ProcessTable = () => processTable(process.platform),
): readonly (SessionRecord & { readonly path: string })[] {
  let processes: ProcessTable | null = null;
  const agents = join(stateDirectory, 'agents');
  return namesIn(agents)
    .flatMap((name) => namesIn(sessionsOf(stateDirectory, name)).map((time) => join(sessionsOf(stateDirectory, name), time)))
    .flatMap((path) => {
      const record = readSession(path);
      if (record === null || (project !== null && record.project !== project)) return [];
      if (record.state === 'ended' || record.holder === null) return [{ ...record, path }];
      processes ??= table();
      return [isAlive(record.holder, processes) === 'no' ? { ...killed(record, path), path } : { ...record, path }];
    })
    .sort((left, right) => (left.startedAt < right.startedAt ? -1 : 1));
}

/** Returns the record of a killed run, with the time of its last sign of life as its end. */
function killed(record: SessionRecord, path: string): SessionRecord {
  const signs = ['events.jsonl', 'run.json'].flatMap((name) => {
    try {
      return [statSync(join(path, name)).mtimeMs];
    } catch {
      return [];
    }
  });
  const endedAt = new Date(Math.max(Date.parse(record.startedAt), ...signs)).toISOString();
  return { ...record, state: 'ended', outcome: 'failed', problem: KILLED, endedAt };
}

const KILLED = '`policy run` was killed before the run ended';

/** Removes the oldest ended runs of a project until `keep` are left; returns how many were removed. Skips runs that cannot be removed. */
export function pruneSessions(stateDirectory: string, project: string, keep: number): number {
  const ended = sessionRecords(stateDirectory, project).filter(({ state }) => state === 'ended');
  const surplus = ended.slice(0, Math.max(0, ended.length - keep));
  return surplus.filter(({ path }) => {
    try {
      rmSync(path, { recursive: true, force: true });
      return true;
    } catch {
      return false;
    }
  }).length;
}

export function eventsText(path: string): string | null {
  const file = join(path, 'events.jsonl');
  if (!existsSync(file)) return null;
  const read = readText(file, { follow: false, limit: 2 * MOST_EVENTS });
  return read.ok ? read.text : null;
}

function sessionsOf(stateDirectory: string, name: string): string {
  return join(stateDirectory, 'agents', name, 'sessions');
}

function readSession(path: string): SessionRecord | null {
  if (!FOLDER.test(path.slice(path.lastIndexOf('/') + 1))) return null;
  const read = readText(join(path, 'run.json'), { follow: false });
  if (!read.ok) return null;
  try {
    const value: unknown = JSON.parse(read.text);
    return isSession(value) ? value : null;
  } catch {
    return null;
  }
}

function isSession(value: unknown): value is SessionRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { version, id, uri, runner, project, state, startedAt, holder } = value as Readonly<Record<string, unknown>>;
  return (
    version === 1 &&
    [id, uri, runner, project, startedAt].every((one) => typeof one === 'string') &&
    (holder === null || isIdentity(holder)) &&
    (state === 'running' || state === 'ended')
  );
}
