/** `policy agents`: the agent definitions found here, and what each of them may use. */
import type { Argv } from 'yargs';
import type { AgentDefinition } from '../agent/agent.js';
import { buildInventory, type Inventory } from '../agent/inventory.js';
import { readAgents } from '../enforce/agent-files.js';
import { agentDetails, agentList, type ListedAgent } from '../report/agents.js';
import { usableAgent } from './agent-lookup.js';
import { type Arguments, switchFlag, textFlag } from './arguments.js';
import { EXIT, type ExitCode, UsageError } from './exit.js';
import { open, policyOptions } from './open.js';
import { print, warn } from './terminal.js';

export const usage = '$0 agents list\n$0 agents show NAME\n\nThe agent definitions of this project and of the user.';

export function options(program: Argv): Argv {
  return policyOptions(
    program
      .positional('action', { choices: ['list', 'show'] as const, describe: 'list, show' })
      .positional('name', { type: 'string', describe: 'show: the agent, in any spelling' })
      .option('invalid', { type: 'boolean', describe: 'list: the definitions that cannot be used, and why' })
      .option('json', { type: 'boolean', describe: 'Print JSON' }),
  )
    .example('$0 agents list', 'Every agent with its tools and its file')
    .example('$0 agents show "Code Reviewer"', 'One agent with its permissions');
}

/** Throws UsageError for an agent that is unknown or invalid. */
export async function run(args: Arguments): Promise<ExitCode> {
  const workspace = open(args, true);
  if (textFlag(args, 'action') === 'list') {
    const { project, home } = workspace.surroundings;
    await list(args, buildInventory(readAgents(project, home)));
    return EXIT.allow;
  }
  const name = textFlag(args, 'name');
  if (name === undefined) throw new UsageError('Name the agent: policy agents show NAME');
  const agent = usableAgent(workspace, name);
  await print(switchFlag(args, 'json') ? `${JSON.stringify(agent)}\n` : agentDetails(listed(agent), rulesOf(agent)));
  return EXIT.allow;
}

/** R044; what cannot be used (R144) and what another definition hides (R148, R151) is told on stderr. */
async function list(args: Arguments, { agents: byName, conflicts }: Inventory): Promise<void> {
  const agents = [...byName.values()];
  const invalid = agents.filter(({ status }) => status === 'invalid');
  const chosen = switchFlag(args, 'invalid') ? invalid : agents.filter(({ status }) => status === 'active');
  if (switchFlag(args, 'json')) await print(`${JSON.stringify(chosen.map(listed))}\n`);
  else await print(agentList(chosen.map(listed)));
  for (const { source, message } of invalid.flatMap(({ errors }) => errors))
    warn(`${source.file}:${source.line}:${source.column}: ${message}`);
  for (const { name, reason, winner, loser } of conflicts)
    warn(`note: ${name}: ${loser} does not count, ${winner} does (${reason})`);
}

function listed(agent: AgentDefinition): ListedAgent {
  const { name, description, model, source, status } = agent;
  const tools = agent.tools.state === 'absent' ? null : agent.tools.state === 'empty' ? [] : agent.tools.tools;
  return { name, description, tools, model, source: source.file, status };
}

/** Its own rules as `effect rule` rows. */
function rulesOf({ permissions, readOnly }: AgentDefinition): readonly (readonly [string, string])[] {
  return [
    ...(readOnly ? [['read only', 'yes'] as const] : []),
    ...(permissions === null ? [] : [['otherwise', permissions.defaultMode] as const]),
    ...(permissions?.rules ?? []).map(({ effect, text }) => [effect, text] as const),
  ];
}
