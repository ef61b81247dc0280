/** `policy agents status`: the running and past subagent runs of this project, and what one of them did. */
import { normalizeName } from '../../agent/name.js';
import { eventsText, sessionRecords } from '../../enforce/launch/session-record.js';
import { LogError } from '../../log/files/log-error.js';
import { oldestFirst } from '../../log/read/query.js';
import type { LogRecord } from '../../log/record/record.js';
import { launchedLog, launchedSummary } from '../../report/launch.js';
import { jsonText } from '../../report/printing/escape.js';
import { runList, runLog, runSummary, runsAsJson } from '../../report/runs.js';
import { RUN_FAMILY } from '../../run/launched.js';
import { timestampOf } from '../../run/moment.js';
import { processTable } from '../../run/process-identity.js';
import type { Run } from '../../run/replay.js';
import { RunError } from '../../run/run-error.js';
import { runsOfProject } from '../../run/running-agents.js';
import type { StreamEvent } from '../../runner/stream/stream-event.js';
import { UsageError } from '../terminal/exit.js';
import { print, printProse, textOptions } from '../terminal/terminal.js';
import { type Arguments, switchFlag } from '../words/arguments.js';

/** The project whose runs are shown, and where their record is. */
export interface RunPlaces {
  /** Real path. */
  readonly project: string;
  readonly stateDirectory: string;
}

/** Returns all runs of the project, in the order of their starts. Throws RunError when the record cannot be read. */
export function runsHere({ project, stateDirectory }: RunPlaces): readonly Run[] {
  const now = timestampOf(Date.now(), Number(process.hrtime.bigint() / 1_000_000n));
  return runsOfProject(stateDirectory, project, now, processTable(process.platform));
}

/** Returns the runs as a person knows them: those of `policy run` with the runner, and the session that it gave itself. */
export function shownRuns(runs: readonly Run[], { project, stateDirectory }: RunPlaces): readonly Run[] {
  if (!runs.some(({ session }) => session === RUN_FAMILY)) return runs;
  const records = new Map(sessionRecords(stateDirectory, project).map((record) => [record.id, record]));
  return runs.map((run) => {
    if (run.session !== RUN_FAMILY) return run;
    const { runner = '', session = null } = records.get(run.id) ?? {};
    return { ...run, runner, session, agentId: session };
  });
}

/**
 * Prints all runs, or the named one. Throws UsageError for a run that does not exist, and when the record or the log cannot be read.
 * @param wanted an agent, or the beginning of an id
 */
export async function tellRuns(args: Arguments, places: RunPlaces, wanted: string | undefined): Promise<void> {
  try {
    const runs = runsHere(places);
    if (wanted !== undefined) return await tellRun(args, runNamed(wanted, runs, places), places);
    if (switchFlag(args, 'log')) throw new UsageError('Name a run: policy status RUN --log');
    if (switchFlag(args, 'json')) await print(jsonText(runsAsJson(places.project, shownRuns(runs, places))));
    else await printProse(runList(runs));
  } catch (error) {
    throw error instanceof RunError || error instanceof LogError ? new UsageError(error.message) : error;
  }
}

async function tellRun(args: Arguments, run: Run, places: RunPlaces): Promise<void> {
  const session = run.session === RUN_FAMILY ? sessionOf(run, places) : null;
  if (session !== null) return await tellLaunched(args, run, session, places);
  const records = recordsOf(run, places);
  const withLog = switchFlag(args, 'log');
  if (switchFlag(args, 'json')) await print(jsonText(runsAsJson(places.project, [run], withLog ? records : undefined)));
  else await printProse(withLog ? runLog(run, records) : runSummary(run, records));
}

/** Returns the record of a run that `policy run` started; null when it was pruned. */
function sessionOf({ id }: Run, { project, stateDirectory }: RunPlaces): KeptSession | null {
  return sessionRecords(stateDirectory, project).find((record) => record.id === id) ?? null;
}

type KeptSession = ReturnType<typeof sessionRecords>[number];

async function tellLaunched(args: Arguments, run: Run, { path, ...kept }: KeptSession, places: RunPlaces): Promise<void> {
  // A killed run could not record how it ended.
  const record =
    kept.state === 'running' && run.state !== 'running' ? { ...kept, state: 'ended' as const, problem: run.lastEvent } : kept;
  const withLog = switchFlag(args, 'log');
  const decisions = decisionsOf(record, places);
  const events = withLog ? (eventsText(path) ?? '').split('\n').flatMap(eventIn) : [];
  if (switchFlag(args, 'json'))
    await print(jsonText({ ...record, ...(withLog && { executionLog: events, decisionLog: decisions }) }));
  else if (withLog) await printProse(launchedLog(record, events, decisions, textOptions().color));
  else await printProse(launchedSummary(record));
}

function eventIn(line: string): readonly StreamEvent[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as StreamEvent];
  } catch {
    // The line was cut off when the run was killed.
    return [];
  }
}

function decisionsOf(
  { id: run, startedAt }: Pick<KeptSession, 'id' | 'startedAt'>,
  { stateDirectory }: RunPlaces,
): readonly LogRecord[] {
  const since = Date.parse(startedAt);
  return [...oldestFirst(stateDirectory, { run, since })].flatMap((read) => ('record' in read ? [read.record] : []));
}

/** Returns the run with that id or address, else the last run of an agent of that name, in any spelling. Throws UsageError. */
function runNamed(said: string, runs: readonly Run[], places: RunPlaces): Run {
  const wanted = said.startsWith('agents://') ? (idAt(said, places) ?? said) : said;
  const begins = ({ id, agentId }: Run) => wanted.length >= 4 && (id.startsWith(wanted) || agentId?.startsWith(wanted) === true);
  const [found, other] = runs.filter(begins);
  if (other !== undefined) throw new UsageError(`Several runs have ids that begin with ${wanted}`);
  const name = normalizeName(wanted);
  const run =
    found ??
    runs.findLast(({ agent }) => agent === wanted) ??
    runs.findLast(({ agent }) => name !== '' && normalizeName(agent) === name);
  if (run === undefined) throw new UsageError(`No run here has the id or the agent ${JSON.stringify(wanted)}`);
  return run;
}

/** Returns the id for an address in the form that `policy run` prints. */
function idAt(address: string, { project, stateDirectory }: RunPlaces): string | null {
  return sessionRecords(stateDirectory, project).find(({ uri }) => uri === address)?.id ?? null;
}

/** Returns the log records of a run, by agent name, time and session; some runners give agents sessions of their own. */
function recordsOf(
  { agent, agentId, session, when, endedAt }: Run,
  { project, stateDirectory }: RunPlaces,
): readonly LogRecord[] {
  const filter = { agent, project, since: when.at, ...(endedAt !== null && { until: endedAt.at }) };
  const records: LogRecord[] = [];
  for (const read of oldestFirst(stateDirectory, filter))
    if ('record' in read && [session, agentId].includes(read.record.session)) records.push(read.record);
  return records;
}
