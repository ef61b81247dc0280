/** `policy agents`: the agent definitions found here, and what each of them may use. */
import type { AgentDefinition } from '../../agent/agent.js';
import { buildInventory, type Inventory } from '../../agent/inventory.js';
import { readAgents } from '../../enforce/agents/files.js';
import { agentDetails, agentList, type ListedAgent } from '../../report/agents.js';
import { usableAgent } from '../agent-lookup.js';
import { type Arguments, switchFlag, textFlag } from '../arguments.js';
import type { CommandHelp, Declarations } from '../command.js';
import { EXIT, type ExitCode, UsageError } from '../exit.js';
import { open, policyOptions } from '../open.js';
import { print, warn } from '../terminal.js';

export const usage = `$0 agents list [--invalid] [--json]
$0 agents show NAME [--json]

The agent definitions of this project and of the user, in the formats of every runner, and what each of them may use. \`list\` prints
those that count; what cannot be used, and what another definition hides, is told on standard error. \`show\` prints one with its own
permissions. Names are found in any spelling: "Code Reviewer" is code-reviewer.`;

export const help: CommandHelp = {
  exitCodes: [
    [0, 'printed'],
    [3, 'wrong usage, an agent that is unknown or invalid, or a mistake in a policy file'],
  ],
  files: [
    ['.claude/agents, .codex/agents, .agent/agents', "The project's definitions"],
    ['~/.claude/agents, ~/.codex/agents, ~/.agent/agents', "The user's"],
  ],
  examples: [
    {
      says: 'Every agent with its tools and its file',
      line: 'policy agents list',
      exit: 0,
      prints: [
        'Available subagents:',
        '…',
        '- search-only: Read-only searcher',
        '  Tools: [Grep, Glob, FileRead]',
        '  Source: .agent/agents/search-only.md',
        '…',
      ],
    },
    {
      says: 'One agent, found by its name in another spelling',
      line: 'policy agents show "Code Reviewer"',
      exit: 0,
      prints: [
        'code-reviewer · model: opus',
        '  description  Reads a change and says what could break. Use it before every merge.',
        '  status       active',
        '  tools        Read, Grep, Glob, Bash',
        '  source       .claude/agents/code-reviewer.md',
      ],
    },
  ],
};

export function options(program: Declarations): Declarations {
  return policyOptions(
    program
      .positional('action', { choices: ['list', 'show'], describe: 'What to do' })
      .positional('name', { describe: 'show: the agent, in any spelling' })
      .option('invalid', { type: 'boolean', describe: 'list: the definitions that cannot be used, and why' })
      .option('json', { type: 'boolean', describe: 'Print JSON' }),
  );
}

/** Throws UsageError for an agent that is unknown or invalid. */
export async function run(args: Arguments): Promise<ExitCode> {
  const workspace = open(args, true);
  if (textFlag(args, 'action') === 'list') {
    const { project, home } = workspace.surroundings;
    await list(args, buildInventory(readAgents(project, home, null).definitions));
    return EXIT.allow;
  }
  const name = textFlag(args, 'name');
  if (name === undefined) throw new UsageError('Name the agent: policy agents show NAME');
  const agent = usableAgent(workspace, name);
  await print(switchFlag(args, 'json') ? `${JSON.stringify(agent)}\n` : agentDetails(listed(agent), rulesOf(agent)));
  return EXIT.allow;
}

/** What cannot be used and what another definition hides is told on stderr. */
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
