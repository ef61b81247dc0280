/**
 * `claude -p`: it denies whatever its permission mode would ask about unless the hook explicitly allows it, so the policy alone
 * decides. A settings file for one session (`--settings FILE`) brings our hook; if the file is missing, the run ends.
 * `--dangerously-skip-permissions` and the mode `bypassPermissions` are never used.
 *
 * These settings have to contain `disableAllHooks: false`: without it, a project that sets `true` disables our hook with all
 * others. Two variables do the same, from the environment or from `env` in a person's settings; both are set to 0 (tried with
 * 2.1.197 and 2.1.330).
 *
 * `--setting-sources user` leaves out everything from the project: settings, `.mcp.json`, definitions, skills, every CLAUDE.md
 * (2.1.197, 2.1.332).
 */
import { isBelow } from '../launch/client-version.js';
import { LaunchRefused } from '../launch/launch-refused.js';
import {
  CommandLine,
  type KnownFlags,
  type Launcher,
  type LaunchPlan,
  type LaunchRequest,
  lastWord,
  promptOf,
  UNTOLD,
  withHooksOn,
} from '../launch/launcher.js';
import { mentionedPaths } from '../launch/mentions.js';
import { isGoverned } from '../launch/project-servers.js';
import { hook as claudeCode } from './hook.js';

const HOOKS_STAY = { CLAUDE_CODE_SIMPLE: '0', CLAUDE_CODE_SAFE_MODE: '0' };
/**
 * At a terminal, the agent view moves a session to a daemon that may have been started outside the run and without our settings:
 * the session would go on there without our hook, and after the run. Both this variable and the setting prevent that; the setting
 * takes precedence over a project that sets the variable to 0.
 */
const NO_DAEMON = { CLAUDE_CODE_DISABLE_AGENT_VIEW: '1' };
const VARIABLES = { ...HOOKS_STAY, ...NO_DAEMON };

const SETTINGS = ['.claude/settings.json', '.claude/settings.local.json'];

/**
 * Where the runner records that a person let it import files from outside the project. It asks once, in the terminal; `claude -p`
 * does not ask, and without that record imports nothing.
 */
const OUTSIDE = {
  ...{ file: '.claude.json', folderVariable: 'CLAUDE_CONFIG_DIR' },
  approved: /"hasClaudeMdExternalIncludesApproved"\s*:\s*true/,
};

export const launch: Launcher = {
  id: 'claude-code',
  program: 'claude',
  help: ['--help'],
  variables: [
    'ANTHROPIC_*',
    'CLAUDE_*',
    'CLOUD_ML_REGION',
    'VERTEX_REGION_*',
    'API_TIMEOUT_MS',
    'MCP_TIMEOUT',
    'DISABLE_AUTOUPDATER',
    'DISABLE_TELEMETRY',
  ],
  passedOn: {
    ...{ '--append-system-prompt': 'one', '--system-prompt': 'one', '--mcp-config': 'many' },
    ...{ '--strict-mcp-config': 'none', '--max-turns': 'one', '--max-budget-usd': 'one', '--effort': 'one', '--betas': 'many' },
    ...{
      '--fallback-model': 'one',
      '--json-schema': 'one',
      '--continue': 'none',
      '-c': 'none',
      '--resume': 'optional',
      '-r': 'optional',
    },
    ...{ '--fork-session': 'none', '--session-id': 'one', '--name': 'one', '-n': 'one', '--no-session-persistence': 'none' },
    ...{ '--debug-file': 'one', '--no-chrome': 'none', '--disable-slash-commands': 'none' },
  },
  takesSettings: true,
  settings: (command, _servers, version) =>
    withHooksOn(knownEvents(claudeCode.settings(command).text, version), { env: VARIABLES, disableAgentView: true }),
  cleanRoom: {
    since: '2.1.197',
    flags: ['--setting-sources'],
    takesServers: true,
    leavesOut: [
      { called: 'settings', paths: SETTINGS },
      { called: 'hooks', paths: SETTINGS, holds: /"hooks"/ },
      { called: 'rules', paths: ['.claude/rules'] },
      { called: 'skills', paths: ['.claude/skills', '.claude/commands'] },
    ],
  },
  serverPlaces: { files: ['.mcp.json'], up: 'root', format: 'json', key: 'mcpServers', own: [], agents: ['.claude/agents'] },
  instructions: {
    // If there is no CLAUDE.md, 2.1.330 reads AGENTS.md.
    files: ['CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md', 'AGENTS.md', '.claude/AGENTS.md'],
    folders: [
      { folder: '.claude/rules', ending: '.md', imports: true },
      { folder: '.claude/output-styles', ending: '.md', imports: false },
      // The model sees their first lines as descriptions; files that they mention are judged when they are called.
      { folder: '.claude/commands', ending: '.md', imports: false },
      { folder: '.claude/skills', ending: 'SKILL.md', imports: false, levels: 2 },
    ],
    imports: { form: 'markdown', code: 'blocks', outside: OUTSIDE },
  },
  takesInitialPrompt: true,
  hasOwnCommands: true,
  isInteractive: true,
  plan,
};

/**
 * Returns the settings without the event that older versions do not know: at a terminal, these would stop at a warning. There the
 * lines of a skill are still judged, with the skill.
 */
function knownEvents(text: string, version: string | null): string {
  if (version === null || !isBelow(version, '2.1.332')) return text;
  const { hooks, ...more } = JSON.parse(text) as { readonly hooks: Readonly<Record<string, unknown>> };
  const { PreSkillShellCommand: _, ...known } = hooks;
  return JSON.stringify({ ...more, hooks: known });
}

function plan(request: LaunchRequest, knows: KnownFlags): LaunchPlan {
  const { goal, model, settings, reach } = request;
  const line = new CommandLine(knows);
  if (goal !== null) line.add('-p', '--output-format', 'stream-json', '--verbose');
  if (settings !== null) {
    // 2.0.76 accepts the flag, but silently ignores a file with hooks for events that it does not know.
    if (!knows.has('--settings') || !knows.has('--safe-mode'))
      throw new LaunchRefused(
        'this version of Claude Code may pass over the settings that put the hook in front of it (its help names no --settings or no --safe-mode); install a newer one',
      );
    line.add('--settings', settings);
  }
  if (request.withoutProject != null) line.add('--setting-sources', 'user');
  // The flag takes any number of values: joined to its value by `=`, it does not take the words that follow.
  if (reach === 'read') line.joined('--disallowedTools', 'Write,Edit,NotebookEdit', 'the hook alone keeps it from writing');
  if (knows.has('--permission-mode')) line.add('--permission-mode', askingMode(knows));
  else line.note('skipped --permission-mode: this version does not know it; its settings choose the mode');
  if (model !== null) line.name('--model', model, 'it uses its own model');
  leaveOutServers(line, request, knows);
  const prompt = promptFor(line, request, knows);
  // At the terminal, the person sees what is read.
  const mentions = goal === null ? [] : mentionedPaths(prompt);
  return { ...line.plan(lastWord(request, prompt), VARIABLES), mentions };
}

/**
 * Without a person, it starts every server of a project's .mcp.json, whoever wrote the file (2.1.197 and 2.1.330), and the
 * servers of an agent that it is started as or that it starts as a subagent (2.1.197). With --strict-mcp-config, only the servers
 * that the person names are started, whatever a definition contains. Servers behind our gateway are started by it, and without the
 * project's files by their list.
 */
function leaveOutServers(line: CommandLine, request: LaunchRequest, knows: KnownFlags): void {
  const { goal, projectServers, extra } = request;
  if (goal === null || projectServers == null) return;
  const [file] = projectServers.files;
  if (isGoverned(projectServers)) {
    if (request.withoutProject != null) line.add(...projectServers.files.map((one) => `--mcp-config=${one}`));
    return;
  }
  if (!knows.has('--strict-mcp-config'))
    throw new LaunchRefused(
      `this version of Claude Code would start the MCP servers of ${file} without asking (its help names no --strict-mcp-config); install a newer one`,
    );
  line.add('--strict-mcp-config');
  if (!extra.some((word) => /^--mcp-config(?:=|$)/.test(word)))
    line.note(
      `no MCP server is started, since Claude Code would start those of ${file} without asking; to start them, put all of them behind the gateway (\`policy mcp install claude-code\`), or end the command with: -- --mcp-config ${file.endsWith('.json') ? file : 'FILE'}`,
    );
}

/** Returns the mode that asks a person about everything: `manual` in the help of 2.1.330, which still accepts its former name. */
function askingMode(knows: KnownFlags): string {
  return !knows.takes('--permission-mode', 'default') && knows.takes('--permission-mode', 'manual') ? 'manual' : 'default';
}

/** Returns the prompt, after adding to the line what flags can express about the agent. */
function promptFor(line: CommandLine, request: LaunchRequest, knows: KnownFlags): string {
  const { agent, goal } = request;
  const own = goal ?? '';
  if (agent === null) return own;
  if (agent.isOwn && knows.has('--agent')) {
    line.name('--agent', agent.name, '');
    return own;
  }
  if (agent.tools !== null && agent.tools.length > 0)
    line.joined('--tools', agent.tools.map(plainTool).join(','), 'the hook alone keeps it to the tools of its definition');
  if (agent.instructions.trim() === '') return own;
  if (knows.has('--append-system-prompt')) {
    line.add(`--append-system-prompt=${agent.instructions}`);
    return own;
  }
  line.note(
    goal === null
      ? UNTOLD
      : 'substituted the beginning of the prompt for --append-system-prompt, which this version does not know',
  );
  return promptOf(request);
}

/** `Bash(git *)` → `Bash`: the flag accepts only names of tools. */
function plainTool(entry: string): string {
  return entry.replace(/\(.*$/s, '').trim();
}
