/** Which MCP servers the files of a project name, for each client that would start them. */
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { projectServers } from '../../../src/audit/launch/project-servers.js';
import type { RunnerId } from '../../../src/call/tool-call.js';
import { launcherOf } from '../../../src/runner/launch/registry.js';
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
  assert.equal(servers, []);
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

test('servers of the agent that the client is started as count with those that start it as one', () => {
  const head = (yaml: string) => `---\nname: a\ndescription: d\n${yaml}---\nDo it.\n`;
  for (const [runner, text, names] of [
    ['claude-code', head('mcpServers:\n  - mine\n  - own:\n      command: node\n'), ['own']],
    ['copilot-cli', head('mcp-servers:\n  own: { command: node }\n'), ['own']],
    ['copilot-cli', head('mcp-servers: [\n'), null],
    ['claude-code', head('"mcp\\x53ervers":\n  - own:\n      command: node\n'), ['own']],
    ['claude-code', `\uFEFF${head('mcpServers:\n  - own:\n      command: node\n')}`, null],
    ['claude-code', head('mcpServers: []\nmcpServers:\n  - own:\n      command: node\n'), null],
    ['claude-code', head('tools: Read\n'), undefined],
    ['claude-code', head('mcpServers: [mine]\n'), undefined],
    ['gemini-cli', head('mcpServers:\n  own: { command: node }\n'), undefined],
  ] as const) {
    const home = realpathSync(scratch({ 'p/agents/a.md': text }));
    const file = join(home, 'p', 'agents', 'a.md');
    const launcher = launcherOf(runner);
    if (launcher === null) throw new Error(`${runner} cannot be started`);
    const servers = projectServers(
      launcher,
      { project: join(home, 'p'), home, machine: '/', environment: {} },
      join(home, 'p'),
      file,
    );
    assert.equal(servers?.files, names === undefined ? undefined : [file], runner);
    assert.equal(
      names === null ? servers?.unread : servers?.servers.map(({ name }) => name),
      names ?? (names === null ? 'its front matter cannot be read' : undefined),
    );
  }
});

test('a link to the file of the person is no file of the project', () => {
  const home = realpathSync(scratch({ '.codex/config.toml': toml('mine'), 'p/x': '' }));
  mkdirSync(join(home, 'p', '.codex'));
  symlinkSync(join(home, '.codex', 'config.toml'), join(home, 'p', '.codex', 'config.toml'));
  const launcher = launcherOf('codex');
  if (launcher === null) throw new Error('codex cannot be started');
  assert.is(projectServers(launcher, { project: join(home, 'p'), home, machine: '/', environment: {} }, join(home, 'p')), null);
});

test.run();
