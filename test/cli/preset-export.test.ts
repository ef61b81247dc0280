// `policy preset export` and `preset map`: what they print, and what they write.
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { validatePresetExport } from '../../src/generated/validators/preset-export.js';
import { policy, scratch } from './spawned.js';

const test = suite('preset export');
const folder = scratch({ 'README.md': 'A project.\n' });
const ask = (...args: readonly string[]) => policy(['preset', ...args], { cwd: folder });

const STARTS = {
  'claude-code': 'claude -p --output-format stream-json --verbose --permission-mode default',
  codex: 'codex exec --json --sandbox read-only -c approval_policy=never',
  'gemini-cli': 'gemini --approval-mode plan -o stream-json -p',
  'copilot-cli': 'copilot --available-tools=view,grep,glob --disallow-temp-dir --output-format json -p',
  opencode: 'opencode run --format json',
  'qwen-code': 'qwen --approval-mode plan -o stream-json -p',
};
for (const [runner, line] of Object.entries(STARTS))
  test(`map readOnly --runner ${runner}`, () => {
    const { stdout, status } = ask('map', 'readOnly', '--runner', runner);
    assert.is(status, 0);
    assert.is(stdout, `${line}\n`);
  });

test('map for Codex, as the original table has it: sandbox, approvals and the warning (R116 with R081, R084, R087)', () => {
  const unsandboxed = 'codex exec --json --sandbox danger-full-access -c approval_policy=never\n';
  for (const [preset, line] of [
    ['readOnly', `${STARTS.codex}\n`],
    ['safe', unsandboxed],
    ['all', unsandboxed],
  ] as const) {
    const { status, stdout, stderr } = ask('map', preset, '--runner', 'codex');
    assert.equal([status, stdout], [0, line], preset);
    assert.is(stderr.includes('(preset/unsandboxed)'), preset !== 'readOnly', stderr);
  }
  const sandboxed = ask('map', 'safe', '--runner', 'codex', '--sandboxed');
  assert.is(sandboxed.stdout, 'codex exec --json --sandbox workspace-write -c approval_policy=never\n');
  assert.not.match(sandboxed.stderr, /unsandboxed/);
});

test('map says which files the command line counts on, and what is lost', () => {
  const { stderr } = ask('map', 'safe', '--runner', 'gemini-cli');
  assert.match(stderr, /It relies on the files that policy preset export safe --runner gemini-cli prints\./);
  assert.match(stderr, /^warning: not-expressible: Bash\(git push\*\): Gemini CLI cannot hold `git push` to harmless options/m);
});

test('map quotes what a shell would take apart', () => {
  const { stdout } = ask('map', 'safe', '--runner', 'copilot-cli', '--with-hook');
  assert.match(stdout, / '--allow-tool=shell\(git status:\*\)' /);
});

test('the text names each file, the command line and every loss', () => {
  const { stdout, status } = ask('export', 'safe', '--runner', 'codex', '--with-hook');
  assert.is(status, 0);
  assert.equal(
    stdout.split('\n').filter((line) => /^# (?!Preset|Written)/.test(line)),
    ['# .codex/rules/policy-safe.rules', '# Command line', '# Before it counts', '# Loss report'],
  );
  assert.match(stdout, /^codex exec --json --sandbox workspace-write -c approval_policy=never$/m);
  assert.match(stdout, /^wider: Bash\(git push\*\): Codex lets `git push` run with any option; the hook enforces the rest\.$/m);
});

test('the JSON meets its schema; for Codex it holds the session, without an environment (R113)', () => {
  for (const runner of [...Object.keys(STARTS), 'cursor']) {
    const told = JSON.parse(ask('export', 'readOnly', '--runner', runner, '--json').stdout);
    assert.ok(validatePresetExport(told), `${runner}: ${JSON.stringify(validatePresetExport.errors)}`);
    assert.is('config' in told, runner === 'codex');
  }
  const { config } = JSON.parse(ask('export', 'readOnly', '--runner', 'codex', '--json').stdout);
  assert.equal(Object.keys(config), ['type', 'cwd', 'prompt', 'model', 'sandbox', 'approvalPolicy', 'fullAuto']);
  assert.is(config.sandbox, 'read-only');
});

test('--output writes the files, and replaces none without --force', () => {
  const target = join(folder, 'out');
  const args = ['export', 'safe', '--runner', 'gemini-cli', '--output', target];
  const written = ask(...args);
  assert.is(written.status, 0);
  const file = join(target, 'home/.gemini/policies/policy-safe.toml');
  assert.match(readFileSync(file, 'utf8'), /^# Preset safe/);
  assert.not.match(written.stdout, /\[\[rule\]\]/);
  writeFileSync(file, 'mine\n');
  const again = ask(...args);
  assert.is(again.status, 3);
  assert.match(again.stderr, /policy-safe\.toml already exists; --force replaces it/);
  assert.is(readFileSync(file, 'utf8'), 'mine\n');
  assert.is(ask(...args, '--force').status, 0);
  assert.match(readFileSync(file, 'utf8'), /^# Preset safe/);
});

test('a link in the place of a file is not followed', () => {
  const target = join(folder, 'linked');
  const outside = join(scratch({ 'settings.json': 'theirs\n' }), 'settings.json');
  ask('export', 'safe', '--runner', 'claude-code', '--output', target);
  const file = join(target, '.claude/settings.json');
  rmSync(file);
  symlinkSync(outside, file);
  const { status, stderr } = ask('export', 'safe', '--runner', 'claude-code', '--output', target, '--force');
  assert.is(status, 3, stderr);
  assert.is(readFileSync(outside, 'utf8'), 'theirs\n');
});

test('what is not known is wrong usage', () => {
  assert.match(ask('export', 'safe').stderr, /policy preset export needs --runner; known are claude-code, codex/);
  assert.is(ask('export', 'safe').status, 3);
  assert.is(ask('export', 'safest', '--runner', 'codex').status, 3);
  assert.is(ask('map', 'safe', '--runner', 'cursor').status, 3);
  assert.is(ask('export', 'safe', '--runner', 'codex', '--output', '').status, 3);
  assert.not(existsSync(join(folder, '.codex')));
});

test.run();
