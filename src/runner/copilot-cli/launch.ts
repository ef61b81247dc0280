/**
 * `copilot --prompt`: without a person, it denies what it would ask about. Tools are approved by kind; our hook runs first and
 * decides (1.0.102). An agent that only reads gets only the tools that read: the model sees no others. `--allow-all`,
 * `--allow-all-tools` and `--yolo` are never used: tools of MCP servers are approved by the hook, whose allow Copilot obeys.
 *
 * It accepts no settings for one session: `--plugin-dir` brings hooks, but if the folder is missing or broken, the run continues
 * without them. So the hook has to be installed.
 *
 * In a folder that nobody trusts it reads no hooks and no servers of the project, but it does read its agents and skills
 * (1.0.102); a flag leaves out its instructions.
 *
 * In a folder that a person trusts it starts the servers of each `.mcp.json` from the repository's root down to the folder where
 * it works, and those of an agent or subagent, from the same folders: its own definitions and those of Claude Code (1.0.102).
 * Servers that are disabled by name stay off in both cases.
 */
import { LaunchRefused } from '../launch/launch-refused.js';
import {
  CommandLine,
  type KnownFlags,
  type Launcher,
  type LaunchPlan,
  type LaunchRequest,
  promptOf,
  promptWord,
  type Reach,
  UNTOLD,
} from '../launch/launcher.js';
import { leftOut, unnamedServers } from '../launch/project-servers.js';

const READING = 'view,grep,glob,web_fetch';
/** Values of --allow-tool: changing files, running commands. */
const KINDS = ['write', 'shell'];

export const launch: Launcher = {
  id: 'copilot-cli',
  program: 'copilot',
  help: ['--help'],
  variables: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN', 'GH_HOST'],
  passedOn: {
    ...{ '--attachment': 'one', '--reasoning-effort': 'one', '--context': 'one', '--deny-tool': 'many' },
    ...{ '--deny-url': 'many', '--excluded-tools': 'many', '--disable-mcp-server': 'one', '--disable-builtin-mcps': 'none' },
    ...{
      '--additional-mcp-config': 'one',
      '--no-custom-instructions': 'none',
      '--continue': 'none',
      '--resume': 'optional',
      '-r': 'optional',
    },
    ...{
      '--session-id': 'one',
      '--name': 'one',
      '-n': 'one',
      '--log-dir': 'one',
      '--log-level': 'one',
      '--max-ai-credits': 'one',
    },
    ...{ '--secret-env-vars': 'many', '--no-auto-update': 'none', '--no-remote': 'none' },
  },
  takesSettings: false,
  serverPlaces: {
    ...{ files: ['.mcp.json', '.github/mcp.json'], up: 'repository', format: 'json' },
    ...{ key: 'mcpServers', own: [], agents: ['.github/agents', '.claude/agents'] },
  },
  instructions: {
    files: ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md'],
    folders: [
      { folder: '.github/instructions', ending: '.instructions.md', imports: true },
      { folder: '.claude/rules', ending: '.md', imports: true },
      // The model sees their first lines as descriptions.
      { folder: '.claude/commands', ending: '.md', imports: false },
    ],
    imports: { form: 'markdown', code: 'blocks', outside: null },
    leftOutBy: '--no-custom-instructions',
  },
  cleanRoom: {
    since: '1.0.102',
    flags: ['--no-custom-instructions', '--trust-folder'],
    needsGoal: true,
    untrusted: true,
    leavesOut: [
      { called: 'hooks', paths: ['.github/hooks'] },
      { called: 'settings', paths: ['.github/copilot/settings.json', '.claude/settings.json', '.claude/settings.local.json'] },
    ],
  },
  isInteractive: true,
  plan,
};

function plan(request: LaunchRequest, knows: KnownFlags): LaunchPlan {
  const { goal, model, reach } = request;
  const line = new CommandLine(knows);
  if (goal !== null) {
    line.flag('--output-format', ['json'], 'its usage cannot be read');
    line.flag('--no-ask-user', [], 'a question of the model stays without an answer');
  }
  approvals(line, reach, goal, knows);
  leaveOutServers(line, request, knows);
  const isLeftOut = request.extra.includes('--no-custom-instructions');
  if (request.withoutProject != null && !isLeftOut) line.add('--no-custom-instructions');
  if (model !== null) line.name('--model', model, 'it uses its own model');
  return line.plan(promptWord(request, promptFor(line, request, knows)));
}

/** With a person at the terminal nothing is approved in advance, unless everything is to be allowed. */
function approvals(line: CommandLine, reach: Reach, goal: string | null, knows: KnownFlags): void {
  if (reach === 'read') {
    line.joined('--available-tools', READING, 'the hook alone keeps it to reading');
    return;
  }
  if (goal === null && reach !== 'full') return;
  if (knows.has('--allow-tool')) line.add(...KINDS.map((kind) => `--allow-tool=${kind}`));
  else line.note('skipped --allow-tool: this version does not know it; it may deny what the policy allows');
  if (reach !== 'full') return;
  line.flag('--allow-all-paths', [], 'it may deny files outside of the project');
  line.flag('--allow-all-urls', [], 'it may deny addresses');
}

/** Returns the prompt, after adding to the line what flags can express about the agent. */
function promptFor(line: CommandLine, request: LaunchRequest, knows: KnownFlags): string {
  const { agent, goal } = request;
  if (agent?.isOwn && knows.has('--agent')) {
    line.name('--agent', agent.name, '');
    return goal ?? '';
  }
  if (goal === null && agent !== null && agent.instructions.trim() !== '') line.note(UNTOLD);
  return promptOf(request);
}

/** A file of servers that the person passes on starts them again, except for servers that are disabled by name. */
function leaveOutServers(line: CommandLine, request: LaunchRequest, knows: KnownFlags): void {
  const all = unnamedServers(request, 'Copilot CLI');
  if (all === null) return;
  const isNamed = (file: string) => request.extra.some((word) => word.replace('--additional-mcp-config=', '') === `@${file}`);
  const servers = all.servers.filter(({ file }) => !isNamed(file));
  if (servers.length === 0) return;
  if (!knows.has('--disable-mcp-server'))
    throw new LaunchRefused(
      `this version of Copilot CLI may start the MCP servers of ${servers[0]?.file} without asking (its help names no --disable-mcp-server); install a newer one`,
    );
  for (const name of new Set(servers.map(({ name: one }) => one))) line.add(`--disable-mcp-server=${name}`);
  const file = servers[0]?.file ?? '';
  const wanted = file.endsWith('.json') ? `@${file}` : '@FILE, with it under another name in that file';
  line.note(leftOut(servers, 'Copilot CLI', `end the command with: -- --additional-mcp-config ${wanted}`));
}
