/** The options of `policy run`. */
import { PRESETS } from '../../policy/policy.js';
import { LAUNCHED_RUNNERS } from '../../runner/launched.js';
import type { Takes } from '../words/command.js';

const BUDGET = 'Limits:';
const POLICY = 'The policy:';

export const takes: Takes = {
  arguments: {
    agent: { describe: 'The agent, in any spelling; `policy agents list` names them' },
    words: { array: true, describe: 'After `--`: more flags for the runner, only those that leave the hook in place' },
  },
  options: {
    goal: { value: 'TEXT', verbatim: true, describe: 'What it should do; - reads it from standard input' },
    runner: { choices: LAUNCHED_RUNNERS, default: "that of the agent's definition", describe: 'The coding-agent program' },
    model: { value: 'MODEL', default: "the agent's, otherwise the runner's own", describe: 'The model' },
    scope: { value: 'DIR', default: 'the project', describe: 'The directory of the project that it works in' },
    instructions: {
      describe:
        "Put the project's instruction file (CLAUDE.md, AGENTS.md ...) before the goal, if the client does not read it itself",
    },
    'project-settings': {
      describe:
        "Use the project's own settings, hooks, instructions, agents, skills and MCP servers; they are judged before the start",
    },
    out: { value: 'FILE', describe: 'Also write its last message to this file' },
    program: { value: 'FILE', describe: "Start this program instead of the runner's on PATH" },
    preset: { choices: PRESETS, describe: 'Start from a preset', group: POLICY },
    cwd: { value: 'DIR', default: 'here', describe: 'A directory of the project', group: POLICY },
    'dry-run': { describe: 'Print the command line, and start nothing' },
    json: { describe: 'Print one JSON object per event (schemas/run-event.schema.json)' },
    timeout: {
      value: 'TIME',
      default: '300s',
      describe: 'An attempt that takes longer is ended and not retried',
      group: BUDGET,
    },
    retries: { value: 'N', default: '2', describe: 'How often a failed attempt is retried', group: BUDGET },
    deadline: { value: 'TIME', describe: 'End the run, with all its attempts, after this time', group: BUDGET },
    budget: {
      value: 'TOKENS',
      describe: 'After so many tokens, further calls are denied and the run is ended',
      group: BUDGET,
    },
    queue: { describe: 'Wait until other runs have ended, first come, first served', group: BUDGET },
    'queue-timeout': { value: 'TIME', default: '24h', describe: 'Wait no longer than this', group: BUDGET },
    keep: { value: 'N', default: '100', describe: 'Keep the records of so many ended runs in this project', group: BUDGET },
    'state-dir': { value: 'DIR', default: '$XDG_STATE_HOME/policy', describe: 'The state directory' },
  },
};
