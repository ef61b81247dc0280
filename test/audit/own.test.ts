// What stands in a person's own files: MCP servers of every coding agent, and definitions of agents. They count in every project.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { lintOwn } from '../../src/audit/own/lint.js';
import type { RunnerId } from '../../src/call/tool-call.js';
import { runnerNamed } from '../../src/runner/runners.js';
import { scratch } from '../cli/spawned.js';
import { auditedProject, claims, REVIEWER } from './audited.js';

const NEWEST = { command: 'npx', args: ['-y', 'some-server'] };
const TOKEN = `ghp_${'k3Qw9ZtR1mVbX7cYpL'}${'5sD2hGfJ8nUaE4oIx6'}`;
const BYPASS = REVIEWER.replace('code-reviewer', 'own-reviewer').replace('tools:', 'permissionMode: bypassPermissions\ntools:');

const placed = (files: Readonly<Record<string, string>>, environment = {}) => ({
  home: scratch(files),
  project: '/work/shop',
  machine: '',
  environment,
});
const told = (id: RunnerId, files: Readonly<Record<string, string>>, environment = {}) => {
  const runner = runnerNamed(id);
  assert.ok(runner);
  const places = placed(files, environment);
  const { findings, unread } = lintOwn([runner], places);
  const shown = findings.map(({ rule, evidence }) => {
    const place = evidence.kind === 'file' ? `${evidence.place.file.replace(`${places.home}/`, '')}:${evidence.place.line}` : '';
    return `${rule} ${place}`;
  });
  return { shown, unread };
};

const servers: (readonly [runner: RunnerId, file: string, text: string, line: number])[] = [
  ['claude-code', '.claude.json', `{\n"numStartups": 7,\n"mcpServers": { "x":\n${JSON.stringify(NEWEST)} } }`, 4],
  [
    'claude-code',
    '.claude.json',
    `{ "projects": { "/work/other": { "mcpServers": {} },\n"/work/shop": { "mcpServers": { "x": ${JSON.stringify(NEWEST)} } } } }`,
    2,
  ],
  ['codex', '.codex/config.toml', '[mcp_servers.x]\ncommand = "npx"\nargs = ["-y", "some-server"]\n', 3],
  ['gemini-cli', '.gemini/settings.json', JSON.stringify({ mcpServers: { x: NEWEST } }), 1],
  ['qwen-code', '.qwen/settings.json', JSON.stringify({ mcpServers: { x: NEWEST } }), 1],
  ['copilot-cli', '.copilot/mcp-config.json', JSON.stringify({ mcpServers: { x: NEWEST } }), 1],
  ['cursor', '.cursor/mcp.json', JSON.stringify({ mcpServers: { x: NEWEST } }), 1],
  [
    'opencode',
    '.config/opencode/opencode.json',
    JSON.stringify({ mcp: { x: { type: 'local', command: ['npx', '-y', 'some-server'] } } }),
    1,
  ],
];
servers.push(
  ['claude-code', '.claude/.config.json', JSON.stringify({ mcpServers: { x: NEWEST } }), 1],
  ['claude-code', '.claude.json', `{ "mcpServers": {},\n"mcpServers": { "x": ${JSON.stringify(NEWEST)} } }`, 2],
  ['claude-code', '.claude.json', `{ "mcpServers": { "x": ${JSON.stringify(NEWEST)} },\n"mcpServers": {} }`, 1],
  [
    'claude-code',
    '.claude.json',
    `{ "projects": {},\n"projects": { "/work/shop": { "mcpServers": { "x": ${JSON.stringify(NEWEST)} } } } }`,
    2,
  ],
  [
    'opencode',
    '.config/opencode/config.json',
    JSON.stringify({ mcp: { x: { type: 'local', command: ['npx', 'some-server'] } } }),
    1,
  ],
  ['gemini-cli', '.gemini/extensions/one/gemini-extension.json', JSON.stringify({ name: 'one', mcpServers: { x: NEWEST } }), 1],
);
for (const [runner, file, text, line] of servers)
  test(`${runner}: a server of any version in ~/${file}:${line}`, () => {
    assert.equal(told(runner, { [file]: text }), { shown: [`mcp/unpinned-package ${file}:${line}`], unread: [] });
  });

test('servers of another project, and files of another coding agent, are not looked at', () => {
  const elsewhere = JSON.stringify({ projects: { '/work/other': { mcpServers: { x: NEWEST } } } });
  assert.equal(
    told('claude-code', { '.claude.json': elsewhere, '.cursor/mcp.json': JSON.stringify({ mcpServers: { x: NEWEST } }) }).shown,
    [],
  );
});

test('a variable that moves the folder', () => {
  const home = scratch({ 'moved/.claude.json': JSON.stringify({ mcpServers: { x: NEWEST } }), 'moved/agents/a.md': BYPASS });
  const { shown } = told('claude-code', {}, { CLAUDE_CONFIG_DIR: join(home, 'moved') });
  assert.equal(shown.map((one) => one.split(' ')[0]).sort(), ['mcp/unpinned-package', 'permissions/bypass-mode']);
});

for (const [what, text] of [
  ['below a key', { mcpServers: { x: NEWEST } }],
  ['as the whole file', { x: NEWEST }],
] as const)
  test(`servers of a plugin that the person switched on, ${what}; none of one that is off`, () => {
    const root = scratch({ 'on/.mcp.json': JSON.stringify(text), 'off/.mcp.json': JSON.stringify(text) });
    const installed = { 'on@m': [{ installPath: join(root, 'on') }], 'off@m': [{ installPath: join(root, 'off') }] };
    const { shown, unread } = told('claude-code', {
      '.claude/settings.json': JSON.stringify({ enabledPlugins: { 'on@m': true, 'off@m': false } }),
      '.claude/plugins/installed_plugins.json': JSON.stringify({ version: 2, plugins: installed }),
    });
    assert.equal({ shown, unread }, { shown: [`mcp/unpinned-package ${join(root, 'on', '.mcp.json')}:1`], unread: [] });
  });

test('a linked worktree: the servers that are kept for its main checkout', () => {
  const work = scratch({ 'main/a.txt': '' });
  const main = join(work, 'main');
  const git = (...words: readonly string[]) => execFileSync('git', ['-C', main, ...words], { stdio: 'ignore' });
  git('init', '-q');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-q', '--allow-empty', '-m', 'a');
  git('worktree', 'add', '-q', join(work, 'linked'));
  const home = scratch({ '.claude.json': JSON.stringify({ projects: { [main]: { mcpServers: { x: NEWEST } } } }) });
  const claude = runnerNamed('claude-code');
  assert.ok(claude);
  const rulesIn = (project: string) =>
    lintOwn([claude], { home, project, machine: '', environment: {} }).findings.map(({ rule }) => rule);
  assert.equal(rulesIn(join(work, 'linked')), ['mcp/unpinned-package']);
  assert.equal(rulesIn(work), []);
});

test('a folder of definitions behind a link, and one that leads back to itself', () => {
  const kept = scratch({ 'ag/a.md': BYPASS });
  const home = scratch({ '.claude/agents/b.md': REVIEWER });
  symlinkSync(join(kept, 'ag'), join(home, '.claude', 'agents', 'sub'));
  symlinkSync(join(home, '.claude', 'agents'), join(home, '.claude', 'agents', 'again'));
  const claude = runnerNamed('claude-code');
  assert.ok(claude);
  const { findings, unread } = lintOwn([claude], { home, project: '/work/shop', machine: '', environment: {} });
  assert.equal({ rules: findings.map(({ rule }) => rule), unread }, { rules: ['permissions/bypass-mode'], unread: [] });
});

test('a folder of definitions whose name version control or packages use', () => {
  assert.equal(told('claude-code', { '.claude/agents/node_modules/a.md': BYPASS }).shown, [
    'permissions/bypass-mode .claude/agents/node_modules/a.md:4',
  ]);
});

test('more definitions than are read', () => {
  const many = Object.fromEntries(Array.from({ length: 10_010 }, (_, at) => [`.claude/agents/${at}.txt`, '']));
  const { unread } = told('claude-code', { ...many, '.claude/agents/z.md': BYPASS });
  assert.is(unread.length, 1);
  assert.match(unread[0] ?? '', /More than 10000 files/);
});

test('a file that is kept elsewhere, behind a link', () => {
  const kept = scratch({ 'config.toml': '[mcp_servers.x]\ncommand = "npx"\nargs = ["-y", "some-server"]\n' });
  const home = scratch({ '.codex/AGENTS.md': '' });
  symlinkSync(join(kept, 'config.toml'), join(home, '.codex', 'config.toml'));
  const codex = runnerNamed('codex');
  assert.ok(codex);
  const { findings } = lintOwn([codex], { home, project: '/work/shop', machine: '', environment: {} });
  assert.equal(
    findings.map(({ rule }) => rule),
    ['mcp/unpinned-package'],
  );
});

const own: readonly (readonly [
  what: string,
  file: string,
  text: (project: string) => string,
  unmet: Readonly<Record<string, readonly string[]>>,
])[] = [
  [
    'a server of any version in ~/.claude.json',
    '.claude.json',
    () => JSON.stringify({ mcpServers: { x: NEWEST } }),
    { 'AS-8': ['pinned'] },
  ],
  [
    'a server without encryption that is kept for the project',
    '.claude.json',
    (project) =>
      JSON.stringify({ projects: { [project]: { mcpServers: { x: { type: 'http', url: 'http://mcp.example.com/' } } } } }),
    { 'AS-8': ['transport'] },
  ],
  [
    'servers in a list of an agent of the person',
    '.claude/agents/own-reviewer.md',
    () =>
      `---\nname: own\ndescription: d\ntools: Read\nmcpServers:\n  - github\n  - evil:\n      command: npx\n      args: [evil]\n  - far:\n      type: http\n      url: http://mcp.example.com/\n---\nb\n`,
    { 'AS-8': ['pinned', 'transport'] },
  ],
  [
    'a credential in ~/.claude.json',
    '.claude.json',
    () => JSON.stringify({ mcpServers: { x: { command: 'x', env: { GITHUB_TOKEN: TOKEN } } } }),
    { 'AS-2': ['none-written'] },
  ],
  [
    'an agent of the person that asks about nothing',
    '.claude/agents/own-reviewer.md',
    () => BYPASS,
    { 'RM-3': ['none-written'], 'AS-3': ['modes'] },
  ],
];
for (const [what, file, text, unmet] of own)
  test(`${what}: ${Object.keys(unmet).join(', ')}`, async () => {
    const project = auditedProject();
    const path = join(project.home, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text(project.project));
    const report = await project.audit({ probes: false });
    const refuted = report.controls.map(({ id }) => [id, claims(report, id, 'unmet')] as const);
    assert.equal(Object.fromEntries(refuted.filter(([, ids]) => ids.length > 0)), unmet);
    assert.ok(!JSON.stringify(report).includes(TOKEN), 'the credential is masked');
  });

test('servers that cannot be read are unknown, and unknown is no pass', async () => {
  const project = auditedProject();
  writeFileSync(join(project.home, '.claude.json'), '{ "mcpServers": ');
  const report = await project.audit({ probes: false });
  assert.equal(claims(report, 'AS-8', 'unproven').slice(0, 2), ['pinned', 'transport']);
});

const TWICE = BYPASS.replace('permissionMode:', 'permissionMode: default\npermissionMode:');
const unreadable: readonly (readonly [what: string, text: string, says: RegExp])[] = [
  ['a key that stands twice', TWICE, /permissionMode/],
  ['a byte order mark', `\uFEFF${BYPASS}`, /byte order mark/],
];
for (const [what, text, says] of unreadable)
  for (const where of ['project', 'home'] as const)
    test(`a definition with ${what}, in the ${where}, leaves the claims about definitions open`, async () => {
      const project = auditedProject();
      const path = join(project[where], '.claude/agents/hidden.md');
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      const report = await project.audit({ probes: false });
      for (const [id, claim] of [
        ['RM-3', 'none-written'],
        ['AS-3', 'modes'],
        ['AS-8', 'pinned'],
        ['AS-8', 'transport'],
      ] as const) {
        assert.ok(claims(report, id, 'unproven').includes(claim), `${id} ${claim}`);
        const why = JSON.stringify(report.controls.find((one) => one.id === id));
        assert.match(why, /hidden\.md/);
        assert.match(why, says);
      }
    });

test('settings of the project behind a link that is not followed leave the claims about them open', async () => {
  const project = auditedProject();
  const kept = scratch({ 'mcp.json': JSON.stringify({ mcpServers: { x: NEWEST } }) });
  symlinkSync(join(kept, 'mcp.json'), join(project.project, '.mcp.json'));
  const report = await project.audit({ probes: false });
  assert.ok(claims(report, 'AS-8', 'unproven').includes('pinned'));
});

test('notes without front matter beside definitions are none', async () => {
  const project = auditedProject();
  writeFileSync(join(project.project, '.claude/agents/notes-on-agents.md'), '# What they do\n');
  assert.not.ok(claims(await project.audit({ probes: false }), 'AS-3', 'unproven').includes('modes'));
});

test('what Claude Code counts in ~/.claude.json is no change of what the report says', async () => {
  const project = auditedProject();
  const path = join(project.home, '.claude.json');
  const state = (starts: number) => JSON.stringify({ numStartups: starts, mcpServers: { x: { command: 'x' } } });
  writeFileSync(path, state(1));
  const report = await project.audit({ probes: false });
  writeFileSync(path, state(2));
  assert.equal((await project.verify(report)).holds, true);
});

test.run();
