// MCP servers of a project at a terminal: what a rule forbids keeps the run from starting, what the policy does not allow is noted once.
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { unjudged } from '../../../src/audit/launch/around.js';
import { projectServers } from '../../../src/audit/launch/project-servers.js';
import type { RunnerId } from '../../../src/call/tool-call.js';
import { openWorkspace } from '../../../src/project/workspace.js';
import { launcherOf } from '../../../src/runner/launched.js';
import { runnerNamed } from '../../../src/runner/runners.js';
import { world } from '../doctor/doctor-world.js';

const test = suite('launch/started-servers');

const POLICY = 'version: 1\npreset: safe\nallow: ["Bash(tool serve *)"]\ndeny: ["Bash(touch *)"]\n';

function found(id: RunnerId, files: Readonly<Record<string, string>>, headless = false, policy = POLICY) {
  const here = world('none');
  here.write('.config/policy/policy.yaml', policy);
  here.write('project/.git/HEAD', 'ref: refs/heads/main\n');
  for (const [file, text] of Object.entries(files)) here.write(`project/${file}`, text);
  const { home, project, machine } = here;
  const environment = { HOME: home, PATH: '/usr/bin:/bin', SERVER: 'touch' };
  const places = { home, project, machine, environment };
  const opened = openWorkspace({ cwd: project, project, home, platform: process.platform, environment });
  const runner = runnerNamed(id);
  const launcher = launcherOf(id);
  if (!opened.ok || runner === undefined || launcher === null) throw new Error('the world is broken');
  const servers = projectServers(launcher, places, project);
  const { denied, noted } = unjudged(runner, places, opened.workspace, project, { headless, reach: 'full', servers });
  const said = (all: typeof denied) =>
    all.map(({ message, fix }) => `${message}; fix: ${fix}`.replaceAll(join(project, '/'), ''));
  return { denied: said(denied), noted: said(noted) };
}

const json = (key: string, command: string, ...args: readonly string[]) =>
  JSON.stringify({ [key]: { x: { type: 'local', command, args, tools: ['*'] } } });
const opencode = (...command: readonly string[]) => JSON.stringify({ mcp: { x: { type: 'local', command, enabled: true } } });
const toml = (command: string, ...args: readonly string[]) =>
  `[mcp_servers.x]\ncommand = "${command}"\nargs = ${JSON.stringify(args)}\n`;
const agent = (key: string, command: string, ...args: readonly string[]) =>
  `---\nname: docs\ndescription: Writes\n${key}:\n  x:\n    type: local\n    command: ${command}\n    args: ${JSON.stringify(args)}\n---\nWrite.\n`;
const listed = (key: string, command: string, ...args: readonly string[]) =>
  `---\nname: docs\ndescription: Writes\n${key}:\n  - x:\n      command: ${command}\n      args: ${JSON.stringify(args)}\n---\nWrite.\n`;

/** [client, file of the project, its text with a server of this command] */
const PLACES: readonly (readonly [RunnerId, string, (command: string, ...args: readonly string[]) => string])[] = [
  ['claude-code', '.mcp.json', (...words) => json('mcpServers', ...words)],
  ['claude-code', '.claude/agents/docs.md', (...words) => listed('mcpServers', ...words)],
  ['codex', '.codex/config.toml', toml],
  ['copilot-cli', '.mcp.json', (...words) => json('mcpServers', ...words)],
  ['copilot-cli', '.github/mcp.json', (...words) => json('mcpServers', ...words)],
  ['copilot-cli', '.github/agents/docs.agent.md', (...words) => agent('mcp-servers', ...words)],
  ['gemini-cli', '.gemini/settings.json', (...words) => json('mcpServers', ...words)],
  ['opencode', 'opencode.json', opencode],
  ['opencode', '.opencode/opencode.jsonc', opencode],
  ['qwen-code', '.qwen/agents/docs.md', (...words) => agent('mcpServers', ...words)],
];
for (const [id, file, text] of PLACES) {
  test(`${id}: a server of ${file} that a rule forbids is denied, one that nobody allowed is noted, one that is allowed is neither`, () => {
    const denied = found(id, { [file]: text('touch', 'PWN') });
    assert.is(denied.denied.length, 1, denied.denied.join('\n'));
    assert.match(
      denied.denied[0] as string,
      new RegExp(`^The MCP server x in ${file}(?::\\d+)? .*touch PWN.* fix: .*remove it from ${file}`),
    );
    assert.equal(denied.noted, []);
    // As a shell starts it: the list of settings knows it as well.
    const inShell = found(id, { [file]: text('sh', '-c', 'touch PWN') });
    assert.is(inShell.denied.length, 1, inShell.denied.join('\n'));
    const asked = found(id, { [file]: text('npx', '-y', 'some-server') });
    assert.equal(asked.denied, []);
    assert.is(asked.noted.length, 1, asked.noted.join('\n'));
    assert.match(asked.noted[0] as string, /npx -y some-server.* fix: .*remove it from /);
    assert.equal(found(id, { [file]: text('tool', 'serve', 'x') }), { denied: [], noted: [] });
  });
  test(`${id}: with a goal, a server of ${file} is left out, and not judged`, () => {
    assert.equal(found(id, { [file]: text('touch', 'PWN') }, true), { denied: [], noted: [] });
  });
}

test('what the project switches on is judged, too', () => {
  for (const settings of ['{"enabledMcpjsonServers":["x"]}', '{"enableAllProjectMcpServers":true}']) {
    const files = { '.mcp.json': json('mcpServers', 'touch', 'PWN'), '.claude/settings.json': settings };
    assert.is(found('claude-code', files).denied.length, 1, settings);
  }
});

test('a preset without a shell forbids no server: it is noted', () => {
  const readOnly = 'version: 1\npreset: readOnly\n';
  const { denied, noted } = found('codex', { '.codex/config.toml': toml('tool', 'serve') }, false, readOnly);
  assert.equal(denied, []);
  assert.is(noted.length, 1);
  const forbidden = found('codex', { '.codex/config.toml': toml('touch', 'x') }, false, `${readOnly}deny: ["Bash(touch *)"]\n`);
  assert.is(forbidden.denied.length, 1);
  assert.is(found('codex', { '.codex/config.toml': toml('rm', '-rf', '/') }, false, readOnly).denied.length, 1);
});

const OTHER_WORDS: readonly (readonly [string, ...string[]])[] = [
  ['${SERVER}', 'PWN'],
  ['${NONE:-touch}', 'PWN'],
  ['$SERVER', 'PWN'],
  ['touch PWN'],
  ['env', 'touch', 'PWN'],
];
test('a command in other words is the same command', () => {
  for (const words of OTHER_WORDS)
    assert.is(found('claude-code', { '.mcp.json': json('mcpServers', ...words) }).denied.length, 1, words.join(' '));
});

test('variables and the folder of a server count: each can make it another program', () => {
  const one = (more: object) => JSON.stringify({ mcpServers: { x: { command: 'tool', args: ['serve', 'x'], ...more } } });
  assert.is(found('claude-code', { '.mcp.json': one({ env: { LD_PRELOAD: './x.so' } }) }).noted.length, 1);
  assert.match(
    found('claude-code', { '.mcp.json': one({ command: 'npx', cwd: '../lib' }) }).noted[0] as string,
    /cd \.\.\/lib && npx serve x/,
  );
  assert.equal(found('claude-code', { '.mcp.json': one({ cwd: '.', env: {} }) }), { denied: [], noted: [] });
});

test('a program and its arguments may come from two files', () => {
  const files = { '.mcp.json': json('mcpServers', 'sh'), '.github/mcp.json': json('mcpServers', 'x', '-c', 'touch PWN') };
  assert.is(found('copilot-cli', files).denied.length, 1);
});

test('nothing is started where the servers cannot be told', () => {
  for (const [id, file, text] of [
    ['claude-code', '.mcp.json', '{'],
    ['codex', '.codex/config.toml', '[mcp_servers'],
    ['copilot-cli', '.github/agents/a.md', '---\nmcp-servers: [\n---\n'],
    ['opencode', 'opencode.json', '{"mcp":[]}'],
    [
      'claude-code',
      '.mcp.json',
      JSON.stringify({ mcpServers: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [n, {}])) }),
    ],
  ] as const) {
    const { denied } = found(id, { [file]: text });
    assert.ok(
      denied.some((one) => /it is unknown which ones/.test(one)),
      `${id} ${text.slice(0, 20)}`,
    );
  }
});

test('a server at an address starts nothing; an entry that names no program is noted', () => {
  const one = (entry: object) => ({ '.mcp.json': JSON.stringify({ mcpServers: { x: entry } }) });
  assert.equal(found('claude-code', one({ type: 'http', url: 'http://127.0.0.1/mcp' })), { denied: [], noted: [] });
  assert.equal(found('claude-code', one({ httpUrl: 'http://127.0.0.1/mcp' })), { denied: [], noted: [] });
  assert.is(found('claude-code', one({ args: ['x'] })).noted.length, 1);
  assert.is(found('claude-code', one({ type: 'http', url: 'https://x.example', headersHelper: 'touch x' })).denied.length, 1);
});

const BEHIND = ['mcp', 'gateway', '--server', 'x', '--'];

test('behind the gateway, a server is judged by its own command, and so is what claims to be the gateway', () => {
  const denied = found('claude-code', { '.mcp.json': json('mcpServers', 'policy', ...BEHIND, 'touch', 'PWN') });
  assert.match(denied.denied.join(), /touch PWN/);
  const forged = found('claude-code', { '.mcp.json': json('mcpServers', '/tmp/policy', ...BEHIND, 'tool', 'serve', 'x') });
  assert.match([...forged.denied, ...forged.noted].join(), /\/tmp\/policy mcp gateway/);
  const shell = found('claude-code', { '.mcp.json': json('mcpServers', 'policy', ...BEHIND, 'sh', '-c', 'touch PWN') });
  assert.match(shell.denied.join(), /touch PWN/);
});

test.run();
