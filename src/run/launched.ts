/**
 * Active runs started by `policy run`: the hooks of the started runner look here for the agent and the preset that limit every
 * call. Each run has one file, written at once; a record is valid only as long as the process that wrote it.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { PRESETS, type PresetName } from '../policy/policy.js';
import { checkOwnFile, isAbsent, systemWord } from './own-file.js';
import { isAlive, isIdentity, type ProcessIdentity, type ProcessTable } from './process-identity.js';
import { RunError } from './run-error.js';
import { adoptedAncestor, beganAfter } from './runaway.js';
import { shortName } from './short-name.js';

export interface LaunchedRun {
  readonly version: 1;
  readonly id: string;
  /** The definition that the runner's main agent follows; null: only the preset applies. */
  readonly agent: string | null;
  readonly model: string | null;
  readonly runner: string;
  /** The preset that the run was started with; null: that of the policy. */
  readonly preset: PresetName | null;
  /** Real path. */
  readonly project: string;
  /** `policy run` itself. */
  readonly holder: ProcessIdentity;
  /** The runner that it started. */
  readonly child: ProcessIdentity;
  /** There is nobody whom the runner could ask. */
  readonly headless: boolean;
  /** Why every further call is denied: the tokens or the time of the run are used up. */
  readonly spent: string | null;
}

/** The id of the run in a trial of the hook: limited like every run, but never named in the log. */
export const TRIAL_RUN = 'trial';

const WHAT = 'the record of a run started by policy';
const LARGEST = 64 * 1024;
const MOST_ANCESTORS = 256;
const CAREFUL = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The variable that all processes of a run carry; a process with it that does not descend from a run has left its run. */
export const RUN_MARK = 'POLICY_RUN';

/** The value of that variable: the run and its state directory, because hooks of another state directory do not know the run. */
export function runMark(stateDirectory: string, id: string): string {
  return `${id}@${shortName(stateDirectory)}`;
}

/** Runs of `policy run` take turns among themselves in a record of their own; the agents they start take turns within their sessions. */
export const RUN_FAMILY = 'policy run';

/** The folder of these records below a state directory. */
export function launchedDirectory(stateDirectory: string): string {
  return `${stateDirectory}/launched`;
}

/** Writes the record of a run; the caller has created the folder. Throws RunError if the record was not written completely. */
export function writeLaunched(stateDirectory: string, run: LaunchedRun): void {
  const file = fileOf(stateDirectory, run);
  const draft = `${file}.draft`;
  try {
    writeFileSync(draft, JSON.stringify(run), { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    throw new RunError(`${WHAT} ${file} cannot be written (${systemWord(error)}); free space and check its limits`);
  }
}

/** Removes the record; it may already be gone. */
export function removeLaunched(stateDirectory: string, run: Pick<LaunchedRun, 'holder' | 'child'>): void {
  const file = fileOf(stateDirectory, run);
  remove(file);
  remove(`${file}.draft`);
}

/**
 * The run that a process belongs to: the record of its nearest recorded ancestor; null if it has none. Throws RunError if such a
 * record cannot be read; if `policy run` itself has ended (nothing more may then be done in its name); if a process carries the
 * mark of a run without descending from one; if it has left the tree of its parents while a run was active here; and, while a run
 * is active, if its mark cannot be seen.
 * @param project real path of the project in which the call is made
 * @param parent the parent of the asking process
 * @param mark RUN_MARK in the environment of the call; null: it cannot be seen
 * @param table called only if there is any record
 */
export function launchedRun(
  stateDirectory: string,
  project: string,
  parent: number,
  mark: string | undefined | null,
  table: () => ProcessTable,
): LaunchedRun | null {
  const files = recordFiles(stateDirectory);
  const processes = files.length === 0 ? null : table();
  const run = processes === null ? null : runOfAncestor(files, parent, processes);
  if (run !== null) return run;
  if (processes !== null) refuseRunaway(files, project, parent, processes);
  if (mark === null && processes !== null && launchedRuns(stateDirectory, processes).length > 0)
    throw new RunError('a run started by policy is going on, and this call may belong to it; try again');
  // If several ancestors set different values, this is a list of all of them.
  const strays = (mark ?? '').split(':').filter((one) => one.endsWith(`@${shortName(stateDirectory)}`));
  if (strays.length === 0) return null;
  throw new RunError(
    `this agent has the mark of a run started by policy (${RUN_MARK}) but no longer belongs to one; if a person works here, unset ${RUN_MARK} first`,
  );
}

function runOfAncestor(files: readonly RecordFile[], parent: number, processes: ProcessTable): LaunchedRun | null {
  let pid = parent;
  // In a container `policy run` may be the first process.
  for (let step = 0; pid > 0; step += 1) {
    if (step === MOST_ANCESTORS) throw new RunError(`this process has more than ${MOST_ANCESTORS} ancestors, which is too deep`);
    const status = processes.status(pid);
    if (status === null) return null;
    const began = { pid, began: status.began, where: processes.where };
    for (const file of files.filter(({ holder, child }) => holder === pid || child === pid)) {
      const run = readLaunched(file.path);
      if (run === null || !(isSame(run.holder, began) || isSame(run.child, began))) continue;
      if (isAlive(run.holder, processes) === 'no')
        throw new RunError(`the run that policy started this agent for (${run.id}) has ended, so its agents may do nothing more`);
      return run;
    }
    pid = status.parent;
  }
  return null;
}

/**
 * A runner started by a run can drop the mark and its parents (`env -u POLICY_RUN setsid claude`), but not its start time. A
 * person's own runner has their terminal above it, or began before the run.
 */
function refuseRunaway(files: readonly RecordFile[], project: string, parent: number, processes: ProcessTable): void {
  const adopted = adoptedAncestor(parent, processes);
  if (adopted === null) return;
  for (const { path } of files) {
    const run = readable(path);
    if (run === null || run.project !== project || run.child.where !== processes.where) continue;
    if (!beganAfter(adopted.began, run.child.began) || isAlive(run.holder, processes) === 'no') continue;
    throw new RunError(
      `this agent began during a run started by policy in this project (${run.id}) and may belong to it; it can work after that run ends, or if a person starts it from a terminal`,
    );
  }
}

/** A damaged record does not affect processes that do not descend from it. */
function readable(path: string): LaunchedRun | null {
  try {
    return readLaunched(path);
  } catch (error) {
    if (error instanceof RunError) return null;
    throw error;
  }
}

/** Returns the active runs, and removes the records of runs that have ended together with their runner. Throws RunError. */
export function launchedRuns(stateDirectory: string, table: ProcessTable): readonly LaunchedRun[] {
  return recordFiles(stateDirectory).flatMap(({ path }) => {
    const run = readLaunched(path);
    if (run === null) return [];
    const [holder, child] = [isAlive(run.holder, table), isAlive(run.child, table)];
    if (holder === 'no' && child === 'no') remove(path);
    return holder === 'no' ? [] : [run];
  });
}

function isSame(one: ProcessIdentity, other: ProcessIdentity): boolean {
  return one.pid === other.pid && one.began === other.began && one.where === other.where;
}

/** A record with the process numbers in its name. */
interface RecordFile {
  readonly path: string;
  readonly holder: number;
  readonly child: number;
}

function recordFiles(stateDirectory: string): readonly RecordFile[] {
  const folder = launchedDirectory(stateDirectory);
  // No run was ever started from here.
  if (isAbsent(folder)) return [];
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (systemWord(error) === 'ENOENT') return [];
    throw new RunError(`the folder ${folder} cannot be read (${systemWord(error)})`);
  }
  return names.flatMap((name) => {
    const [, holder, child] = /^(\d+)-(\d+)\.json$/.exec(name) ?? [];
    return holder === undefined ? [] : [{ path: `${folder}/${name}`, holder: Number(holder), child: Number(child) }];
  });
}

function fileOf(stateDirectory: string, { holder, child }: Pick<LaunchedRun, 'holder' | 'child'>): string {
  return `${launchedDirectory(stateDirectory)}/${holder.pid}-${child.pid}.json`;
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Never written, or removed by another process.
  }
}

/** Null if the record has just been removed. */
function readLaunched(file: string): LaunchedRun | null {
  const text = readOwn(file);
  if (text === null) return null;
  let run: unknown;
  try {
    run = JSON.parse(text);
  } catch {
    run = null;
  }
  if (!isLaunched(run)) throw new RunError(`${WHAT} ${file} is damaged; remove it when no such run is going on`);
  return run;
}

function readOwn(file: string): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, CAREFUL);
  } catch (error) {
    if (systemWord(error) === 'ENOENT') return null;
    throw new RunError(`${WHAT} ${file} cannot be read (${systemWord(error)}); remove it when no such run is going on`);
  }
  try {
    const stat = fstatSync(descriptor);
    checkOwnFile(WHAT, file, stat);
    if (stat.size > LARGEST) throw new RunError(`${WHAT} ${file} is too long; remove it when no such run is going on`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function isLaunched(value: unknown): value is LaunchedRun {
  if (typeof value !== 'object' || value === null) return false;
  const { version, id, agent, model, runner, preset, project, holder, child, headless, spent } = value as Readonly<
    Record<string, unknown>
  >;
  return (
    version === 1 &&
    typeof headless === 'boolean' &&
    [id, runner, project].every((one) => typeof one === 'string') &&
    [agent, model, spent].every((one) => one === null || typeof one === 'string') &&
    (preset === null || PRESETS.some((one) => one === preset)) &&
    isIdentity(holder) &&
    isIdentity(child)
  );
}
