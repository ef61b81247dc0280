/**
 * `qwen --prompt`: without a person, version 0.24 does not offer its shell and its writing tools to the model unless they are approved in
 * advance. So they are, by name and not with `--yolo`: our hook runs before this approval and decides. For an agent that only reads,
 * nothing is approved, and the mode is `plan`.
 *
 * Settings for one session are passed as the system's (QWEN_CODE_SYSTEM_SETTINGS_PATH), which take precedence over those of the person and
 * the project, so their `disableAllHooks: false` holds. A project can switch all hooks off with one variable in its `.env` or its settings
 * (QWEN_CODE_SAFE_MODE, QWEN_CODE_SIMPLE) unless the variable is already set, so it is. All of this was tried with 0.24.4; 0.12 runs no
 * hook from a person's settings, not even with its `--experimental-hooks`. In a container of its own it runs without hooks, so its sandbox
 * is off: QWEN_SANDBOX takes precedence over its flag and all settings (`getSandboxCommand` of 0.24.4).
 *
 * It starts no server of a project's settings that no person approved, but it does start those of a subagent's definition with the
 * subagent, even if `--allowed-mcp-server-names` excludes them. `mcp.excluded` in the settings prevents that (0.21.2 to
 * 0.24.4), and no other settings can remove a name from it; but with that flag it is not read, so such a project is then refused.
 */

import { LaunchRefused } from '../launch/launch-refused.js';
import {
  CommandLine,
  type KnownFlags,
  type Launcher,
  type LaunchPlan,
  type LaunchRequest,
  type ProjectServers,
  promptOf,
  promptWord,
  type Reach,
  refuseSlashCommand,
  sandboxNote,
  UNTOLD,
  withHooksOn,
} from '../launch/launcher.js';
import { mentionNote, withoutMentions } from '../launch/mentions.js';
import { leftOut, unnamedServers } from '../launch/project-servers.js';
import { hook as qwenCode } from './hook.js';

/** The tools that ask a person unless they are approved, except for file tools, which `auto-edit` approves. */
const APPROVED = 'run_shell_command,monitor,web_fetch,mcp__*';
const HOOKS_STAY = { QWEN_CODE_SAFE_MODE: '0', QWEN_CODE_SIMPLE: '0', QWEN_SANDBOX: 'false' };

export const launch: Launcher = {
  id: 'qwen-code',
  program: 'qwen',
  help: ['--help'],
  variables: ['QWEN_*', 'OPENAI_*', 'DASHSCOPE_*', 'BAILIAN_*', 'MODELSCOPE_*'],
  passedOn: {
    ...{ '--allowed-mcp-server-names': 'one', '--exclude-tools': 'one' },
    ...{ '--append-system-prompt': 'one', '--system-prompt': 'one', '--output-style': 'one', '--json-schema': 'one' },
    ...{ '--max-session-turns': 'one', '--max-wall-time': 'one', '--max-tool-calls': 'one', '--max-subagent-depth': 'one' },
    ...{ '--fallback-model': 'one', '--debug': 'none', '-d': 'none', '--continue': 'none', '-c': 'none', '--resume': 'optional' },
    ...{ '-r': 'optional', '--session-id': 'one', '--fork-session': 'none', '--screen-reader': 'none' },
  },
  takesSettings: true,
  settings: (command, servers) =>
    withHooksOn(qwenCode.settings(command).text, servers === null ? {} : { mcp: { excluded: namesOf(servers) } }),
  replacesManaged: true,
  serverPlaces: { files: [], up: 'nowhere', format: 'json', key: 'mcpServers', own: [], agents: ['.qwen/agents'] },
  keepsHooks: HOOKS_STAY,
  instructions: {
    // QWEN_SYSTEM_MD=1 makes it read .qwen/system.md.
    files: ['QWEN.md', 'AGENTS.md', '.qwen/QWEN.local.md', '.qwen/output-language.md', '.qwen/system.md'],
    folders: [{ folder: '.qwen/rules', ending: '.md', imports: false }],
    imports: { form: 'word', code: 'blocks', outside: null },
    named: [
      {
        ...{ files: ['.qwen/settings.json'], own: ['.qwen/settings.json'], format: 'json', as: 'name' },
        keys: [['context', 'fileName'], ['contextFileName']],
      },
      { files: ['.qwen/.env', '.env'], own: [], format: 'variables', as: 'name', keys: [['QWEN_SYSTEM_MD']] },
    ],
  },
  isInteractive: true,
  plan,
};

function plan(request: LaunchRequest, knows: KnownFlags): LaunchPlan {
  const { goal, model, reach, settings } = request;
  if (!knows.hasCommand('hooks') || knows.has('--experimental-hooks'))
    throw new LaunchRefused(
      'this version of Qwen Code runs no hooks (they are no part of it, or an experiment), so nothing of the policy would hold; install a newer one',
    );
  const line = new CommandLine(knows);
  if (request.isSandboxed === true) line.note(sandboxNote('Qwen Code'));
  leaveOutServers(line, request);
  if (goal !== null) line.flag('--output-format', ['stream-json'], 'its usage cannot be read');
  approvals(line, reach, goal, knows);
  if (model !== null) line.name('--model', model, 'it uses its own model');
  return line.plan(behind(line, request, knows), {
    ...HOOKS_STAY,
    ...(settings !== null && { QWEN_CODE_SYSTEM_SETTINGS_PATH: settings }),
  });
}

const ALLOWED_SERVERS = '--allowed-mcp-server-names';

function namesOf({ servers }: ProjectServers): readonly string[] {
  return [...new Set(servers.map(({ name }) => name))];
}

/** The session's settings already exclude these servers by name. */
function leaveOutServers(line: CommandLine, request: LaunchRequest): void {
  const unnamed = unnamedServers(request, 'Qwen Code');
  if (unnamed === null) return;
  const { name, file } = unnamed.servers[0];
  const flag = request.extra.some((word) => word.split('=', 1)[0] === ALLOWED_SERVERS);
  if (request.settings === null || flag)
    throw new LaunchRefused(
      `Qwen Code would start the MCP server ${name} of ${file} with that agent, without asking; ${flag ? `leave out ${ALLOWED_SERVERS}, with which nothing keeps it from it, or ` : ''}take \`mcpServers\` out of that file, and put a server that you want into your own settings (\`qwen mcp add --scope user\`)`,
    );
  line.note(
    leftOut(
      unnamed.servers,
      'Qwen Code',
      'take it out of that file and put it into your own settings (`qwen mcp add --scope user`)',
    ),
  );
}

/** With a person at the terminal nothing is approved in advance, unless everything is to be allowed. */
function approvals(line: CommandLine, reach: Reach, goal: string | null, knows: KnownFlags): void {
  if (reach === 'read') {
    line.mode('--approval-mode', ['plan', 'default'], 'its settings choose the mode');
    return;
  }
  if (goal !== null || reach === 'full') {
    line.mode('--approval-mode', ['auto-edit'], 'it may deny what changes files');
    line.joined('--allowed-tools', APPROVED, 'it may deny commands and tools of MCP servers');
  } else line.mode('--approval-mode', ['default'], 'its settings choose the mode');
  if (reach === 'full' && knows.has('--sandbox')) line.add('--sandbox=false');
}

function behind(line: CommandLine, request: LaunchRequest, knows: KnownFlags): readonly string[] {
  const prompt = promptFor(line, request, knows);
  if (request.goal !== null) refuseSlashCommand(prompt, 'Qwen Code');
  const note = request.goal === null ? null : mentionNote(prompt, 'Qwen Code');
  if (note !== null) line.note(note);
  return promptWord(request, withoutMentions(prompt));
}

/** Returns the prompt. The agent's instructions become part of the system prompt, or else precede the goal. */
function promptFor(line: CommandLine, request: LaunchRequest, knows: KnownFlags): string {
  const instructions = request.agent?.instructions.trim() ?? '';
  if (instructions === '') return request.goal ?? '';
  if (knows.has('--append-system-prompt')) {
    line.add(`--append-system-prompt=${instructions}`);
    return request.goal ?? '';
  }
  line.note(
    request.goal === null
      ? UNTOLD
      : 'substituted the beginning of the prompt for --append-system-prompt, which this version does not know',
  );
  return promptOf(request);
}
