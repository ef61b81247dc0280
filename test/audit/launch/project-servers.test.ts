/** Which MCP servers the files of a project name, for each client that would start them. */
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { projectServers } from '../../../src/audit/launch/project-servers.js';
import type { RunnerId } from '../../../src/call/tool-call.js';
import { CLIENTS, type KnownClient } from '../../../src/install/mcp/clients.js';
import { applyServers, planServers } from '../../../src/install/mcp/servers.js';
import { launcherOf } from '../../../src/runner/launched.js';
import { scratch } from '../../cli/spawned.js';

const SERVER = { command: 'node', args: ['x.js'] };
const json = (key: string, ...names: readonly string[]) =>
  JSON.stringify({ [key]: Object.fromEntries(names.map((name) => [name, SERVER])) });
const toml = (...names: readonly string[]) => names.map((name) => `[mcp_servers.${name}]\ncommand = "node"\n`).join('');

const FILES = {
  '.mcp.json': json('mcpServers', 'above'),
  'opencode.json': json('mcp', 'above'),
  '.codex/config.toml': toml('mine'),
  '.gemini/settings.json': json('mcpServers', 'mine'),
  'p/.git/HEAD': 'ref: refs/heads/main\n',
  'p/.mcp.json': json('mcpServers', 'root'),
  'p/.github/mcp.json': json('mcpServers', 'github'),
  'p/opencode.jsonc': `// mine\n${json('mcp', 'root')}`,
  'p/.opencode/opencode.json': json('mcp', 'dot'),
  'p/.codex/config.toml': `${toml('root')}[mcp_servers.far]\nurl = "https://x.example"\n`,
  'p/.gemini/settings.json': json('mcpServers', 'root'),
  'p/.qwen/settings.json': json('mcpServers', 'root'),
  'p/sub/.mcp.json': JSON.stringify({ whole: SERVER, inputs: {}, $schema: 'x' }),
  'p/sub/.codex/config.toml': toml('sub'),
  'p/sub/opencode.json': '',
};

function found(runner: RunnerId, files: Readonly<Record<string, string>>, cwd: string, environment = {}) {
  const home = realpathSync(scratch(files));
  const launcher = launcherOf(runner);
  if (launcher === null) throw new Error(`${runner} cannot be started`);
  const at = join(home, cwd);
  mkdirSync(at, { recursive: true });
  return projectServers(launcher, { project: join(home, 'p'), home, machine: '/', environment }, at);
}

const ROWS: readonly (readonly [runner: RunnerId, cwd: string, names: readonly string[] | null])[] = [
  ['codex', 'p/sub', ['sub', 'root', 'far']],
  ['copilot-cli', 'p/sub', ['whole', 'root', 'github']],
  ['gemini-cli', 'p', ['root']],
  ['gemini-cli', 'p/sub', null],
  ['opencode', 'p/sub', ['root', 'dot']],
  ['qwen-code', 'p', null],
  ['codex', '', null],
  ['gemini-cli', '', null],
];
for (const [runner, cwd, names] of ROWS)
  test(`${runner} in ${cwd || 'the home folder'}: ${names?.join(', ') ?? 'none'}`, () => {
    const servers = found(runner, FILES, cwd);
    assert.equal(servers?.servers.map(({ name }) => name) ?? null, names);
    if (servers !== null) assert.is(servers.unread, null);
    assert.equal(
      servers?.servers.filter(({ isRemote }) => isRemote).map(({ name }) => name) ?? [],
      runner === 'codex' && names !== null ? ['far'] : [],
    );
  });

test('Claude Code: any file of servers, up to the root of the file system', () => {
  const { files = [], servers = [] } = found('claude-code', FILES, 'p/sub') ?? {};
  const [nearest = '', root = '', above = ''] = files;
  assert.equal(
    [files.length, nearest.endsWith('/p/sub/.mcp.json'), root.endsWith('/p/.mcp.json'), above.endsWith('/.mcp.json')],
    [3, true, true, true],
  );
  assert.equal(
    servers.map(({ name }) => name),
    ['whole', 'root', 'above'],
  );
  assert.is(found('claude-code', { 'p/x': '' }, 'p'), null);
});

test('the names of the person are told apart from those of the project', () => {
  assert.equal(found('gemini-cli', FILES, 'p')?.own, ['mine']);
  // With a variable that names another folder, the one below the home folder is nobody's own.
  assert.equal(
    found('codex', FILES, '', { CODEX_HOME: '/elsewhere' })?.servers.map(({ name }) => name),
    ['mine'],
  );
});

test('a file that cannot be read as it is meant tells no names, and says why', () => {
  for (const [runner, file, text] of [
    ['codex', 'p/.codex/config.toml', '[mcp_servers\n'],
    ['copilot-cli', 'p/.mcp.json', '{"mcpServers":{},"mcpServers":{"a":{}}}'],
    ['gemini-cli', 'p/.gemini/settings.json', '{"mcpServers":[]}'],
    ['opencode', 'p/opencode.json', `{"mcp":{}}${' '.repeat(3_000_000)}`],
  ] as const) {
    const servers = found(runner, { ...FILES, [file]: text }, 'p');
    assert.equal(servers?.servers, [], runner);
    assert.ok(servers?.unread, runner);
    assert.ok(servers?.files[0].endsWith(file.slice(2)), runner);
  }
});

const head = (yaml: string) => `---\nname: a\ndescription: d\n${yaml}---\nDo it.\n`;
const OWN = head('mcpServers:\n  own: { command: node }\n');
const COPILOT = head('mcp-servers:\n  own: { command: node }\n');

test('servers of any agent count with those clients that start them with a subagent', () => {
  const rows: readonly (readonly [runner: RunnerId, file: string, text: string, names: readonly string[] | null])[] = [
    ['claude-code', 'p/.claude/agents/a.md', head('mcpServers:\n  - mine\n  - own:\n      command: node\n'), ['own']],
    ['claude-code', 'p/.claude/agents/a.md', OWN, ['own']],
    ['claude-code', 'p/.claude/agents/deep/er/a.md', OWN, ['own']],
    ['claude-code', 'p/sub/.claude/agents/a.md', OWN, ['own']],
    ['claude-code', 'p/.claude/agents/a.md', head('"mcp\\x53ervers":\n  own: { command: node }\n'), ['own']],
    ['claude-code', 'p/.claude/agents/a.md', head('x: &x\n  mcpServers: { own: { command: node } }\n<<: *x\n'), ['own']],
    ['claude-code', 'p/.claude/agents/a.md', head('tools: Read\n'), null],
    ['claude-code', 'p/.claude/agents/a.md', head('mcpServers: [mine]\n'), null],
    ['claude-code', 'p/.claude/agents/a.md', `${head('tools: Read\n')}mcpServers:\n  own: { command: node }\n`, null],
    ['claude-code', 'p/.claude/agents/a.txt', OWN, null],
    ['claude-code', '.claude/agents/a.md', OWN, null],
    ['claude-code', 'p/.github/agents/a.md', OWN, null],
    ['copilot-cli', 'p/.github/agents/a.agent.md', COPILOT, ['own']],
    ['copilot-cli', 'p/.claude/agents/a.md', COPILOT, ['own']],
    ['copilot-cli', '.github/agents/a.agent.md', COPILOT, null],
    ['qwen-code', 'p/sub/.qwen/agents/a.md', OWN, ['own']],
    ['qwen-code', 'p/.qwen/agents/a.md', OWN, null],
    ['gemini-cli', 'p/sub/.gemini/agents/a.md', OWN, null],
  ];
  for (const [runner, file, text, names] of rows) {
    const servers = found(runner, { 'p/.git/HEAD': '', [file]: text }, 'p/sub');
    assert.equal(servers?.servers.map(({ name }) => name) ?? null, names, `${runner} ${file}\n${text}`);
    if (servers !== null) assert.ok(servers.files[0].endsWith(`/${file}`) && servers.unread === null, file);
  }
});

test('definitions that cannot be read as they are meant tell no names, and say why', () => {
  const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`p/.qwen/agents/${at}.md`, '']));
  for (const [files, unread] of [
    [{ 'p/.qwen/agents/a.md': head('mcpServers: [\n') }, /^its front matter cannot be read$/],
    [{ 'p/.qwen/agents/a.md': `\uFEFF${OWN}` }, /^its front matter cannot be read$/],
    [{ 'p/.qwen/agents/a.md': `\n\n${OWN}` }, /^its front matter cannot be read$/],
    [{ 'p/.qwen/agents/a.md': `${OWN}${' '.repeat(1_100_000)}` }, /^is larger than/],
    [{ 'p/.qwen/agents/1/2/3/4/5/6/7/8/a.md': OWN }, /^the folder lies too deep$/],
    [many, /^more than 2000 files$/],
  ] as const) {
    const servers = found('qwen-code', files, 'p');
    assert.match(servers?.unread ?? '', unread);
    assert.equal(servers?.servers, []);
  }
  // No client sees front matter there, whatever the text is about.
  assert.is(found('qwen-code', { 'p/.qwen/agents/README.md': 'Of mcpServers.\n' }, 'p'), null);
  // Descriptions that are no YAML are common.
  assert.is(found('qwen-code', { 'p/.qwen/agents/a.md': head('tools: user: "\\n" x: y\n') }, 'p'), null);
});

test('so do those of the agent that the client is started as, wherever its definition lies', () => {
  const home = realpathSync(scratch({ 'p/agents/a.md': OWN, '.claude/agents/mine.md': OWN }));
  const project = join(home, 'p');
  const file = join(project, 'agents', 'a.md');
  const servers = (runner: RunnerId, definition: string | null) => {
    const launcher = launcherOf(runner);
    if (launcher === null) throw new Error(`${runner} cannot be started`);
    return projectServers(launcher, { project, home, machine: '/', environment: {} }, project, definition);
  };
  assert.equal(servers('claude-code', file)?.files, [file]);
  assert.is(servers('gemini-cli', file), null);
  // A link to the person's own folder leads to what is the person's; round in a circle it leads nowhere.
  mkdirSync(join(project, '.claude'));
  symlinkSync(join(home, '.claude', 'agents'), join(project, '.claude', 'agents'));
  assert.is(servers('claude-code', null), null);
  mkdirSync(join(project, '.github', 'agents'), { recursive: true });
  symlinkSync('.', join(project, '.github', 'agents', 'round'));
  symlinkSync(join(project, 'agents'), join(project, '.github', 'agents', 'elsewhere'));
  assert.equal(servers('copilot-cli', null)?.files, [join(project, '.github', 'agents', 'elsewhere', 'a.md')]);
});

test('a link to the file of the person is no file of the project', () => {
  const home = realpathSync(scratch({ '.codex/config.toml': toml('mine'), 'p/x': '' }));
  mkdirSync(join(home, 'p', '.codex'));
  symlinkSync(join(home, '.codex', 'config.toml'), join(home, 'p', '.codex', 'config.toml'));
  const launcher = launcherOf('codex');
  if (launcher === null) throw new Error('codex cannot be started');
  assert.is(projectServers(launcher, { project: join(home, 'p'), home, machine: '/', environment: {} }, join(home, 'p')), null);
});

test('a server counts as governed if a person put it behind our gateway here, and nothing was changed since', () => {
  const own = { node: '/n/node', command: '/o/policy', hook: '/o/dist/hook.cjs' };
  const home = realpathSync(scratch({ 'p/.mcp.json': json('mcpServers', 'one', 'two'), 'bin/x': '' }));
  const places = { project: join(home, 'p'), home, machine: '/', environment: { PATH: join(home, 'bin') } };
  const command = join(home, 'bin/policy');
  writeFileSync(command, '');
  const machine = {
    ...{ places, own: { ...own, command }, stateDirectory: join(home, 's') },
    ...{ userDirectory: '/u', managedDirectory: '/m' },
  };
  const client = CLIENTS.find(({ id }) => id === 'claude-code') as KnownClient;
  const file = client.files[0] as KnownClient['files'][number];
  const choice = { places, stateDirectory: machine.stateDirectory, server: 'one', whyUngoverned: () => null };
  const path = join(places.project, '.mcp.json');
  const launcher = launcherOf('claude-code');
  if (launcher === null) throw new Error('it cannot be started');
  const governed = () =>
    projectServers(launcher, places, places.project, null, machine)?.servers.flatMap(({ name, isGoverned }) =>
      isGoverned ? [name] : [],
    );
  const plan = () => planServers(client, file, { words: ['policy', 'mcp', 'gateway'], options: [] }, choice);
  assert.equal(governed(), []);
  applyServers(plan, path, choice);
  const text = readFileSync(path, 'utf8');
  assert.equal(governed(), ['one']);
  // The same words, and another server behind them.
  writeFileSync(path, text.replace('"x.js"', '"y.js"'));
  assert.equal(governed(), []);
  writeFileSync(path, text);
  assert.equal(governed(), ['one']);
  // Another program of that name comes first on PATH.
  mkdirSync(join(home, 'first'));
  writeFileSync(join(home, 'first/policy'), '');
  places.environment.PATH = `${join(home, 'first')}:${places.environment.PATH}`;
  assert.equal(governed(), []);
  // On a machine whose state knows nothing of it.
  places.environment.PATH = join(home, 'bin');
  machine.stateDirectory = join(home, 'other');
  assert.equal(governed(), []);
});

test.run();
