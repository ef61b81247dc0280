/**
 * `npm run e2e-runs [-- WORD [ABOUT]]`: the real clients (whose name holds WORD), what is tried (whose name holds ABOUT), started by `policy run` against a model on the loopback
 * interface. The clients are those of `npm run e2e`, and installed the same way. Exit 1 when something does not hold.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { RunnerId } from '../../../src/call/tool-call.js';
import { launcherOf } from '../../../src/runner/launched.js';
import { hasTerminals } from '../../cli/pty.js';
import { type Client, folderOf, programOf, prompt } from '../client.js';
import { CLIENTS } from '../clients/list.js';
import type { ModelCall, Scenarios } from '../mock-model.js';
import { hostileFiles, hostileWrong, pluginFiles } from './hostile.js';
import { AT_TERMINAL, tryTerminal } from './terminal.js';
import { inWorld, leftBehind, MODELS, PRESET, SLOW } from './world.js';

const INSTALLED = process.env.POLICY_E2E_CLIENTS ?? join(tmpdir(), 'policy-e2e-clients');
/** Seconds that a client may take. */
const PATIENCE = 240;

interface RunEnd {
  readonly status: number | null;
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly errors: string;
  readonly made: (name: string) => boolean;
  /** What the client sent to the model. */
  readonly requests: readonly string[];
}

interface Property {
  readonly name: string;
  readonly scenario: string;
  readonly words: readonly string[];
  /** What the client is told, where that is not the name of the scenario. */
  readonly goal?: string;
  /** Files of the project. */
  readonly files?: (project: string) => Readonly<Record<string, string>>;
  /** A person puts the servers in these files behind the gateway. */
  readonly wraps?: true;
  /** Seconds after which it is interrupted. */
  readonly interruptAfter?: number;
  /** What is wrong; null: it holds. */
  readonly wrong: (end: RunEnd, runner: RunnerId) => string | null;
}

/** A slash command whose line the policy asks about, for each client that has such files. */
const COMMANDS = () => ({
  '.claude/commands/hi.md': 'Say hi. !`mkfifo asked`\n',
  '.gemini/commands/hi.toml': "prompt = 'Say hi. !{mkfifo asked}'\n",
  '.qwen/commands/hi.md': '---\ndescription: d\n---\nSay hi. !{mkfifo asked}\n',
  '.opencode/command/hi.md': 'Say hi. !`mkfifo asked`\n',
  '.codex/prompts/hi.md': 'Say hi. !`mkfifo asked`\n',
  '.github/prompts/hi.prompt.md': 'Say hi. !`mkfifo asked`\n',
});

/** How a run ends whose goal is that command; where the client knows no commands, it is a goal as any other. */
const REFUSED: Readonly<Partial<Record<RunnerId, number>>> = { 'claude-code': 3, 'gemini-cli': 3, 'qwen-code': 3 };
/** Where commands of the project count, Claude Code asks the hook. */
const REFUSED_OF_PROJECT = { ...REFUSED, 'claude-code': 1 };

/** Clients that run no hook with such settings, and so are not started. */
const SWITCHED_OFF: ReadonlySet<RunnerId> = new Set(['codex', 'gemini-cli']);

/** A server that makes a file when it is started, in every file that a client reads. */
const SERVERS = (project: string) => {
  const server = { command: 'node', args: ['-e', `require('fs').writeFileSync('${project}/started', '')`] };
  const map = JSON.stringify({ mcpServers: { probe: { ...server, tools: ['*'] } } });
  return {
    ...{ '.mcp.json': map, '.github/mcp.json': map, '.gemini/settings.json': map },
    '.qwen/settings.json': map.replace('{', '{"$version":4,'),
    '.codex/config.toml': `[mcp_servers.probe]\ncommand = "node"\nargs = ${JSON.stringify(server.args)}\n`,
    'opencode.json': JSON.stringify({ mcp: { probe: { type: 'local', command: [server.command, ...server.args] } } }),
  };
};

/** The same server in the definitions of an agent that the model starts. */
const SERVERS_OF_AGENT = (project: string) => {
  const args = JSON.stringify(['-e', `require('fs').writeFileSync('${project}/started', '')`]);
  const server = `probe: { type: stdio, command: node, tools: ['*'], args: ${args} }`;
  const agent = (servers: string) =>
    `---\nname: probing\ndescription: Looks at things when asked to.\n${servers}\n---\nLook at it.\n`;
  return {
    '.claude/agents/probing.md': agent(`mcpServers:\n  - ${server}`),
    '.github/agents/probing.agent.md': agent(`mcp-servers:\n  ${server}`),
    '.gemini/agents/probing.md': agent(`mcpServers:\n  ${server}`),
    '.qwen/agents/probing.md': agent(`mcpServers:\n  ${server}`),
    '.codex/agents/probing.toml':
      'name = "probing"\ndescription = "Looks at things when asked to."\ndeveloper_instructions = "Look at it."\n' +
      `[features]\nhooks = false\n[mcp_servers.probe]\ncommand = "node"\nargs = ${args}\n`,
  };
};

/** Settings of a folder below the project that switch hooks off, for each client that has such a setting. */
const OFF_BELOW = () => {
  const off = '{"disableAllHooks":true}';
  return {
    ...{ 'sub/.claude/settings.json': off, 'sub/.claude/settings.local.json': off },
    ...{ 'sub/.github/copilot/settings.json': off, 'sub/.github/copilot/settings.local.json': off },
    ...{ 'sub/.qwen/settings.json': off, 'sub/.gemini/settings.json': '{"hooksConfig":{"enabled":false}}' },
    'sub/.codex/config.toml': '[features]\nhooks = false\n',
  };
};

const SECRET = 'a-word-that-no-model-hears';

const endOf = ({ events }: RunEnd) => events.find(({ kind }) => kind === 'end') ?? {};
const denials = (end: RunEnd) => (endOf(end).decisions as { deny?: number } | null | undefined)?.deny ?? 0;

const PROPERTIES: readonly Property[] = [
  {
    name: 'an allowed call runs, a denied one does not, message and outcome arrive, exit code 0',
    scenario: 'main',
    words: [],
    wrong: (end) => {
      if (end.status !== 0) return `exit code ${end.status}`;
      if (!end.made('made')) return 'the allowed call did not run';
      if (end.made('denied')) return 'the denied call ran';
      if (endOf(end).outcome !== 'completed') return `outcome ${String(endOf(end).outcome)}`;
      if (end.events.filter(({ kind }) => kind === 'final').length !== 1) return 'not one final event';
      const final = end.events.find(({ kind }) => kind === 'final');
      if (!String(final?.message).includes('bye')) return `the last message is ${String(final?.message)}`;
      return denials(end) >= 1 ? null : 'the denial is not counted';
    },
  },
  {
    name: 'a goal that is a slash command runs nothing that the policy asks about',
    scenario: 'main',
    ...{ words: [], goal: '/hi', files: COMMANDS },
    wrong: (end, runner) => {
      if (end.made('asked')) return 'the command in its file ran';
      return end.status === (REFUSED[runner] ?? 0) ? null : `exit code ${end.status}`;
    },
  },
  {
    name: 'nor does one of the project, where these count',
    scenario: 'main',
    ...{ words: ['--project-settings'], goal: '/hi', files: COMMANDS },
    wrong: (end, runner) => {
      if (end.made('asked')) return 'the command in its file ran';
      return end.status === (REFUSED_OF_PROJECT[runner] ?? 0) ? null : `exit code ${end.status}`;
    },
  },
  {
    name: 'no MCP server of the project is started that nobody named',
    scenario: 'main',
    ...{ words: ['--project-settings'], files: SERVERS },
    wrong: (end) => {
      if (end.made('started')) return 'it was started';
      return end.status === 0 && end.made('made') ? null : `exit code ${end.status}`;
    },
  },
  {
    name: 'one that a person put behind the gateway is started, where the client reads lists of the project at all',
    scenario: 'main',
    ...{ words: ['--project-settings'], files: SERVERS, wraps: true },
    wrong: (end, runner) => {
      if (end.made('started') === (runner === 'qwen-code')) return end.made('started') ? 'it was started' : 'it was not started';
      return end.status === 0 && end.made('made') ? null : `exit code ${end.status}`;
    },
  },
  {
    name: "Claude Code starts it also where the project's own settings do not count",
    scenario: 'main',
    ...{ words: [], files: SERVERS, wraps: true },
    wrong: (end, runner) => {
      if (runner === 'claude-code' && !end.made('started')) return 'it was not started';
      return end.status === 0 && end.made('made') ? null : `exit code ${end.status}`;
    },
  },
  {
    name: 'nor is one of a definition when the model starts that agent',
    scenario: 'probing',
    ...{ words: ['--project-settings'], files: SERVERS_OF_AGENT },
    wrong: (end) => {
      if (end.made('started')) return 'it was started';
      if (end.made('denied')) return 'a denied call of that agent ran';
      return end.status === 0 && end.made('made') ? null : `exit code ${end.status}`;
    },
  },
  {
    name: 'a secret file that the goal mentions is not sent to the model',
    scenario: 'main',
    ...{
      words: [],
      goal: `${prompt('main')} with @.env and @README.md, for ann@.env`,
      files: () => ({ '.env': `TOKEN=${SECRET}\n` }),
    },
    wrong: ({ status, requests }, runner) => {
      if (requests.some((text) => text.includes(SECRET))) return 'the model has it';
      // Claude Code reads what is mentioned, so it is not started; others are told of it in a way that they do not read.
      return status === (runner === 'claude-code' ? 2 : 0) ? null : `exit code ${status}`;
    },
  },
  {
    name: 'a file that the goal mentions and the policy lets the agent read keeps nothing from starting',
    scenario: 'main',
    ...{ words: [], goal: `${prompt('main')} with @README.md, for ann@localhost` },
    wrong: (end) => (end.status === 0 && end.made('made') ? null : `exit code ${end.status}`),
  },
  {
    name: 'settings of the folder of --scope that switch hooks off let no call past',
    scenario: 'main',
    ...{ words: ['--project-settings', '--scope', 'sub'], files: OFF_BELOW },
    wrong: (end, runner) => {
      if (end.made('sub/denied')) return 'the denied call ran';
      // Settings of one session outrank those, and Copilot CLI does not read them there.
      const expected = SWITCHED_OFF.has(runner) ? 3 : 0;
      return end.status === expected ? null : `exit code ${end.status}`;
    },
  },
  {
    name: "a hostile project's own settings make nothing run, and its texts reach no model",
    scenario: 'main',
    ...{ words: [], files: hostileFiles },
    wrong: (end, runner) => hostileWrong(end, runner),
  },
  {
    name: 'an agent of the project works by its name; Claude Code hears the text of its definition',
    scenario: 'main',
    words: ['reviewer'],
    wrong: (end, runner) => {
      if (end.made('denied')) return 'the denied call ran';
      if (runner === 'claude-code' && !end.requests.some((text) => text.includes('Look.')))
        return 'the model does not hear its text';
      return end.status === 0 && end.made('made') ? null : `exit code ${end.status}`;
    },
  },
  {
    name: 'a plugin of a hostile project is never loaded, and hooks stay on',
    scenario: 'main',
    ...{ words: [], files: pluginFiles },
    wrong: (end, runner) => {
      if (end.made('started')) return 'it was loaded';
      if (end.made('denied')) return 'the denied call ran';
      return end.status === (runner === 'opencode' ? 3 : 0) ? null : `exit code ${end.status}`;
    },
  },
  {
    name: 'the preset readOnly bounds the same policy',
    scenario: 'main',
    words: ['--preset', 'readOnly'],
    wrong: (end) => (end.made('made') || end.made('denied') ? 'a call that writes ran' : null),
  },
  {
    name: 'a run that takes too long is ended, exit code 124',
    scenario: 'slow',
    words: ['--timeout', '7s'],
    wrong: (end) => (end.status !== 124 ? `exit code ${end.status}` : null),
  },
  {
    name: 'an interrupted run is ended, exit code 130',
    scenario: 'slow',
    words: [],
    interruptAfter: 7,
    wrong: (end) => (end.status !== 130 ? `exit code ${end.status}` : null),
  },
];

/** The call that starts this agent instead of the one that the client comes with. */
function started(client: Client, name: string): ModelCall {
  const call = client.agent('nothing');
  return JSON.parse(JSON.stringify(call).replaceAll(client.agentName, name)) as ModelCall;
}

async function tryProperty(client: Client, program: string, property: Property): Promise<string | null> {
  const scenarios: Scenarios = {
    main: [[client.shell('echo ran > made')], [client.shell('touch denied')]],
    slow: [[client.shell(SLOW)]],
    // The agent of Codex works beside the one that started it.
    probing: [[started(client, 'probing')], [client.shell('timeout 2 tail -f README.md; echo ran > made')]],
    nothing: [[client.shell('touch denied')]],
  };
  return await inWorld(client, program, scenarios, async ({ project, home, environment, requests, write }) => {
    for (const [file, text] of Object.entries(property.files?.(project) ?? {})) write(join('project', file), text);
    if (property.wraps) {
      const wrap = [resolve('bin/policy.js'), 'mcp', 'install', client.runner, '--yes'];
      const { status, stderr } = spawnSync(process.execPath, wrap, { cwd: project, env: environment, encoding: 'utf8' });
      if (status !== 0) return `policy mcp install: ${stderr}`;
    }
    const words = [
      'run',
      '--runner',
      client.runner,
      ...property.words,
      '--retries',
      '0',
      '--json',
      '--goal',
      property.goal ?? prompt(property.scenario),
    ];
    if (!words.includes('--preset')) words.push('--preset', PRESET[client.runner] ?? 'safe');
    if (MODELS[client.runner] !== undefined) words.push('--model', MODELS[client.runner] ?? '');
    const end = await ended(words, project, environment, property.interruptAfter);
    const left = leftBehind(home);
    const wrong =
      property.wrong({ ...end, requests, made: (name) => existsSync(join(project, name)) }, client.runner) ??
      (left.length > 0 ? `processes go on: ${left.join('; ')}` : null);
    return wrong === null ? null : `${wrong}\n${end.errors}\n${JSON.stringify(end.events.slice(-6))}`;
  });
}

function ended(
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  interruptAfter: number | undefined,
): Promise<Omit<RunEnd, 'made' | 'requests'>> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [resolve('bin/policy.js'), ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const timers = [setTimeout(() => child.kill('SIGKILL'), PATIENCE * 1000)];
    if (interruptAfter !== undefined) timers.push(setTimeout(() => child.kill('SIGINT'), interruptAfter * 1000));
    child.on('error', fail);
    child.on('close', (status) => {
      for (const timer of timers) clearTimeout(timer);
      const events = output
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Readonly<Record<string, unknown>>]));
      done({ status, events, errors });
    });
  });
}

/** The client's program, installed when it is not there yet; null when npm cannot get it. */
function installed(client: Client): string | null {
  const found = programOf(client, INSTALLED);
  if (found !== null) return found;
  const folder = join(INSTALLED, folderOf(client));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', client.package], { cwd: folder, stdio: 'inherit' });
  return programOf(client, INSTALLED);
}

const [, , word = '', about = ''] = process.argv;
const NOT_INSTALLED = 'npm could not install it';
let tried = 0;
let broken = 0;
function tell(client: Client, what: string, wrong: string | null): void {
  tried += 1;
  if (wrong !== null) broken += 1;
  console.log(`${client.runner} ${client.version}: ${what}: ${wrong ?? 'holds'}`);
}

for (const client of CLIENTS) {
  if (!folderOf(client).includes(word) || launcherOf(client.runner) === null) continue;
  const program = installed(client);
  for (const property of PROPERTIES.filter(({ name }) => name.includes(about)))
    tell(client, property.name, program === null ? NOT_INSTALLED : await tryProperty(client, program, property));
  if (hasTerminals() && AT_TERMINAL.includes(about))
    tell(client, AT_TERMINAL, program === null ? NOT_INSTALLED : await tryTerminal(client, program));
}
console.log(`${tried} tried, ${broken} do not hold`);
process.exitCode = broken === 0 && tried > 0 ? 0 : 1;
