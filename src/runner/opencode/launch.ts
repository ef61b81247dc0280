/**
 * `opencode run`: it refuses a question of its own at once, which ends the run, so it must not have anything to ask. `--auto` answers its
 * questions with yes and keeps the denials of its settings; versions without that flag get a permission in OPENCODE_PERMISSION that allows
 * everything. Our hook, a plugin, runs before either and decides. An agent that only reads gets a permission that denies the rest tool by
 * tool, since a project's rule about one tool takes precedence over a rule about all.
 *
 * It accepts no settings for one session: OPENCODE_CONFIG_CONTENT can bring a plugin, which a project cannot remove, but that variable may
 * contain the person's own configuration, and a plugin that cannot be loaded is ignored. So the hook has to be installed.
 *
 * It starts the servers of each configuration from the repository's root down to the folder where it works (1.18.33).
 * OPENCODE_CONFIG_CONTENT takes precedence over these, so each is switched off there by its name, in addition to the person's own contents
 * of that variable.
 *
 * Three variables leave out a project's servers, definitions and instructions, those made for Claude Code, and skills. But
 * 1.18.33 has a second configuration reader that ignores these variables: it loads plugins from `.opencode` and those named by
 * `plugins`, so settings and plugins are still judged. `--pure` would leave out our plugin and keep the project's settings.
 *
 * `--agent` is not used: given an agent for subagents, it continues with its default agent, and an agent's own permissions take precedence
 * over ours.
 */
import { isFields } from '../../call/fields.js';
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
} from '../launch/launcher.js';
import { leftOut, unnamedServers } from '../launch/project-servers.js';

const READ_ONLY = {
  '*': 'deny',
  ...{ bash: 'deny', edit: 'deny', task: 'deny', external_directory: 'deny' },
  ...{ read: 'allow', glob: 'allow', grep: 'allow', list: 'allow', webfetch: 'allow', websearch: 'allow' },
};
const ALL = { '*': 'allow' };
const NO_PROJECT = {
  OPENCODE_DISABLE_PROJECT_CONFIG: '1',
  OPENCODE_DISABLE_CLAUDE_CODE: '1',
  OPENCODE_DISABLE_EXTERNAL_SKILLS: '1',
};

const CONFIGURATIONS = ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'];

export const launch: Launcher = {
  id: 'opencode',
  program: 'opencode',
  help: ['run', '--help'],
  variables: [
    'OPENCODE_*',
    'ANTHROPIC_*',
    'OPENAI_*',
    'GEMINI_*',
    'GOOGLE_*',
    'OPENROUTER_*',
    'GROQ_*',
    'DEEPSEEK_*',
    'MISTRAL_*',
    'XAI_*',
  ],
  passedOn: {
    // Not --file: the file is sent to the model without a hook being asked.
    ...{ '--continue': 'none', '-c': 'none', '--session': 'one', '-s': 'one', '--fork': 'none' },
    ...{ '--title': 'one', '--variant': 'one', '--thinking': 'none', '--print-logs': 'none', '--log-level': 'one' },
  },
  takesSettings: false,
  serverPlaces: {
    files: CONFIGURATIONS,
    ...{ up: 'repository', format: 'json', key: 'mcp' },
    own: ['.opencode/opencode.json', '.opencode/opencode.jsonc'],
  },
  instructions: {
    files: ['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md'],
    named: [
      { files: CONFIGURATIONS, own: [], format: 'json', as: 'pattern', keys: [['instructions']] },
      { files: CONFIGURATIONS, own: [], format: 'text', as: 'beside', keys: [] },
    ],
  },
  cleanRoom: {
    since: '1.18.33',
    flags: [],
    isPartial: true,
    leavesOut: [
      { called: 'settings', paths: CONFIGURATIONS },
      {
        called: 'skills',
        paths: ['.opencode/skill', '.opencode/skills', '.opencode/command', '.claude/skills', '.agents/skills'],
      },
    ],
  },
  isInteractive: true,
  plan,
};

function plan(request: LaunchRequest, knows: KnownFlags): LaunchPlan {
  const { goal, model, agent } = request;
  const line = new CommandLine(knows);
  if (goal !== null) line.add('run').flag('--format', ['json'], 'its usage cannot be read');
  const environment = { ...permissions(line, request, knows), ...withoutServers(line, request) };
  // Also with a person: `opencode` without `run` accepts --model as well.
  if (model !== null) line.name('--model', model, 'it uses its own model');
  if (goal === null && agent !== null && agent.instructions.trim() !== '') line.note(UNTOLD);
  // The person may have set this variable, which would leave out all plugins.
  return line.plan(lastWord(request, promptOf(request)), {
    ...environment,
    ...(request.withoutProject != null && NO_PROJECT),
    OPENCODE_PURE: '0',
  });
}

function permissions(line: CommandLine, { reach, goal }: LaunchRequest, knows: KnownFlags): Readonly<Record<string, string>> {
  if (reach === 'read') return { OPENCODE_PERMISSION: JSON.stringify(READ_ONLY) };
  // A person answers questions.
  if (goal === null) return reach === 'full' ? { OPENCODE_PERMISSION: JSON.stringify(ALL) } : {};
  if (knows.has('--auto')) {
    line.add('--auto');
    return {};
  }
  line.note('substituted OPENCODE_PERMISSION for --auto, which this version does not know');
  return { OPENCODE_PERMISSION: JSON.stringify(ALL) };
}

const CONTENT = 'OPENCODE_CONFIG_CONTENT';

/** A server that the person names in that variable is theirs. */
function withoutServers(line: CommandLine, request: LaunchRequest): Readonly<Record<string, string>> {
  const unnamed = unnamedServers(request, 'OpenCode');
  if (unnamed === null) return {};
  const said = request.environment?.[CONTENT];
  const own = contentOf(said === undefined || said.trim() === '' ? '{}' : said);
  const servers = unnamed.servers.filter(({ name }) => !Object.hasOwn(own.mcp, name));
  if (servers.length === 0) return {};
  const off = Object.fromEntries(servers.map(({ name }) => [name, { enabled: false }]));
  line.note(
    leftOut(servers, 'OpenCode', `start the command with: ${CONTENT}='{"mcp":{"${servers[0]?.name}":{"enabled":true}}}'`),
  );
  return { [CONTENT]: JSON.stringify({ ...own.all, mcp: { ...own.mcp, ...off } }) };
}

interface Content {
  readonly all: object;
  readonly mcp: object;
}

function contentOf(text: string): Content {
  try {
    const all: unknown = JSON.parse(text);
    const mcp: unknown = isFields(all) ? (all.mcp ?? {}) : null;
    if (isFields(all) && isFields(mcp)) return { all, mcp };
  } catch {
    // Reported below.
  }
  throw new LaunchRefused(
    `${CONTENT} is set, and is not plain JSON with \`mcp\` as a map, so the MCP servers of the project cannot be switched off in it; unset it, or write it so`,
  );
}
