/** The working places of a command, and the check that it may run here; without the dependencies of `policy install`. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { isDirectory } from '../../disk/git/directory.js';
import { realPath } from '../../disk/real-path.js';
import { insideRunner, refusedInsideRunner } from '../../enforce/agents/inside-runner.js';
import type { InstallPlaces } from '../../install/target.js';
import { defaultStateDirectory } from '../../log/files/directory.js';
import { projectOf } from '../../project/project.js';
import { UsageError } from '../terminal/exit.js';
import { type Arguments, textFlag } from '../words/arguments.js';

/** Throws UsageError inside a runner: a coding agent must not change what it may do (docs/guarantees.md, 5). */
export function refuseInsideRunner(command: string): void {
  const inside = insideRunner({ environment: process.env, pid: process.pid, platform: process.platform });
  if (inside !== null) throw new UsageError(refusedInsideRunner(command, inside));
}

/** Returns the places for the project of `--cwd`, or of this directory. Throws UsageError. */
export function placesOf(args: Arguments): InstallPlaces {
  const cwd = realPath(resolve(textFlag(args, 'cwd') ?? '.'));
  if (cwd === null || !isDirectory(cwd)) {
    const said = textFlag(args, 'cwd');
    throw new UsageError(`${said === undefined ? 'This directory' : `--cwd ${said}`} is not a directory`);
  }
  return { home: homedir(), project: projectOf(cwd), machine: '', environment: process.env };
}

/** Returns `--state-dir`, else the user's own state directory. */
export function stateDirectoryOf(args: Arguments): string {
  const given = textFlag(args, 'state-dir');
  return given === undefined ? defaultStateDirectory(process.env, homedir()) : resolve(given);
}
