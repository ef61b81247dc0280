// What lint finds on a disk, and what a hostile folder cannot make it do.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findFiles } from '../../src/lint/files/read-files.js';
import { DEFAULT_OPTIONS } from '../../src/lint/run.js';
import type { LintReport } from '../../src/lint/text/finding.js';
import { lint } from '../../src/runner/lint/linter.js';
import { scratch } from '../cli/spawned.js';
import { definition, placesOf, policyText } from './linted.js';

const test = suite('lint on a disk');

function lintFolder(root: string): LintReport {
  return lint(findFiles(root));
}

/** A scratch folder with files of any bytes. */
function folder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = scratch({});
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

test('definitions and policies are found in packages and hidden folders, others are left alone', () => {
  const root = folder({
    '.claude/agents/a.md': '',
    '.claude/agents/deep/er/.b.md': '',
    '.claude/agents/picture.png': '',
    '.claude/settings.json': '',
    '.codex/agents/c.yaml': '',
    '.codex/config.toml': '',
    '.agent/agents/d.md': '',
    '.agent/agents/deeper/e.md': '',
    'web/.claude/agents/f.md': '',
    'web/policy.toml': '',
    'policy.yaml': '',
    'policy.local.json': '',
    'our-policy.yaml': '',
    'node_modules/x/.claude/agents/g.md': '',
    '.git/policy.yaml': '',
  });
  assert.equal(
    findFiles(root).files.map(({ path }) => path),
    [
      '.agent/agents/d.md',
      '.claude/agents/a.md',
      '.claude/agents/deep/er/.b.md',
      '.claude/settings.json',
      '.codex/agents/c.yaml',
      '.codex/config.toml',
      'policy.local.json',
      'policy.yaml',
      'web/.claude/agents/f.md',
      'web/policy.toml',
    ],
  );
});

test('the newest version of what the project publishes itself is what it wants, unless others may publish that name', () => {
  const servers = (name: string) => `{"mcpServers": {"a": {"command": "npx", "args": ["-y", "${name}@latest"]}}}`;
  const reported = (files: Readonly<Record<string, string>>) =>
    lintFolder(folder(files)).findings.filter(({ ruleId }) => ruleId === 'mcp/unpinned-package').length;
  assert.is(reported({ 'a/.mcp.json': servers('@o/own'), 'package.json': '{\n  "name": "@o/own"\n}\n' }), 0);
  assert.is(reported({ 'a/.mcp.json': servers('@o/own'), 'package.json': '{"name": "@o/own", "private": true}' }), 1);
  assert.is(reported({ 'a/.mcp.json': servers('other'), 'package.json': '{"name": "@o/own"}' }), 1);
  assert.is(reported({ '.mcp.json': servers('other'), 'node_modules/other/package.json': '{"name": "other"}' }), 1);
});

const rows: readonly (readonly [rule: string, say: string, content: string | Uint8Array, ...places: readonly string[]])[] = [
  [
    'schema/encoding',
    'one byte of Latin-1 in line 3',
    Buffer.from(definition('tools: Read').replace('changes', 'caf\xe9'), 'latin1'),
    '3:25-3:26 warning',
  ],
  ['schema/encoding', 'UTF-16', Buffer.from(`\uFEFF${definition()}`, 'utf16le'), '1:1-1:2 error'],
  ['schema/encoding', 'UTF-8', definition('tools: Read').replace('changes', 'café')],
  ['schema/too-large', 'more than 1 MiB', 'x'.repeat(1_048_577), '1:1-1:2 error'],
];
for (const [rule, say, content, ...places] of rows)
  test(`${rule}: ${say}`, () => {
    assert.equal(placesOf(lintFolder(folder({ '.claude/agents/reviewer.md': content })), rule), places);
  });

test('a FIFO is not waited for', () => {
  const root = folder({ '.claude/agents/a.md': '' });
  execFileSync('mkfifo', [join(root, '.claude/agents/reviewer.md')]);
  assert.equal(placesOf(lintFolder(root), 'discovery/unreadable'), ['1:1-1:2 error']);
});

test('a link is not followed, whether to a file, a folder or itself, and each is said', () => {
  const outside = folder({
    'secret.md': `${definition()}sk-ant-${'x'.repeat(40)}\n`,
    'agents/z.md': definition('tools: [Nonsense]'),
  });
  const root = folder({ '.claude/agents/a.md': definition('tools: Read').replace('reviewer', 'a') });
  symlinkSync(join(outside, 'secret.md'), join(root, '.claude/agents/link.md'));
  symlinkSync('loop.md', join(root, '.claude/agents/loop.md'));
  symlinkSync(join(outside, 'secret.md'), join(root, 'policy.yaml'));
  mkdirSync(join(root, '.codex'));
  symlinkSync(join(outside, 'agents'), join(root, '.codex/agents'));
  symlinkSync(root, join(root, 'again'));
  const { findings } = lintFolder(root);
  assert.equal(
    findings.map(({ ruleId, location }) => `${ruleId} ${location.file}`),
    [
      'discovery/symbolic-link .claude/agents/link.md',
      'discovery/symbolic-link .claude/agents/loop.md',
      'discovery/symbolic-link .codex/agents',
      'discovery/symbolic-link policy.yaml',
    ],
  );
});

test('a link to a file of the project is no finding: the file is checked once, at its own place where lint reads it', () => {
  const root = folder({
    'AGENTS.md': 'Be brief.\n',
    'agents/helper.txt': definition('tools: Read, Nonsense'),
    '.claude/agents/reviewer.md': definition('tools: Read'),
  });
  symlinkSync('AGENTS.md', join(root, 'CLAUDE.md'));
  symlinkSync('../../agents/helper.txt', join(root, '.claude/agents/helper.md'));
  symlinkSync('../.claude/agents', join(root, 'agents/shared'));
  mkdirSync(join(root, '.codex'));
  symlinkSync('../.claude/agents', join(root, '.codex/agents'));
  const { findings } = lintFolder(root);
  const told = findings.map(({ ruleId, location }) => `${ruleId} ${location.file}`);
  assert.equal(
    told.filter((one) => one.startsWith('discovery/symbolic-link')),
    [],
  );
  assert.ok(
    told.includes('tools/unknown-tool .claude/agents/helper.md'),
    'what lint reads nowhere else is read through the link',
  );
});

test('a folder deeper than the search goes is said', () => {
  const root = folder({ [`${'d/'.repeat(22)}.claude/agents/a.md`]: definition() });
  assert.equal(placesOf(lintFolder(root), 'discovery/incomplete'), ['1:1-1:2 warning']);
});

test('a policy with more rules than are compared is said', () => {
  const many = Array.from({ length: 40_000 }, (_, index) => `  - Bash(a${index} b c d *)`);
  const root = folder({ 'policy.yaml': policyText('allow:', ...many) });
  const report = lintFolder(root);
  assert.equal(placesOf(report, 'discovery/incomplete'), ['1:1-1:11 warning']);
});

test('an ordinary project is read whole', () => {
  assert.equal(findFiles(folder({ 'policy.yaml': '' })).incomplete, []);
});

test('files that are too large together are said, and the rest is linted', () => {
  const large = `{}${' '.repeat(1_048_000)}`;
  const settings = Array.from({ length: 18 }, (_, index) => [`d${index}/.claude/settings.json`, large]);
  const { findings } = lintFolder(
    folder({ ...Object.fromEntries(settings), 'e/.claude/agents/a.md': '---\nname: a\n---\nHi.\n' }),
  );
  const unread = findings.filter(({ ruleId }) => ruleId === 'schema/too-large');
  assert.is(unread.length, 2);
  assert.match(unread[0]?.message ?? '', /too large together/);
  assert.ok(findings.some(({ ruleId }) => ruleId === 'schema/missing-description'));
});

test('files of one folder that are not read are one finding, whose count is that of the chosen files', () => {
  const rules = ['a', 'b', 'c', 'sub/d'].map((name): [string, string] => [`.cursor/rules/${name}.md`, 'Write tests.\n']);
  const root = folder(Object.fromEntries(rules));
  const told = (wanted: (path: string) => boolean) =>
    lint(findFiles(root), { ...DEFAULT_OPTIONS, wanted }).findings.map(({ location, message, related }) => [
      location.file,
      / The same goes for .*/.exec(message)?.[0] ?? '',
      related.map(({ file }) => file),
    ]);
  assert.equal(
    told(() => true),
    [
      ['.cursor/rules/a.md', ' The same goes for 2 other files of this folder.', ['.cursor/rules/b.md', '.cursor/rules/c.md']],
      ['.cursor/rules/sub/d.md', '', []],
    ],
  );
  assert.equal(
    told((path) => path.endsWith('c.md')),
    [['.cursor/rules/c.md', '', []]],
  );
});

test('equal mistakes of one file are one finding', () => {
  const plugins = ['a', 'b', 'c'].map((name) => ({ name, source: `github:x/${name === 'c' ? 'y' : 'x'}` }));
  const root = folder({
    '.claude-plugin/marketplace.json': JSON.stringify({ name: 'm', owner: { name: 'x' }, plugins }, null, 1),
  });
  const found = lint(findFiles(root), DEFAULT_OPTIONS).findings.filter(({ ruleId }) => ruleId === 'plugins/refused');
  assert.equal(
    found.map(({ message }) => / The same goes for .*/.exec(message)?.[0] ?? ''),
    [' The same goes for 1 other place of this file.', ''],
  );
});

test.run();
