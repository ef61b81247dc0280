/** `policy doctor`: is every call judged? */

import { homedir } from 'node:os';
import { doctor } from '../../audit/doctor/doctor.js';
import { RUNNERS } from '../../call/tool-call.js';
import { defaultStateDirectory } from '../../log/files/directory.js';
import { doctorReport } from '../../report/doctor.js';
import { runnerNamed } from '../../runner/runners.js';
import { POLICY_FILES } from '../place/open.js';
import { machineHere } from '../place/own-programs.js';
import { placesOf } from '../place/where.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { withProgress } from '../terminal/progress.js';
import { print, printProse, textOptions } from '../terminal/terminal.js';
import { type Arguments, switchFlag } from '../words/arguments.js';
import type { CommandHelp, Takes } from '../words/command.js';

/** Milliseconds that a hook or a program may take. */
const PATIENCE = 15_000;

export const usage = `$0 doctor [RUNNER...] [--json]

Checks every installed hook. It looks at the coding agents of this machine, their settings, the hooks in them, the installed program, the
policy and the log. Then it sends a call that every policy denies (\`rm -rf /\`, which is judged and never run) through each hook, as
the agent would. Every problem is shown with the command that fixes it. Only policy's own hooks are started; their decisions are
logged. Without a name it checks all agents that are on PATH or have a hook.`;

export const takes: Takes = {
  arguments: { runners: { array: true, value: 'RUNNER', suggested: [...RUNNERS], describe: 'Only these coding agents' } },
  options: {
    json: { describe: 'One JSON object' },
    cwd: { value: 'DIR', default: 'here', describe: 'A directory of the project' },
  },
};

/** Throws UsageError for a runner that is not known. */
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
    if (runnerNamed(name) === undefined) throw new UsageError(`${name} is no runner; one of ${[...RUNNERS].join(', ')}`);
  return named;
}

export const help: CommandHelp = {
  exitCodes: [
    [0, 'Every hook works'],
    [1, 'There is a problem: no hook, one that does not block or blocks every call, a policy that cannot be used …'],
    [3, 'Wrong usage'],
  ],
  files: [
    ...POLICY_FILES,
    ['~/.claude/settings.json and the like', "The runners' settings; docs/install.md names them all"],
    ['$XDG_STATE_HOME/policy/log', 'Written: what was decided about the call that was sent'],
  ],
  examples: [
    {
      says: 'Nothing is installed yet',
      line: 'policy doctor codex | grep -A 1 PROBLEM',
      exit: 0,
      prints: ['  PROBLEM  No hook of policy checks the calls of codex', '           fix: policy install codex --user'],
    },
    {
      says: 'After an installation',
      line: 'policy install gemini-cli --yes > /dev/null && policy doctor gemini-cli',
      exit: 0,
      prints: ['gemini-cli', '…', 'Every hook works.'],
    },
  ],
};
