/** `policy agents`: the agent definitions found here, and what each of them may use. */
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
import type { CommandHelp, Takes } from '../words/command.js';

export const usage = `$0 agents list [--scope SCOPE] [--runner RUNNER] [--invalid] [--skills] [--commands] [--json]
$0 agents show NAME [--runner RUNNER] [--json]
$0 agents suggest TASK [--json]
$0 agents render NAME --goal TEXT
$0 agents run NAME --goal TEXT
$0 agents status [RUN] [--log] [--json] [--state-dir DIR]

Prints the agent definitions of this project, of the user and of plugins, in the formats of every runner, and what each of them may use.
\`list\` prints those in effect. Definitions that are invalid, or hidden by another one, are named on standard error. An invalid definition
of the project never gives way to one of the user. \`show\` prints one agent with its own permissions and what lint finds in its file.
Where several runners have an agent of that name, it prints each. Names are found in any spelling: "Code Reviewer" finds code-reviewer.

\`list --skills\` and \`list --commands\` print the skills and commands instead, each with what it lets run without a prompt. JSON always has all
three. Subagents are switched off by \`agents: { enabled: false }\` in a policy, by \`enabled = false\` under \`[subagents]\` in
~/.codex/config.toml, or by CODEX_SUBAGENTS_ENABLED=0. Then no folder of agents is read.

\`status\` lists the subagents that are running or have run in this project, in all its sessions: one line each, with the last thing
known about it. The hook keeps this record and lets only \`sequential.maxConcurrent\` of them run at once. A subagent whose runner ended
without reporting counts as completed. RUN is the name of an agent (its last run), the id of a run as --json shows it, or the runner's
own id of the agent. The beginning of an id is enough. It prints that run and how its calls were decided; --log lists each call in order.

\`suggest\` names the agents whose names and descriptions fit a task, each with its confidence. \`render\` prints what an agent would be told
for a goal, with the tools that it may use. Neither starts anything. \`run\` is \`policy run\`.`;

export const help: CommandHelp = {
  exitCodes: [
    [0, 'printed'],
    [1, 'list, show: subagents are switched off'],
    [
      3,
      'wrong usage, an agent or run that is unknown or invalid, a mistake in a policy file, or a definition or record that cannot be read',
    ],
  ],
  files: [
    ['.claude/agents, .codex/agents, .opencode/agents …', "The project's definitions, in the folders of every runner"],
    ['~/.claude/agents, ~/.codex/agents, ~/.copilot/agents …', "The user's definitions"],
    ['~/.codex/config.toml', 'list, show: `enabled` and `default_model` under `[subagents]`'],
    ['$XDG_STATE_HOME/policy/runs', 'status: the record of running subagents (without XDG_STATE_HOME: ~/.local/state)'],
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
        '  runner       claude-code',
        '  scope        project',
        '  tools        Read, Grep, Glob, Bash',
        '  source       .claude/agents/code-reviewer.md',
      ],
    },
    { says: 'Which subagents run here?', line: 'policy agents status', exit: 0, prints: ['No subagent runs yet.'] },
  ],
};

export const takes: Takes = {
  arguments: {
    action: { choices: ['list', 'show', 'status', 'suggest', 'render'], describe: 'What to do' },
    name: { describe: 'show, render: the agent, in any spelling; status: an agent, or the id of a run; suggest: the task' },
  },
  options: {
    scope: { value: 'SCOPE', choices: SCOPES, default: 'all', of: ['list'], describe: 'only what counts from there' },
    runner: { choices: RUNNERS, default: 'all', describe: 'list, show: only what this runner reads' },
    goal: { value: 'TEXT', of: ['render'], describe: 'what the agent is to do' },
    invalid: { of: ['list'], describe: 'the definitions that cannot be used, and why' },
    skills: { of: ['list'], describe: 'the skills, with what they let run without a prompt' },
    commands: { of: ['list'], describe: 'the same for commands' },
    log: { of: ['status'], describe: 'what the run did, in its order' },
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
    if (name === undefined) throw new UsageError('Say what is to be done: policy agents suggest TASK');
    return await suggest(args, here, settings.discovery, name);
  }
  if (action === 'render') {
    if (name === undefined) throw new UsageError('Name the agent: policy agents render NAME --goal TEXT');
    return await render(args, here, name);
  }
  return name === undefined || action === 'list' ? await listAgents(args, here) : await showAgent(args, here, name);
}

/** Switched off, no folder of agents is looked into. */
async function tellOff(args: Arguments, off: string): Promise<ExitCode> {
  if (switchFlag(args, 'json')) await print(disabledAsJson(DISABLED, off, new Date()));
  warn(DISABLED);
  warn(`note: subagents are switched off in ${off}`);
  return EXIT.deny;
}
