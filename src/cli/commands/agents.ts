/** `policy agents`: the agent definitions found here, and what each agent may use. */
import { RUNNERS } from '../../call/tool-call.js';
import { agentsHere, DISABLED, openWithoutAgents, SCOPES, settingsHere } from '../agents/inventory.js';
import { disabledAsJson } from '../agents/inventory-json.js';
import { listAgents, showAgent } from '../agents/list.js';
import { tellRuns } from '../agents/runs.js';
import { render, suggest } from '../agents/suggest.js';
import { POLICY_OPTIONS } from '../place/open.js';
import { placesOf, stateDirectoryOf } from '../place/where.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, warn } from '../terminal/terminal.js';
import { type Arguments, switchFlag, textFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

export const takes: Takes = {
  arguments: {
    action: { choices: ['list', 'show', 'status', 'suggest', 'render'], describe: 'What to do; list if left out' },
    name: { describe: 'show, render: the agent, in any spelling; status: an agent, or the id of a run; suggest: the task' },
  },
  options: {
    scope: { value: 'SCOPE', choices: SCOPES, default: 'all', of: ['list'], describe: 'only what applies from there' },
    runner: { choices: RUNNERS, default: 'all', describe: 'list, show: only what this runner reads' },
    goal: { value: 'TEXT', of: ['render'], describe: 'what the agent should do' },
    invalid: { of: ['list'], describe: 'the definitions that cannot be used, and why' },
    skills: { of: ['list'], describe: 'the skills, with the commands that they run without a prompt' },
    commands: { of: ['list'], describe: 'the same for commands' },
    log: { of: ['status'], describe: 'what the run did, in order' },
    'state-dir': { value: 'DIR', default: '$XDG_STATE_HOME/policy', of: ['status'], describe: 'the state directory' },
    json: { describe: 'Print JSON (list, show: schemas/agent-inventory.schema.json)' },
    ...POLICY_OPTIONS,
  },
};

/** Throws UsageError for an agent or a run that is unknown or invalid, and for a record that cannot be read. */
export async function run(args: Arguments): Promise<ExitCode> {
  const action = textFlag(args, 'action') ?? 'list';
  if (action === 'status') {
    if (args.runner !== undefined) throw new UsageError('--runner goes with policy agents list and show');
    await tellRuns(args, { project: placesOf(args).project, stateDirectory: stateDirectoryOf(args) }, textFlag(args, 'name'));
    return EXIT.allow;
  }
  const name = textFlag(args, 'name');
  if (action === 'show' && name === undefined) throw new UsageError('Name the agent: policy agents show NAME');
  const workspace = openWithoutAgents(args);
  const settings = settingsHere(workspace);
  if (settings.off !== null) return await tellOff(args, settings.off);
  const here = agentsHere(args, workspace, settings);
  if (action === 'suggest') {
    if (name === undefined) throw new UsageError('Give the task: policy agents suggest TASK');
    return await suggest(args, here, settings.discovery, name);
  }
  if (action === 'render') {
    if (name === undefined) throw new UsageError('Name the agent: policy agents render NAME --goal TEXT');
    return await render(args, here, name);
  }
  return name === undefined || action === 'list' ? await listAgents(args, here) : await showAgent(args, here, name);
}

/** Reports that subagents are switched off; reads no folder of agents then. */
async function tellOff(args: Arguments, off: string): Promise<ExitCode> {
  if (switchFlag(args, 'json')) await print(disabledAsJson(DISABLED, off, new Date()));
  warn(DISABLED);
  warn(`note: subagents are switched off in ${off}`);
  return EXIT.deny;
}
