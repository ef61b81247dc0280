/** Whether the log is to be sealed although nobody said that a session has ended: some runners never do. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { treeDirectory } from '../files/directory.js';

/** Milliseconds between two seals at the ends of turns. */
const INTERVAL = 60_000;

/**
 * True when nothing was sealed within the last minute, as far as the clock tells. Codex has no event for the end of a session,
 * and Qwen Code sends none in a run without a person (observed: 0.169, 0.24.4); the end of a turn is the last that is heard of both.
 * @param now milliseconds since 1970
 */
export function isSealDue(stateDirectory: string, now: number): boolean {
  const stat = statSync(join(treeDirectory(stateDirectory), 'tree.json'), { throwIfNoEntry: false });
  return stat === undefined || Math.abs(now - stat.mtimeMs) >= INTERVAL;
}
