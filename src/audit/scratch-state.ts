/** A state directory for probes: what the hook knows (trust above all), without the log that probes would leave traces in. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Left out: the log is what must stay untouched, snapshots belong to the place where they were made. */
const LEFT_OUT: ReadonlySet<string> = new Set(['log', 'snapshots']);
const MOST_BYTES = 1024 * 1024;

export interface ScratchState {
  /** As XDG_STATE_HOME would name it: our state lies in `policy` below. */
  readonly base: string;
  readonly directory: string;
  readonly remove: () => void;
}

/** Copies the state directory, files over 1 MiB and links left out; an absent one gives an empty copy. */
export function scratchState(stateDirectory: string): ScratchState {
  const base = mkdtempSync(join(tmpdir(), 'policy-audit-'));
  const directory = join(base, 'policy');
  mkdirSync(directory, { mode: 0o700 });
  for (const name of namesIn(stateDirectory)) {
    if (LEFT_OUT.has(name)) continue;
    cpSync(join(stateDirectory, name), join(directory, name), { recursive: true, filter: isSmall });
  }
  return { base, directory, remove: () => rmSync(base, { recursive: true, force: true }) };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing was ever trusted or logged.
    return [];
  }
}

function isSmall(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true || (stat?.isFile() === true && stat.size <= MOST_BYTES);
}
