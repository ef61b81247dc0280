/** `policy status`: which subagents run in this project, and which have run. */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { projectOf } from '../enforce/project.js';
import { defaultStateDirectory } from '../log/directory.js';
import { runList, runsAsJson } from '../report/runs.js';
import { momentOf } from '../run/moment.js';
import { processTable } from '../run/process-identity.js';
import { RunError } from '../run/run-error.js';
import { runsOfProject } from '../run/running-agents.js';
import { type Arguments, switchFlag, textFlag } from './arguments.js';
import type { CommandHelp, Declarations } from './command.js';
import { EXIT, type ExitCode, UsageError } from './exit.js';
import { print } from './terminal.js';

export const usage = `$0 status [--json] [OPTIONS]

Which subagents run in this project, in all its sessions, and which have run: one line each, with the last thing that is known of it.
The hook keeps the record and lets only as many run at once as \`sequential.maxConcurrent\` says. A subagent whose runner has ended
without a word counts as completed.`;

export const help: CommandHelp = {
  exitCodes: [
    [0, 'printed, also when nothing runs'],
    [3, 'wrong usage, or a record that cannot be read'],
  ],
  files: [['$XDG_STATE_HOME/policy/runs', 'The record of running subagents (without XDG_STATE_HOME: ~/.local/state)']],
  examples: [
    { says: 'What runs here?', line: 'policy status', exit: 0, prints: ['No subagent runs yet.'] },
    {
      says: 'The same for a program',
      line: 'policy status --json',
      exit: 0,
      prints: ['{', '  "version": 1,', '…'],
    },
  ],
};

export function options(program: Declarations): Declarations {
  return program
    .option('json', { type: 'boolean', describe: 'Print JSON' })
    .option('cwd', { type: 'string', value: 'DIR', default: 'here', describe: 'A directory of the project' })
    .option('state-dir', {
      type: 'string',
      value: 'DIR',
      default: '$XDG_STATE_HOME/policy',
      describe: 'The state directory',
    });
}

/** Throws UsageError when the directory is not there or a record cannot be read. */
export async function run(args: Arguments): Promise<ExitCode> {
  const project = projectOf(realDirectory(textFlag(args, 'cwd') ?? '.'));
  const given = textFlag(args, 'state-dir');
  const state = given === undefined ? defaultStateDirectory(process.env, homedir()) : resolve(given);
  const now = momentOf(Date.now(), Number(process.hrtime.bigint() / 1_000_000n));
  try {
    const runs = runsOfProject(state, project, now, processTable(process.platform));
    await print(switchFlag(args, 'json') ? `${JSON.stringify(runsAsJson(project, runs), null, 2)}\n` : runList(runs));
  } catch (error) {
    throw error instanceof RunError ? new UsageError(error.message) : error;
  }
  return EXIT.allow;
}

function realDirectory(path: string): string {
  try {
    return realpathSync.native(resolve(path));
  } catch {
    throw new UsageError(`${path} is not a directory`);
  }
}
