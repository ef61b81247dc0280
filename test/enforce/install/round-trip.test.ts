// Installing and uninstalling in the settings of every runner: what was there stays to the byte, and twice is once.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyHookChange, planInstall, planUninstall } from '../../../src/install/install.js';
import { hookPath, type InstallPlaces } from '../../../src/install/target.js';
import { hookCommandLine } from '../../../src/runner/hook/command-line.js';
import type { HookScope, Runner } from '../../../src/runner/hook/runner.js';
import { allRunners, runnerNamed } from '../../../src/runner/runners.js';
import { scratch } from '../../cli/spawned.js';

const test = suite('install and uninstall');
const NOW = new Date('2026-11-21T10:12:00Z');
const runners = allRunners();

/** A line as some version installs it. */
function lineOf(runner: Runner, version: string): string {
  const line = hookCommandLine({
    runner: runner.id,
    platform: 'linux',
    node: '/usr/bin/node',
    hook: `/home/ann/.local/share/policy/versions/${version}/dist/hook.cjs`,
    home: '/home/ann',
    project: null,
    configDirectory: '/home/ann/.config/policy',
    stateDirectory: '/home/ann/.local/state/policy',
    shell: null,
  });
  return line ?? '';
}

interface World {
  readonly places: InstallPlaces;
  readonly state: string;
  readonly file: string;
  install(version?: string): string | null;
  uninstall(): void;
  read(): string | null;
}

/** A home, a project and a machine of one's own. */
function world(runner: Runner, scope: HookScope): World {
  const base = scratch({ 'home/.keep': '', 'project/.git/HEAD': 'ref: refs/heads/main\n' });
  const places = { home: join(base, 'home'), project: join(base, 'project'), machine: join(base, 'machine'), environment: {} };
  const state = join(base, 'state');
  const file = hookPath(runner, scope, places) ?? '';
  mkdirSync(join(base, 'machine'));
  return {
    places,
    state,
    file,
    install: (version = '1-a') =>
      applyHookChange(() => planInstall(runner, scope, places, lineOf(runner, version)), state, NOW).backup,
    uninstall: () => {
      applyHookChange(() => planUninstall(runner, scope, places, state), state, NOW);
    },
    read: () => (existsSync(file) ? readFileSync(file, 'utf8') : null),
  };
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The event that gates, and the list of it with somebody else's hook, as each runner writes it. */
const GROUPED = (event: string) =>
  `{\n  "theme": "dark",\n  "hooks": {\n    "${event}": [\n      {\n        "matcher": "Bash",\n        "hooks": [{ "type": "command", "command": "./audit.sh", "timeout": 5 }]\n      }\n    ],\n    "Notification": []\n  },\n  "env": { "A": "1" }\n}\n`;
const FLAT = (event: string) => `{\n  "version": 1,\n  "hooks": { "${event}": [{ "command": "./audit.sh" }] }\n}\n`;
const COMMENTED = (event: string) =>
  `// mine\n{\n\t"theme": "dark", // really\n\t/* hooks */\n\t"hooks": {\n\t\t// before\n\t\t"${event}": [\n\t\t\t{ "matcher": "*", "hooks": [{ "type": "command", "command": "x" }] }, // last\n\t\t], /* end */\n\t},\n}\n`;

const TOML =
  '# settings\n[permissions]\ndefault_mode = "ask" # always\n\n[[hooks]]\nevent = "post_tool_use"\n[hooks.action]\ntype = "shell"\ncommand = "./audit.sh"\n';

/** Texts that each runner may have. */
function textsOf({ id }: Runner): Readonly<Record<string, string>> {
  const small = { empty: '', blank: '\n\n', 'an empty object': '{}', 'an empty object on two lines': '{\n}\n' };
  const event = id === 'gemini-cli' ? 'BeforeTool' : id === 'copilot-cli' || id === 'cursor' ? 'preToolUse' : 'PreToolUse';
  const others = id === 'copilot-cli' || id === 'cursor' ? FLAT(event) : GROUPED(event);
  const json = {
    ...small,
    "others' hooks": others,
    'CR LF': others.replaceAll('\n', '\r\n'),
    tabs: others.replaceAll('  ', '\t'),
    'four blanks': others.replaceAll('  ', '    '),
    'no line break at the end': others.trimEnd(),
    'one line': JSON.stringify(JSON.parse(others)),
    'one line with blanks': others.replaceAll(/\n\s*/g, ' '),
    'a byte order mark': `\uFEFF${others}`,
    'an empty list': others.replace(
      /\[\{? ?"command": "\.\/audit\.sh" \}?\]|(?<="(?:PreToolUse|BeforeTool)": )\[[\s\S]*?\n {4}\]/,
      '[]',
    ),
    'no hooks':
      id === 'copilot-cli' || id === 'cursor'
        ? '{ "version": 1 }'
        : '{ "model": "m", "permissions": { "deny": ["Bash(rm *)"] } }',
  };
  if (id === 'opencode') return { empty: '' };
  if (id === 'agent-code')
    return { empty: '', others: TOML, 'CR LF': TOML.replaceAll('\n', '\r\n'), 'no line break at the end': TOML.trimEnd() };
  const lenient = id === 'gemini-cli' || id === 'qwen-code';
  return lenient ? { ...json, comments: COMMENTED(event), 'comments, CR LF': COMMENTED(event).replaceAll('\n', '\r\n') } : json;
}

for (const runner of runners)
  for (const scope of ['user', 'project', 'managed'] as const) {
    if (runner.places[scope] === null) continue;

    test(`${runner.id} --${scope}: a file that was not there holds the settings, and is gone again with its folder`, () => {
      const { install, uninstall, read, file, places } = world(runner, scope);
      const top = scope === 'user' ? places.home : scope === 'project' ? places.project : places.machine;
      const before = readdirSync(top).sort();
      install();
      const text = read() ?? '';
      assert.ok(text.includes('1-a/dist/hook.cjs'), text);
      assert.is(statSync(file).mode & 0o777, scope === 'managed' ? 0o644 : 0o600);
      install();
      assert.is(read(), text, 'twice is once');
      uninstall();
      assert.is(read(), null);
      assert.equal(readdirSync(top).sort(), before);
      uninstall();
    });

    for (const [what, text] of Object.entries(textsOf(runner))) {
      test(`${runner.id} --${scope}: ${what}`, () => {
        const { install, uninstall, read, file, state } = world(runner, scope);
        write(file, text);
        chmodSync(file, 0o640);
        const backup = install();
        const installed = read() ?? '';
        assert.is.not(installed, text);
        assert.ok(installed.includes('1-a/dist/hook.cjs'));
        assert.is(statSync(file).mode & 0o777, 0o640, 'the mode stays');
        assert.is(readFileSync(backup ?? '', 'utf8'), text);
        assert.is(statSync(backup ?? '').mode & 0o777, 0o600);
        if (text.includes('\r\n')) assert.not.match(installed.replaceAll('\r\n', ''), /\n/);
        for (const [part] of text.matchAll(/\/\/.*|\/\*.*?\*\/|#.*|\.\/audit\.sh/g)) assert.ok(installed.includes(part), part);
        install();
        assert.is(read(), installed, 'twice is once');
        install('2-b');
        assert.not.match(read() ?? '', /1-a/);
        assert.match(read() ?? '', /2-b/);
        assert.is(read()?.replaceAll('2-b', '1-a'), installed, 'a newer one stands where the older one stood');
        uninstall();
        assert.is(read(), text);
        assert.equal(readdirSync(dirname(file)), [file.slice(dirname(file).length + 1)], 'nothing is left beside it');
        assert.equal(readdirSync(join(state, 'installs')), []);
      });

      test(`${runner.id} --${scope}: ${what}, without a receipt`, () => {
        const { install, uninstall, read, file, state } = world(runner, scope);
        write(file, text);
        install();
        for (const name of readdirSync(join(state, 'installs'))) writeFileSync(join(state, 'installs', name), '{}');
        uninstall();
        const left = read();
        assert.not.match(left ?? '', /hook\.cjs/);
        if (/audit|command": "x"/.test(text) && what !== 'an empty list') {
          const same = (one: string) => (runner.id === 'agent-code' ? one.trimEnd() : one);
          assert.is(same(left ?? ''), same(text));
        }
      });
    }
  }

const claude = runnerNamed('claude-code') as Runner;
const gemini = runnerNamed('gemini-cli') as Runner;

const refused: readonly (readonly [what: string, runner: Runner, text: string, says: RegExp])[] = [
  ['broken JSON', claude, '{ "hooks": ', /settings\.json: line 1: this is not valid JSON/],
  [
    'a comment, for which Claude Code ignores the file',
    claude,
    '{\n  // no\n}',
    /line 2: this is not valid JSON \(invalid comment token\)/,
  ],
  ['a spare comma, likewise', claude, '{ "a": 1, }', /not valid JSON/],
  ['a key that is written twice', claude, '{ "hooks": {}, "hooks": {} }', /"hooks" is written twice/],
  ['a key that is written twice deep inside', gemini, '{ "a": [{ "b": 1, "b": 2 }] }', /"b" is written twice/],
  ['a list', claude, '[]', /it is not an object/],
  ['hooks that are a list', claude, '{ "hooks": [] }', /"hooks" is not an object/],
  ['an event that is no list', claude, '{ "hooks": { "PreToolUse": {} } }', /"hooks\.PreToolUse" is not a list/],
  ['a million brackets', gemini, '['.repeat(1_000_000), /not valid JSON|nests deeper/],
  ['deep nesting', gemini, `{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`, /nests deeper than 100 levels/],
  ['a huge file', gemini, `{ "a": "${'x'.repeat(1_100_000)}" }`, /is larger than 1048576 bytes/],
  ['two documents', gemini, '{} {}', /not valid JSON/],
  ['another version of the format', runnerNamed('cursor') as Runner, '{ "version": 2 }', /"version" is not 1/],
  ['a plugin of somebody else', runnerNamed('opencode') as Runner, 'export const X = 1;\n', /not our plugin/],
];
for (const [what, runner, text, says] of refused)
  test(`${what}: refused, nothing changed`, () => {
    const { install, read, file } = world(runner, 'user');
    write(file, text);
    assert.throws(() => install(), says);
    assert.is(read(), text);
    assert.is(readdirSync(dirname(file)).length, 1);
  });

for (const text of [
  'hooks = [{ event = "x", action = { type = "shell", command = "y" } }]\n',
  'hooks = []',
  '[hooks]\na = 1\n',
  'hooks.a = 1\n',
])
  test(`a TOML file with hooks in another form: refused by that name, nothing changed: ${text.trim()}`, () => {
    const { install, read, file } = world(runnerNamed('agent-code') as Runner, 'project');
    write(file, text);
    assert.throws(() => install(), /its hooks have a form to which nothing can be added/);
    assert.is(read(), text);
  });

test("a user's own link is followed, and stays a link", () => {
  const { install, uninstall, read, file, places } = world(claude, 'user');
  write(join(places.home, 'dotfiles', 'claude.json'), '{}\n');
  mkdirSync(dirname(file));
  symlinkSync('../dotfiles/claude.json', file);
  install();
  assert.match(readFileSync(join(places.home, 'dotfiles', 'claude.json'), 'utf8'), /hook\.cjs/);
  uninstall();
  assert.is(read(), '{}\n');
  assert.ok(readdirSync(dirname(file)).includes('settings.json'));
});

test('a link below a project is refused: it may lead to anything', () => {
  const { install, file, places } = world(claude, 'project');
  write(join(places.home, 'victim.json'), '{}\n');
  mkdirSync(dirname(file));
  symlinkSync(join(places.home, 'victim.json'), file);
  assert.throws(() => install(), /is a symbolic link/);
  assert.is(readFileSync(join(places.home, 'victim.json'), 'utf8'), '{}\n');
});

test('a linked folder below a project is refused', () => {
  const { install, places } = world(claude, 'project');
  mkdirSync(join(places.home, '.claude'));
  symlinkSync(join(places.home, '.claude'), join(places.project, '.claude'));
  assert.throws(() => install(), /leads outside the project/);
});

test('a link that leads nowhere is refused', () => {
  const { install, file } = world(claude, 'user');
  mkdirSync(dirname(file));
  symlinkSync('gone.json', file);
  assert.throws(() => install(), /leads nowhere/);
});

test('a folder in the place of the file is refused', () => {
  const { install, file } = world(claude, 'user');
  mkdirSync(file, { recursive: true });
  assert.throws(() => install(), /is not a regular file/);
});

test('what the user changed after the installation stays; only ours goes', () => {
  const { install, uninstall, read, file } = world(claude, 'user');
  write(file, '{\n  "model": "a"\n}\n');
  install();
  writeFileSync(file, (read() ?? '').replace('"a"', '"b"'));
  uninstall();
  assert.is(read(), '{\n  "model": "b"\n}\n');
});

test('in a group with a hook of somebody else only ours goes; installing gives ours a group of its own', () => {
  const { install, uninstall, read, file } = world(claude, 'user');
  const theirs = { type: 'command', command: './a.sh' };
  const ours = { type: 'command', command: lineOf(claude, '0-old') };
  write(file, JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [theirs, ours] }] } }, null, 2));
  install();
  const groups = JSON.parse(read() ?? '').hooks.PreToolUse;
  assert.equal(groups[0], { matcher: 'Bash', hooks: [theirs] });
  assert.is(groups[1].matcher, '*');
  writeFileSync(file, JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [theirs, ours] }] } }));
  uninstall();
  assert.equal(JSON.parse(read() ?? ''), { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [theirs] }] } });
});

test('lines of older versions and of hand are ours, in every event; those of others are not', () => {
  const { uninstall, read, file } = world(claude, 'user');
  const lines = [
    'policy hook claude-code',
    '/usr/bin/node /opt/policy/dist/hook.cjs claude-code --state-dir /s || { echo failed >&2; exit 2; }',
    lineOf(claude, '0-old'),
    '/usr/bin/timeout -k 1 10 /usr/bin/env -i HOME=/h PATH=/bin /usr/bin/node /opt/p/dist/hook.cjs claude-code --state-dir /s --environment parent; r=$?; case $r in 0|2) exit $r;; *) echo "policy denied this call: the hook did not answer (exit $r)" >&2; exit 2;; esac',
  ];
  const others = [
    'policy check Bash x',
    './policy-hook.sh',
    'policy hook claude-code; ./mine.sh',
    'echo policy hook claude-code',
  ];
  const group = (command: string) => ({ matcher: '*', hooks: [{ type: 'command', command }] });
  write(file, JSON.stringify({ hooks: { PreToolUse: [...lines, ...others].map(group), Stop: lines.map(group) } }, null, 2));
  uninstall();
  assert.equal(JSON.parse(read() ?? ''), { hooks: { PreToolUse: others.map(group) } });
});

test.run();
