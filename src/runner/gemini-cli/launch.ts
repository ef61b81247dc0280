/**
 * `gemini --prompt`: without a person, version 0.61 does not offer its shell and its writing tools to the model unless they are approved in
 * advance. So they are, by name and not with `--yolo`: our hook runs before this approval and decides. For an agent that only reads,
 * nothing is approved. The mode is then `default`, which without a person offers neither: the help of 0.26 lists `plan`, but that mode ends
 * the run there. Versions without the command `gemini hooks` (0.24) run no hook and are refused.
 *
 * It accepts no settings for one session: it reads the file that GEMINI_CLI_SYSTEM_SETTINGS_PATH names only if that file and all folders
 * above it belong to root, and otherwise ignores it with a mere warning. So the hook has to be installed.
 *
 * In its sandbox it starts itself again, in a container that has neither our hook nor node to run it, and makes every call there. So the
 * sandbox is off: GEMINI_SANDBOX takes precedence over its flag and all settings (`getSandboxCommand` of 0.61.0), and no `.env` changes a
 * variable that is set.
 *
 * In a folder that a person trusts it starts the servers of its `.gemini/settings.json` (0.61.0); a list of names excludes all others.
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
  refuseSlashCommand,
  sandboxNote,
  UNTOLD,
} from '../launch/launcher.js';
import { mentionNote, withoutMentions } from '../launch/mentions.js';
import { unnamedServers } from '../launch/project-servers.js';

/** The tools that ask a person unless they are approved, except for file tools, which `auto_edit` approves. */
const APPROVED = 'run_shell_command,web_fetch,mcp_*';
const NO_SANDBOX = { GEMINI_SANDBOX: 'false' };

export const launch: Launcher = {
  id: 'gemini-cli',
  program: 'gemini',
  help: ['--help'],
  variables: ['GEMINI_*', 'GOOGLE_*'],
  passedOn: {
    ...{ '--allowed-mcp-server-names': 'one', '--debug': 'none', '-d': 'none' },
    ...{ '--resume': 'optional', '-r': 'optional', '--session-id': 'one', '--screen-reader': 'none' },
  },
  takesSettings: false,
  serverPlaces: {
    ...{ files: ['.gemini/settings.json'], up: 'nowhere', format: 'json' },
    ...{ key: 'mcpServers', own: ['.gemini/settings.json'] },
  },
  instructions: {
    // GEMINI_SYSTEM_MD=1 makes it read .gemini/system.md.
    files: ['GEMINI.md', '.gemini/system.md'],
    imports: { form: 'word', code: 'backticks', outside: null },
    named: [
      {
        ...{ files: ['.gemini/settings.json'], own: ['.gemini/settings.json'], format: 'json', as: 'name' },
        keys: [['context', 'fileName'], ['contextFileName']],
      },
      { files: ['.gemini/.env', '.env'], own: [], format: 'variables', as: 'name', keys: [['GEMINI_SYSTEM_MD']] },
    ],
  },
  keepsHooks: NO_SANDBOX,
  isInteractive: true,
  plan,
};

function plan(request: LaunchRequest, knows: KnownFlags): LaunchPlan {
  const { goal, model, reach, agent } = request;
  if (!knows.hasCommand('hooks'))
    throw new LaunchRefused(
      'this version of Gemini CLI runs no hooks (its help names no `gemini hooks`), so nothing of the policy would hold; install a newer one',
    );
  const prompt = promptOf(request);
  if (goal !== null) refuseSlashCommand(prompt, 'Gemini CLI');
  const line = new CommandLine(knows);
  if (request.isSandboxed === true) line.note(sandboxNote('Gemini CLI'));
  if (goal !== null) line.flag('--output-format', ['stream-json'], 'its usage cannot be read');
  approvals(line, reach, goal, knows);
  leaveOutServers(line, request, knows);
  if (model !== null) line.name('--model', model, 'it uses its own model');
  if (goal === null && agent !== null && agent.instructions.trim() !== '') line.note(UNTOLD);
  const note = goal === null ? null : mentionNote(prompt, 'Gemini CLI');
  if (note !== null) line.note(note);
  return line.plan(promptWord(request, withoutMentions(prompt)), NO_SANDBOX);
}

/** With a person at the terminal nothing is approved in advance, unless everything is to be allowed. */
function approvals(line: CommandLine, reach: Reach, goal: string | null, knows: KnownFlags): void {
  if (reach === 'read') {
    line.mode('--approval-mode', ['default'], 'its settings choose the mode');
    return;
  }
  if (goal !== null || reach === 'full') {
    line.mode('--approval-mode', ['auto_edit'], 'it may deny what changes files');
    line.joined('--allowed-tools', APPROVED, 'it may deny commands and tools of MCP servers');
  } else line.mode('--approval-mode', ['default'], 'its settings choose the mode');
  if (reach === 'full' && knows.has('--sandbox')) line.add('--sandbox=false');
}

const ALLOWED_SERVERS = '--allowed-mcp-server-names';

/** The project's file takes precedence over the person's own: a server that is in both is the project's. */
function leaveOutServers(line: CommandLine, request: LaunchRequest, knows: KnownFlags): void {
  const unnamed = unnamedServers(request, 'Gemini CLI');
  if (unnamed === null || request.extra.some((word) => word.split('=', 1)[0] === ALLOWED_SERVERS)) return;
  const { servers, own, files } = unnamed;
  if (!knows.has(ALLOWED_SERVERS))
    throw new LaunchRefused(
      `this version of Gemini CLI would start the MCP servers of ${files[0]} without asking (its help names no ${ALLOWED_SERVERS}); install a newer one`,
    );
  const taken = new Set(servers.map(({ name }) => name.toLowerCase()));
  const governed = (request.projectServers?.servers ?? []).flatMap(({ name, isGoverned }) => (isGoverned ? [name] : []));
  const allowed = [...governed, ...own].filter((name) => !taken.has(name.toLowerCase()) && /^\w[\w.@-]*$/.test(name));
  // An empty list would exclude nothing.
  let nobody = 'none';
  while (taken.has(nobody)) nobody += '-';
  line.add(`${ALLOWED_SERVERS}=${allowed.length === 0 ? nobody : allowed.join(',')}`);
  const which =
    allowed.length === 0
      ? 'no MCP server is started'
      : `of the MCP servers only ${allowed.join(', ')}${governed.length > 0 ? '' : ' of your own'}`;
  line.note(
    `${which}, since Gemini CLI would start those of ${files[0]} without asking; to start others, end the command with: -- ${ALLOWED_SERVERS} NAME,NAME`,
  );
}
