/** `policy status`: what is enforced in this project, on one screen; with RUN what one subagent did. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { gatherStatus } from '../../audit/status/gather.js';
import { realPath } from '../../disk/real-path.js';
import { VERSION } from '../../generated/build.js';
import { runsAsJson } from '../../report/runs.js';
import { statusAsJson, statusText } from '../../report/status.js';
import type { Run } from '../../run/replay.js';
import { RunError } from '../../run/run-error.js';
import { type RunPlaces, runsHere, tellRuns } from '../agents/runs.js';
import { POLICY_FILES } from '../place/open.js';
import { machineHere } from '../place/own-programs.js';
import { placesOf, stateDirectoryOf } from '../place/where.js';
import { EXIT, type ExitCode } from '../terminal/exit.js';
import { print, textOptions } from '../terminal/terminal.js';
import { type Arguments, switchFlag, textFlag } from '../words/arguments.js';
import type { CommandHelp, Takes } from '../words/command.js';

export const usage = `$0 status [--json] [OPTIONS]
$0 status RUN [--log] [--json] [OPTIONS]

Shows what is enforced here: the policy files in force and whether each is trusted, the preset, the default and the hook of each coding
agent. Then come the log, the last calls that were denied, the subagents, and the command that helps most from here. It only reads and starts nothing; \`policy doctor\` sends a call through each hook.

RUN is the name of an agent (its last run), the address that \`policy run\` prints of its record, or the beginning of the id of a run. It prints that run and how its calls were decided; --log
lists each call in order. \`policy agents status\` lists all runs.`;

export const help: CommandHelp = {
  exitCodes: [
    [0, 'printed'],
    [3, 'wrong usage, a run that is not there, or a policy, log or record that cannot be used; the rest is printed all the same'],
  ],
  files: [
    ...POLICY_FILES,
    ['~/.claude/settings.json and the like', "The runners' settings; docs/install.md names them all"],
    ['$XDG_STATE_HOME/policy/log', 'The decision log (without XDG_STATE_HOME: ~/.local/state)'],
    ['$XDG_STATE_HOME/policy/runs', 'The record of running subagents'],
  ],
  examples: [
    {
      says: 'Which policy counts here, and what helps most from here?',
      line: 'policy status | grep -E "^  (preset|policy)"',
      exit: 0,
      prints: [
        '  preset   none; default: ask; 0 allow, 19 ask and 22 deny rules',
        '  policy trust  shows what the policy of this project grants',
      ],
    },
    {
      says: 'The same for a program',
      line: 'policy status --json',
      exit: 0,
      prints: ['{', '  "version": 1,', '…'],
    },
  ],
};

export const takes: Takes = {
  arguments: { run: { value: 'RUN', describe: 'An agent, or the id of a run' } },
  options: {
    log: { describe: 'List what the run did, in order' },
    json: { describe: 'Print JSON (schemas/status.schema.json)' },
    cwd: { value: 'DIR', default: 'here', describe: 'A directory of the project' },
    'state-dir': { value: 'DIR', default: '$XDG_STATE_HOME/policy', describe: 'The state directory' },
  },
};

/** Throws UsageError when the directory is not there, and for a run that is not there. */
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
  if (switchFlag(args, 'json')) await print(statusAsJson(status, runsAsJson(places.project, runs ?? [])));
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
