/** `policy status`: what is enforced in this project, on one screen; with RUN, what one subagent did. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { gatherStatus } from '../../audit/status/gather.js';
import { realPath } from '../../disk/real-path.js';
import { VERSION } from '../../generated/build.js';
import { runsAsJson } from '../../report/runs.js';
import { statusAsJson, statusText } from '../../report/status.js';
import type { Run } from '../../run/replay.js';
import { RunError } from '../../run/run-error.js';
import { type RunPlaces, runsHere, shownRuns, tellRuns } from '../agents/runs.js';
import { machineHere } from '../place/own-programs.js';
import { placesOf, stateDirectoryOf } from '../place/where.js';
import { EXIT, type ExitCode } from '../terminal/exit.js';
import { print, textOptions } from '../terminal/terminal.js';
import { type Arguments, switchFlag, textFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

export const takes: Takes = {
  arguments: { run: { value: 'RUN', describe: 'An agent, or the id of a run' } },
  options: {
    log: { describe: 'List what the run did, in order' },
    json: { describe: 'Print JSON (schemas/status.schema.json)' },
    cwd: { value: 'DIR', default: 'here', describe: 'A directory of the project' },
    'state-dir': { value: 'DIR', default: '$XDG_STATE_HOME/policy', describe: 'The state directory' },
  },
};

/** Throws UsageError for a directory or a run that does not exist. */
export async function run(args: Arguments): Promise<ExitCode> {
  const places = placesOf(args);
  const stateDirectory = stateDirectoryOf(args);
  const runPlaces = { project: places.project, stateDirectory };
  const wanted = textFlag(args, 'run');
  if (wanted !== undefined || switchFlag(args, 'log')) {
    await tellRuns(args, runPlaces, wanted);
    return EXIT.allow;
  }
  const cwd = realPath(resolve(textFlag(args, 'cwd') ?? '.')) ?? places.project;
  const found = await gatherStatus({ ...machineHere(places, stateDirectory), runners: [], cwd, patience: 0, program: VERSION });
  const { runs, problem } = runsOrProblem(runPlaces);
  const problems = problem === null ? found.problems : [...found.problems, problem];
  const status = { ...found, problems, runs };
  if (switchFlag(args, 'json')) await print(statusAsJson(status, runsAsJson(places.project, shownRuns(runs ?? [], runPlaces))));
  else await print(statusText(status, homedir(), textOptions()));
  const isUnusable = found.policy.inForce === null || found.log === null || runs === null;
  return isUnusable ? EXIT.error : EXIT.allow;
}

function runsOrProblem(places: RunPlaces) {
  try {
    return { runs: runsHere(places) as readonly Run[], problem: null };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return { runs: null, problem: { runner: null, message: error.message, fix: 'policy agents status' } };
  }
}
