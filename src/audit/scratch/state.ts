/** A state directory for probes: everything that the hook knows (trust above all), without the log, in which probes would leave traces. */
import { cpSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../../disk/folder-entries.js';
import { ownershipProblem } from '../../log/files/directory.js';
import { scratchFolder } from './folder.js';

/** Not copied: the log must stay untouched, snapshots belong to the place where they were made, running agents to their sessions. */
const LEFT_OUT: ReadonlySet<string> = new Set(['log', 'snapshots', 'runs']);
const MOST_BYTES = 4 * 1024 * 1024;

export interface ScratchState {
  /** The value for XDG_STATE_HOME: our state is in `policy` below it. */
  readonly base: string;
  readonly directory: string;
  /** Forgets the agents that probes started; returns how many records of them there were. */
  readonly forgetRuns: () => number;
  readonly remove: () => void;
}

/**
 * Copies the state directory; if it does not exist, the copy is empty. Symlinks, large files, and files that others can write are
 * omitted: the hook does not believe those, and a copy would be ours.
 */
export function scratchState(stateDirectory: string): ScratchState {
  const { path: base, remove } = scratchFolder('audit');
  const directory = join(base, 'policy');
  mkdirSync(directory, { mode: 0o700 });
  for (const name of isOwn(stateDirectory) ? namesIn(stateDirectory) : [])
    if (!LEFT_OUT.has(name)) cpSync(join(stateDirectory, name), join(directory, name), { recursive: true, filter: isOwn });
  const runs = join(directory, 'runs');
  const forgetRuns = () => {
    const count = namesIn(runs).filter((name) => name.endsWith('.jsonl')).length;
    rmSync(runs, { recursive: true, force: true });
    return count;
  };
  return { base, directory, forgetRuns, remove };
}

function isOwn(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || ownershipProblem(stat) !== null) return false;
  return stat.isDirectory() || (stat.isFile() && stat.size <= MOST_BYTES);
}
