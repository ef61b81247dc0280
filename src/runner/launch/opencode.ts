/**
 * `opencode run`: a question of its own is refused at once and ends the run, so nothing may be left to ask. `--auto` answers these
 * questions with yes and keeps what its settings deny; versions without it get a permission in OPENCODE_PERMISSION that allows all.
 * Our hook, a plugin, runs before either and decides. An agent that only reads gets a permission that denies the rest, tool by tool,
 * since a project's rule about a tool outranks one about all.
 *
 * It takes no settings for one session: OPENCODE_CONFIG_CONTENT brings a plugin, which a project cannot take out, but it may hold
 * the person's own configuration, and a plugin that cannot be loaded is passed over. So the hook has to be installed.
 *
 * `--agent` is not used: given an agent for subagents it goes on with its default one, and an agent's own permissions outrank ours.
 */
import {
  CommandLine,
  type KnownFlags,
  type Launcher,
  type LaunchPlan,
  type LaunchRequest,
  lastWord,
  promptOf,
  UNTOLD,
} from './launcher.js';

const READ_ONLY = {
  '*': 'deny',
  ...{ bash: 'deny', edit: 'deny', task: 'deny', external_directory: 'deny' },
  ...{ read: 'allow', glob: 'allow', grep: 'allow', list: 'allow', webfetch: 'allow', websearch: 'allow' },
};
const ALL = { '*': 'allow' };

export const opencodeLauncher: Launcher = {
  id: 'opencode',
  program: 'opencode',
  help: ['run', '--help'],
  passedOn: {
    ...{ '--file': 'many', '-f': 'many', '--continue': 'none', '-c': 'none', '--session': 'one', '-s': 'one', '--fork': 'none' },
    ...{ '--title': 'one', '--variant': 'one', '--thinking': 'none', '--print-logs': 'none', '--log-level': 'one' },
  },
  takesSettings: false,
  isInteractive: true,
  plan,
};

function plan(request: LaunchRequest, knows: KnownFlags): LaunchPlan {
  const { goal, model, agent } = request;
  const line = new CommandLine(knows);
  if (goal !== null) line.add('run').flag('--format', ['json'], 'its usage cannot be read');
  const environment = permissions(line, request, knows);
  // Also with a person: `opencode` itself takes --model.
  if (model !== null) line.name('--model', model, 'it uses its own model');
  if (goal === null && agent !== null && agent.instructions.trim() !== '') line.note(UNTOLD);
  // It may be set by the person, and would leave all plugins out.
  return line.plan(lastWord(request, promptOf(request)), { ...environment, OPENCODE_PURE: '0' });
}

function permissions(line: CommandLine, { reach, goal }: LaunchRequest, knows: KnownFlags): Readonly<Record<string, string>> {
  if (reach === 'read') return { OPENCODE_PERMISSION: JSON.stringify(READ_ONLY) };
  // A person answers its questions.
  if (goal === null) return reach === 'full' ? { OPENCODE_PERMISSION: JSON.stringify(ALL) } : {};
  if (knows.has('--auto')) {
    line.add('--auto');
    return {};
  }
  line.note('substituted OPENCODE_PERMISSION for --auto, which this version does not know');
  return { OPENCODE_PERMISSION: JSON.stringify(ALL) };
}
