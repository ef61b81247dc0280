/** Whether the decision log can be written; without it every call is denied. */
import { accessSync, constants, existsSync, lstatSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { logDirectory, ownershipProblem } from '../../../log/files/directory.js';
import { systemCode } from '../../../log/files/log-error.js';
import { type CheckResult, type DoctorCheck, fine, problem } from '../found/check.js';
import { shellWord } from '../found/words.js';

/** Fewer free bytes than this may not hold a day of calls. */
const LITTLE = 10 * 1024 * 1024;

export const log: DoctorCheck = {
  id: 'log',
  examine: ({ stateDirectories }) => stateDirectories.flatMap(stateOf),
};

function stateOf(state: string): readonly CheckResult[] {
  for (const folder of [state, logDirectory(state)]) {
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    const why = stat.isDirectory() ? ownershipProblem(stat) : stat.isSymbolicLink() ? 'is a symbolic link' : 'is not a folder';
    if (why !== null)
      return [
        problem(null, `The state folder ${folder} ${why}: every call is denied`, `make ${folder} your own folder with mode 700`),
      ];
  }
  const existing = nearest(logDirectory(state));
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(existing);
    if (bavail * bsize < LITTLE)
      return [
        problem(
          null,
          `The disk with ${state} is full (${Math.round((bavail * bsize) / 1024)} KiB left): calls will be denied`,
          'make room there',
        ),
      ];
  } catch (error) {
    return [
      problem(
        null,
        `The decision log in ${existing} cannot be written (${systemCode(error)}): every call is denied`,
        `chmod u+rwx ${shellWord(existing)}`,
      ),
    ];
  }
  return [fine(null, `The decision log can be written (${logDirectory(state)})`)];
}

function nearest(folder: string): string {
  let path = folder;
  while (!existsSync(path) && path !== dirname(path)) path = dirname(path);
  return path;
}
