// `policy install RUNNER --sandbox`: what it puts beside the hook, what of a person stays, and that all of it goes again.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyHookChange, type HookChange, planInstall, planSandbox, planUninstall } from '../../../src/install/install.js';
import { sandboxOf } from '../../../src/install/sandbox.js';
import { hookPath } from '../../../src/install/target.js';
import { hookCommandLine } from '../../../src/runner/hook/command-line.js';
import type { Runner } from '../../../src/runner/hook/runner.js';
import { allRunners, runnerNamed } from '../../../src/runner/runners.js';
import { scratch } from '../../cli/spawned.js';

const test = suite('install --sandbox');
const NOW = new Date('2026-11-28T10:12:00Z');
const claude = runnerNamed('claude-code') as Runner;
const codex = runnerNamed('codex') as Runner;

function world(runner: Runner) {
  const base = scratch({ 'home/.keep': '', 'project/.git/HEAD': 'ref: refs/heads/main\n' });
  const places = { home: join(base, 'home'), project: join(base, 'project'), machine: join(base, 'machine'), environment: {} };
  const state = join(base, 'state');
  const own = typeof runner.sandbox === 'string' ? undefined : runner.sandbox.files?.user;
  const file = hookPath(runner, 'user', places, own) ?? '';
  const line = hookCommandLine({
    ...{
      runner: runner.id,
      platform: 'linux',
      node: '/usr/bin/node',
      hook: '/home/ann/.local/share/policy/versions/1-a/dist/hook.cjs',
    },
    ...{ home: '/home/ann', project: null, configDirectory: '/c', stateDirectory: '/s', shell: null },
  });
  const make = (plan: () => HookChange) => applyHookChange(plan, state, NOW);
  const hook = (sandbox = false) =>
    make(() => planInstall(runner, 'user', places, line ?? '', sandbox ? sandboxOf(runner) : undefined));
  return {
    state,
    hook,
    install: (): readonly string[] => {
      const sandbox = sandboxOf(runner);
      const made = sandbox.files === undefined ? [] : [make(() => planSandbox(runner, 'user', places, sandbox))];
      return [...made, hook(true)].flatMap((one) => one.sandbox?.told ?? []);
    },
    uninstall: () => {
      for (const one of own === undefined ? [undefined] : [undefined, own])
        make(() => planUninstall(runner, 'user', places, state, one));
    },
    read: () => (existsSync(file) ? readFileSync(file, 'utf8') : null),
    write: (text: string) => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    beside: () => readdirSync(dirname(file)),
    top: () => readdirSync(places.home),
  };
}

const JSON_TEXT = '{\n\t"model" : "m",\n\n\t"sandbox": {"network": {"allowedDomains": ["example.com"]}},\n\t"env": {}\n}\n';
const TOML_TEXT = '# mine\nmodel = "m" # really\n\n[projects."/a"]\ntrust_level = "trusted"';

const texts: readonly (readonly [what: string, runner: Runner, text: string | null])[] = [
  ['no file', claude, null],
  ['an empty object', claude, '{}'],
  ['one line', claude, '{ "sandbox": { "filesystem": { "denyRead": ["~/mine"] } }, "model": "m" }'],
  ['a sandbox that was switched off', claude, '{\n  "sandbox": {\n    "enabled": false\n  }\n}\n'],
  ['other settings of the sandbox', claude, JSON_TEXT],
  ['CR LF', claude, JSON_TEXT.replaceAll('\n', '\r\n')],
  ['no file', codex, null],
  ['an empty file', codex, ''],
  ['settings', codex, TOML_TEXT],
  ['a line break at the end, and CR LF', codex, `${TOML_TEXT}\n`.replaceAll('\n', '\r\n')],
];

for (const [what, runner, text] of texts)
  test(`${runner.id}, ${what}: switched on, twice is once, and back to the byte`, () => {
    const { install, uninstall, read, write, beside, top } = world(runner);
    if (text !== null) write(text);
    const before = text === null ? top() : beside();
    install();
    const made = read() ?? '';
    assert.ok(made.includes('~/.ssh') && made.includes('~/.netrc'), made);
    if (text?.includes('\r\n')) assert.not.match(made.replaceAll('\r\n', ''), /\n/);
    install();
    assert.is(read(), made, 'twice is once');
    uninstall();
    assert.is(read(), text);
    assert.equal(text === null ? top() : beside(), before, 'nothing is left beside it');
  });

test('Claude Code: it fails closed, and denies what rules/secrets.yaml names in the home, each once', () => {
  const { install, read } = world(claude);
  install();
  const { filesystem, ...sandbox } = JSON.parse(read() ?? '').sandbox;
  assert.equal(sandbox, {
    ...{ enabled: true, failIfUnavailable: true, allowUnsandboxedCommands: false, autoAllowBashIfSandboxed: false },
  });
  const denied: readonly string[] = filesystem.denyRead;
  for (const path of ['~/.ssh', '~/.aws', '~/.gnupg', '~/.config/gh', '~/.npmrc', '~/.codex/auth.json'])
    assert.ok(denied.includes(path), path);
  assert.is(new Set(denied).size, denied.length);
  for (const path of denied) assert.not.match(path, /[*?]|^~\/\.aws\//);
});

test('Codex: a profile that extends the workspace, with the same files', () => {
  const { install, read, write } = world(codex);
  write(TOML_TEXT);
  install();
  const { default_permissions, permissions, ...rest } = JSON.parse(JSON.stringify(parse(read() ?? '')));
  assert.is(default_permissions, 'policy');
  assert.is(permissions.policy.extends, ':workspace');
  assert.is(permissions.policy.filesystem['~/.aws'], 'deny');
  assert.equal(rest, JSON.parse(JSON.stringify(parse(TOML_TEXT))));
});

test('a switch that was off is said and turned; what else a person set stays and is said, and lists are joined', () => {
  const { install, uninstall, read, write } = world(claude);
  const mine = { enabled: false, allowUnsandboxedCommands: true, filesystem: { denyRead: ['~/mine', '~/.ssh'] } };
  write(JSON.stringify({ sandbox: mine }, null, 2));
  const told = install().map((text) => text.replace(/ in \S+settings\.json/, ''));
  assert.equal(told, [
    'sandbox.enabled is false, and becomes true',
    'sandbox.allowUnsandboxedCommands is true and stays so, although false limits more',
  ]);
  const { sandbox } = JSON.parse(read() ?? '');
  assert.equal([sandbox.enabled, sandbox.allowUnsandboxedCommands], [true, true]);
  assert.equal(sandbox.filesystem.denyRead.slice(0, 2), ['~/mine', '~/.ssh']);
  write((read() ?? '').replace('"~/mine"', '"~/mine2"'));
  uninstall();
  assert.equal(JSON.parse(read() ?? ''), { sandbox: { ...mine, filesystem: { denyRead: ['~/mine2', '~/.ssh'] } } });
});

test('what the client or a person wrote since stays, and only ours goes', () => {
  const one = world(claude);
  one.write('{\n  "model": "a"\n}\n');
  one.install();
  one.write((one.read() ?? '').replace('"a"', '"b"'));
  one.uninstall();
  assert.is(one.read(), '{\n  "model": "b"\n}\n');
  const other = world(codex);
  other.write(`${TOML_TEXT}\n`);
  other.install();
  other.write(`${other.read()}\n[projects."/b"]\ntrust_level = "trusted"\n`);
  other.uninstall();
  assert.equal(parse(other.read() ?? ''), parse(`${TOML_TEXT}\n[projects."/b"]\ntrust_level = "trusted"\n`));
  assert.not.match(other.read() ?? '', /policy/);
});

test('the hook first, an edit, then the sandbox: both go', () => {
  const { hook, install, uninstall, read, write } = world(claude);
  write('{\n  "model": "a"\n}\n');
  hook();
  write((read() ?? '').replace('"a"', '"b"'));
  install();
  uninstall();
  assert.is(read(), '{\n  "model": "b"\n}\n');
});

test('an install without --sandbox leaves it on', () => {
  const { hook, install, read } = world(claude);
  install();
  const made = read();
  hook();
  assert.is(read(), made);
});

for (const [what, text] of [
  ['a stricter mode', 'sandbox_mode = "read-only"\n'],
  ['a profile', 'default_permissions = ":workspace"\n'],
] as const)
  test(`Codex: ${what} of a person stays, and that is said`, () => {
    const { install, read, write } = world(codex);
    write(text);
    assert.match(install().join(), /and stays so/);
    assert.is(read(), text);
  });

const refused: readonly (readonly [what: string, runner: Runner, text: string, says: RegExp])[] = [
  ['no sandbox', codex, 'sandbox_mode = "danger-full-access"\n', /danger-full-access.*is not a sandbox; remove that line first/],
  ['a profile without one', codex, 'default_permissions = ":danger-full-access"\n', /is not a sandbox/],
  ['a profile of that name', codex, '[permissions.policy]\nextends = ":workspace"\n', /its permissions\.policy is set already/],
  ['broken TOML', codex, 'model = \n', /line 1: this is not valid TOML/],
  [
    'profiles in one line, which cannot be added to',
    codex,
    'permissions = { x = { extends = ":workspace" } }\n',
    /not valid TOML|cannot be added to/,
  ],
  ['a sandbox that is no object', claude, '{ "sandbox": true }', /its "sandbox" is not an object/],
  [
    'a list that is none',
    claude,
    '{ "sandbox": { "filesystem": { "denyRead": "~" } } }',
    /"sandbox\.filesystem\.denyRead" is not a list/,
  ],
];
for (const [what, runner, text, says] of refused)
  test(`${runner.id}: ${what}: refused, nothing changed`, () => {
    const { install, read, write, beside } = world(runner);
    write(text);
    assert.throws(install, says);
    assert.is(read(), text);
    assert.is(beside().length, 1);
  });

for (const runner of allRunners().filter(({ sandbox }) => typeof sandbox === 'string'))
  test(`${runner.id}: refused in a sentence that says why`, () => {
    assert.throws(
      () => sandboxOf(runner),
      new RegExp(`^The sandbox of ${runner.id} cannot be switched on here\\. [A-Z].*\\. Nothing was changed$`),
    );
  });

test('Codex: no place in a project', () => {
  const places = { home: '/h', project: '/p', machine: '', environment: {} };
  assert.throws(() => planSandbox(codex, 'project', places, sandboxOf(codex)), /has no project place; use --user/);
});

test.run();
