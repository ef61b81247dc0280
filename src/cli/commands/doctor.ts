/** `policy doctor`: checks whether every call is judged. */

import { homedir } from 'node:os';
import { doctor } from '../../audit/doctor/doctor.js';
import { RUNNERS } from '../../call/tool-call.js';
import { defaultStateDirectory } from '../../log/files/directory.js';
import { doctorReport } from '../../report/doctor.js';
import { runnerNamed } from '../../runner/runners.js';
import { machineHere } from '../place/own-programs.js';
import { placesOf } from '../place/where.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { withProgress } from '../terminal/progress.js';
import { print, printProse, textOptions } from '../terminal/terminal.js';
import { type Arguments, switchFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

/** Maximum milliseconds for a hook or a program. */
const PATIENCE = 15_000;

export const takes: Takes = {
  arguments: { runners: { array: true, value: 'RUNNER', suggested: [...RUNNERS], describe: 'Only these coding agents' } },
  options: {
    json: { describe: 'One JSON object' },
    cwd: { value: 'DIR', default: 'here', describe: 'A directory of the project' },
  },
};

/** Throws UsageError for an unknown runner. */
export async function run(args: Arguments): Promise<ExitCode> {
  const runners = runnersOf(args);
  const machine = machineHere(placesOf(args), defaultStateDirectory(process.env, homedir()));
  const options = { ...machine, runners, patience: PATIENCE };
  const report = await withProgress('policy doctor', (tick) => doctor(options, tick));
  if (switchFlag(args, 'json')) await print(`${JSON.stringify(report, null, 2)}\n`);
  else await printProse(doctorReport(report, textOptions().color));
  return report.problems === 0 ? EXIT.allow : EXIT.deny;
}

function runnersOf(args: Arguments): readonly string[] {
  const named = Array.isArray(args.runners) ? args.runners.map(String) : [];
  for (const name of named)
    if (runnerNamed(name) === undefined) throw new UsageError(`${name} is not a runner; use one of ${[...RUNNERS].join(', ')}`);
  return named;
}
