/** The options of `policy run`. */
import { PRESETS } from '../../policy/policy.js';
import { LAUNCHED_RUNNERS } from '../../runner/launch/registry.js';
import type { Declarations } from '../words/command.js';

const BUDGET = 'Limits:';
const POLICY = 'The policy:';

export function options(program: Declarations): Declarations {
  return (
    program
      .positional('agent', { describe: 'The agent, in any spelling; `policy agents list` names them' })
      .positional('words', {
        array: true,
        describe: 'Behind `--`: more flags for the runner, those that are known to leave the hook in place',
      })
      .option('goal', {
        type: 'string',
        value: 'TEXT',
        verbatim: true,
        describe: 'What it is to do; - reads it from standard input',
      })
      .option('runner', {
        type: 'string',
        choices: LAUNCHED_RUNNERS,
        default: "that of the agent's definition",
        describe: 'The coding-agent program',
      })
      .option('model', {
        type: 'string',
        value: 'MODEL',
        default: "that of the agent, else the runner's own",
        describe: 'The model',
      })
      .option('scope', {
        type: 'string',
        value: 'DIR',
        default: 'the project',
        describe: 'The directory of the project that it works in',
      })
      .option('out', { type: 'string', value: 'FILE', describe: 'Also write its last message to this file' })
      .option('program', { type: 'string', value: 'FILE', describe: "Start this program in the place of the runner's on PATH" })
      // No further policy: the hook judges the calls, and knows what is on disk and the preset of the run.
      .option('preset', { type: 'string', choices: PRESETS, describe: 'Start from a preset', group: POLICY })
      .option('cwd', {
        type: 'string',
        value: 'DIR',
        default: 'here',
        describe: 'A directory of the project',
        group: POLICY,
      })
      .option('dry-run', { type: 'boolean', describe: 'Print the command line, and start nothing' })
      .option('json', { type: 'boolean', describe: 'Print one JSON object per event (schemas/run-event.schema.json)' })
      .option('timeout', {
        type: 'string',
        value: 'TIME',
        default: '300s',
        describe: 'An attempt that takes longer is ended, and not tried again',
        group: BUDGET,
      })
      .option('retries', {
        type: 'string',
        value: 'N',
        default: '2',
        describe: 'How often a failed attempt is tried again',
        group: BUDGET,
      })
      .option('deadline', {
        type: 'string',
        value: 'TIME',
        describe: 'The run, with all its attempts, is ended after this time',
        group: BUDGET,
      })
      .option('budget', {
        type: 'string',
        value: 'TOKENS',
        describe: 'Once so many tokens are used, further calls are denied and the run is ended',
        group: BUDGET,
      })
      .option('queue', {
        type: 'boolean',
        describe: 'Wait until other runs have ended, in the order of the requests',
        group: BUDGET,
      })
      .option('queue-timeout', {
        type: 'string',
        value: 'TIME',
        default: '24h',
        describe: 'Wait no longer than this',
        group: BUDGET,
      })
      .option('keep', {
        type: 'string',
        value: 'N',
        default: '100',
        describe: 'Keep the records of so many ended runs of this project',
        group: BUDGET,
      })
      .option('state-dir', { type: 'string', value: 'DIR', default: '$XDG_STATE_HOME/policy', describe: 'The state directory' })
  );
}
