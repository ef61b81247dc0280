/** `policy status`: which subagents run in this project, which have run, and what one of them did. */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { projectOf } from '../../enforce/project/project.js';
import { defaultStateDirectory } from '../../log/files/directory.js';
import { LogError } from '../../log/log-error.js';
import { oldestFirst } from '../../log/query.js';
import type { LogRecord } from '../../log/record/record.js';
import { escapeJson } from '../../report/escape.js';
import { runList, runLog, runSummary, runsAsJson } from '../../report/runs.js';
import { timestampOf } from '../../run/moment.js';
import { processTable } from '../../run/process-identity.js';
import type { Run } from '../../run/replay.js';
import { RunError } from '../../run/run-error.js';
import { runsOfProject } from '../../run/running-agents.js';
import { type Arguments, switchFlag, textFlag } from '../arguments.js';
import type { CommandHelp, Declarations } from '../command.js';
import { EXIT, type ExitCode, UsageError } from '../exit.js';
import { print } from '../terminal.js';

export const usage = `$0 status [RUN] [--log] [--json] [OPTIONS]

Which subagents run in this project, in all its sessions, and which have run: one line each, with the last thing that is known of it.
The hook keeps the record and lets only as many run at once as \`sequential.maxConcurrent\` says. A subagent whose runner has ended
without a word counts as completed.

RUN is the name of an agent (its last run), the id of a run as --json shows it, or the runner's own id of the agent; its beginning is
enough. Then that run is told, with how its calls were decided; --log tells each of them, in their order.`;

export const help: CommandHelp = {
  exitCodes: [
    [0, 'printed, also when nothing runs'],
    [3, 'wrong usage, a run that is not there, or a record that cannot be read'],
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
    .positional('run', { value: 'RUN', describe: 'An agent, or the id of a run' })
    .option('log', { type: 'boolean', describe: 'Tell what the run did, in its order' })
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
  const now = timestampOf(Date.now(), Number(process.hrtime.bigint() / 1_000_000n));
  try {
    const runs = runsOfProject(state, project, now, processTable(process.platform));
    const wanted = textFlag(args, 'run');
    if (wanted === undefined) {
      if (switchFlag(args, 'log')) throw new UsageError('Name a run: policy status RUN --log');
      await print(switchFlag(args, 'json') ? asJson(runsAsJson(project, runs)) : runList(runs));
    } else await tellRun(args, runNamed(wanted, runs), project, state);
  } catch (error) {
    throw error instanceof RunError || error instanceof LogError ? new UsageError(error.message) : error;
  }
  return EXIT.allow;
}

async function tellRun(args: Arguments, run: Run, project: string, state: string): Promise<void> {
  const records = recordsOf(run, project, state);
  const withLog = switchFlag(args, 'log');
  if (switchFlag(args, 'json')) await print(asJson(runsAsJson(project, [run], withLog ? records : undefined)));
  else await print(withLog ? runLog(run, records) : runSummary(run, records));
}

function asJson(value: object): string {
  return `${JSON.stringify(value, null, 2).split('\n').map(escapeJson).join('\n')}\n`;
}

/** The run of that id, else the last one of an agent of that name. Throws UsageError. */
function runNamed(wanted: string, runs: readonly Run[]): Run {
  const begins = ({ id, agentId }: Run) => wanted.length >= 4 && (id.startsWith(wanted) || agentId?.startsWith(wanted) === true);
  const [found, other] = runs.filter(begins);
  if (other !== undefined) throw new UsageError(`Several runs have an id that begins with ${wanted}`);
  const run = found ?? runs.findLast(({ agent }) => agent === wanted);
  if (run === undefined) throw new UsageError(`No run here has the id or the agent ${JSON.stringify(wanted)}`);
  return run;
}

/** What the log has of a run: records under the agent's name, of its time and session; some runners give agents sessions of their own. */
function recordsOf({ agent, agentId, session, when, endedAt }: Run, project: string, state: string): readonly LogRecord[] {
  const filter = { agent, project, since: when.at, ...(endedAt !== null && { until: endedAt.at }) };
  const records: LogRecord[] = [];
  for (const read of oldestFirst(state, filter))
    if ('record' in read && [session, agentId].includes(read.record.session)) records.push(read.record);
  return records;
}

function realDirectory(path: string): string {
  try {
    return realpathSync.native(resolve(path));
  } catch {
    throw new UsageError(`${path} is not a directory`);
  }
}
