/**
 * The processes that a program has started: found by the process tree; those that have left the tree, by their session and a mark
 * in their environment.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { RUN_MARK } from '../../run/launched.js';
import { procStat, procText } from '../../run/proc-files.js';
import { identityOf, type ProcessIdentity, processTable } from '../../run/process-identity.js';

/** Returns all processes that still descend from a process. */
export function descendantsOf(pid: number): readonly ProcessIdentity[] {
  const parents = parentsOfAll();
  const found = new Set<number>();
  for (let wave = [pid]; wave.length > 0; ) {
    const next = [...parents].flatMap(([child, parent]) => (wave.includes(parent) && !found.has(child) ? [child] : []));
    for (const one of next) found.add(one);
    wave = next;
  }
  const table = processTable(process.platform);
  return [...found].flatMap((one) => identityOf(one, table) ?? []);
}

/**
 * Returns the processes that carry the mark and have not ended; none for an empty mark, and where the system does not report
 * environments (all but Linux).
 */
export function markedProcesses(mark: string, variable = RUN_MARK): readonly number[] {
  if (mark === '' || process.platform !== 'linux') return [];
  const line = `${variable}=${mark}`;
  return numbersInProc().filter((pid) => procText(`/proc/${pid}/environ`).split('\0').includes(line));
}

/**
 * Returns the processes of the session that a process began, whether or not that process still exists; none where the system does
 * not report sessions, as above.
 */
export function sessionProcesses(leader: number): readonly number[] {
  if (process.platform !== 'linux') return [];
  return numbersInProc().filter((pid) => {
    const stat = procStat(pid);
    return stat !== null && stat.session === leader && !'ZX'.includes(stat.state);
  });
}

function parentsOfAll(): ReadonlyMap<number, number> {
  if (process.platform === 'linux') return new Map(numbersInProc().map((pid) => [pid, procStat(pid)?.parent ?? 0]));
  const { stdout } = spawnSync('/bin/ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8', timeout: 5_000 });
  const rows = (stdout ?? '').split('\n').map((line) => line.trim().split(/ +/).map(Number));
  return new Map(rows.map(([pid = 0, parent = 0]) => [pid, parent]));
}

function numbersInProc(): readonly number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}
