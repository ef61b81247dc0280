/** Whether the log should be sealed although no end of a session was reported: some runners never report it. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { treeDirectory } from '../files/directory.js';

/** Minimum milliseconds between two seals at the ends of turns. */
const INTERVAL = 60_000;

/**
 * True if nothing was sealed within the last minute, according to the clock. Codex has no event for the end of a session, and
 * Qwen Code sends none in a headless run (observed: 0.169, 0.24.4); the end of a turn is the last event from both.
 * @param now milliseconds since 1970
 */
export function isSealDue(stateDirectory: string, now: number): boolean {
  const stat = statSync(join(treeDirectory(stateDirectory), 'tree.json'), { throwIfNoEntry: false });
  return stat === undefined || Math.abs(now - stat.mtimeMs) >= INTERVAL;
}
