/** Exports of presets: nothing in them is looser than the preset, and what is lost is named. */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { validatePresetExport } from '../../../src/generated/validators/preset-export.js';
import { PRESETS, type PresetName } from '../../../src/policy/policy.js';
import type { Effect } from '../../../src/rule/pattern/permission-rule.js';
import { exportPreset, NATIVE_RUNNERS } from '../../../src/runner/exports.js';
import { EXACT_LINES, REFUSED_PREFIXES } from '../../../src/runner/native/lines.js';
import type { NativeExport } from '../../../src/runner/native/model.js';
import { partsOf } from '../../../src/runner/native/parts.js';
import { decideIn } from '../../decide/world.js';
import { lintTexts } from '../../lint/linted.js';
import { claudeCode, codex, geminiCli, type NativeCall, opencode, PROJECT, type Reader, textOf } from './readers.js';

const BOTH = [false, true];
const every = PRESETS.flatMap((preset) =>
  NATIVE_RUNNERS.flatMap((runner) => BOTH.map((withHook) => ({ preset, runner, withHook }))),
);
const nameOf = ({ preset, runner, withHook }: (typeof every)[number]) => `${runner} ${preset}${withHook ? ' with the hook' : ''}`;
const made = ({ preset, runner, withHook }: (typeof every)[number]): NativeExport => exportPreset(preset, runner, { withHook });

test('no export holds a flag that takes all questions away (R127)', () => {
  const forbidden =
    /--dangerously|--yolo|--allow-all(?!-tools)|"?bypassPermissions\b|[= ]yolo|--full-auto|approval_mode|--auto\b/;
  for (const one of every) {
    const { flags, files } = made(one);
    assert.not.match([...flags, ...files.map(({ text }) => text)].join(' '), forbidden, nameOf(one));
    assert.not(flags.includes('yolo'), nameOf(one));
  }
});

test('every export meets its schema, and says each thing in one sentence', () => {
  for (const one of every) {
    const exported = made(one);
    const told = { ...exported, command: [exported.program, ...exported.flags] };
    assert.ok(validatePresetExport(told), `${nameOf(one)}: ${JSON.stringify(validatePresetExport.errors)}`);
    for (const { why } of exported.losses) assert.match(why, /^[A-Z][^\n]*\.$/);
  }
});

test('without the hook nothing is wider than the preset, with it whatever is wider says so', () => {
  for (const one of every) {
    const kinds = new Set(made(one).losses.map(({ kind }) => kind));
    if (!one.withHook) assert.not(kinds.has('wider'), nameOf(one));
    else if (one.preset === 'safe' || one.preset === 'all') assert.ok(kinds.has('wider'), nameOf(one));
    assert.ok(kinds.has('built-in'), nameOf(one));
  }
});

test('the loss report names every rule for the shell: no runner can hold a command to harmless options', () => {
  for (const one of every) {
    const named = new Set(made(one).losses.map(({ rule }) => rule));
    for (const { text } of partsOf(one.preset).shell) assert.ok(named.has(text), `${nameOf(one)}: ${text}`);
    if (one.preset === 'all') assert.ok(named.has('*'), nameOf(one));
  }
});

test('an export of develop is that of safe, and says that work on the project is left out', () => {
  for (const runner of NATIVE_RUNNERS)
    for (const withHook of BOTH) {
      const [develop, safe] = [exportPreset('develop', runner, { withHook }), exportPreset('safe', runner, { withHook })];
      const written = (text: string) => text.replaceAll('develop', 'safe');
      assert.equal(written(JSON.stringify([develop.flags, develop.files])), JSON.stringify([safe.flags, safe.files]));
      assert.equal(develop.losses.slice(1), safe.losses);
      assert.match(develop.losses[0]?.why ?? '', /work on the project/);
    }
});

const linesOf = (file: string) =>
  readFileSync(`test/fixtures/${file}`, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    // Every fourth: the lists are long, and go through in groups of like lines.
    .filter((_, at) => at % 4 === 0);

const exact = Object.values(EXACT_LINES).flat();
const shell = [
  ...exact,
  // What comes behind a harmless line, or before it.
  ...exact.flatMap((line) =>
    [
      ' > out.txt',
      ' > .husky',
      ' --output=x',
      '; rm -rf src',
      ' && make',
      ' $(id)',
      ' --ext-diff',
      '\nrm -rf src',
      ' "',
      ' & make',
      ' | sh',
    ].map((end) => line + end),
  ),
  ...exact.map((line) => `GIT_PAGER=less ${line}`),
  ...REFUSED_PREFIXES.map(({ example }) => example),
  ...linesOf('read-only-commands.txt'),
  ...linesOf('dangerous-commands.txt'),
];

const paths = [
  ...['src/a.ts', 'README.md', '.env', 'deploy/.env', '.ENV', 'a/.env.local', '.envs/production', 'keys/server.pem', 'id_rsa'],
  ...['.git/config', '.git/hooks/pre-commit', 'vendor/x/.git/config', 'node_modules/a/index.js', '.husky/pre-commit'],
  ...['policy.yaml', 'policy.local.yaml', '.claude/settings.json', '.Claude/Settings.json', '.claude/hooks/a.sh'],
  ...[
    '.codex/config.toml',
    '.gemini/settings.json',
    'opencode.json',
    '.mcp.json',
    '.vscode/tasks.json',
    '.npmrc',
    '.cursor/rules/a',
  ],
  ...['terraform.tfstate', 'service-account-1.json', 'deep/er/credentials.json', '.aws/credentials', '.devcontainer/a.json'],
].map((path) => `${PROJECT}/${path}`);
const outside = [
  '/etc/passwd',
  '/home/me/.ssh/id_rsa',
  '/home/me/.bashrc',
  '/home/me/notes.txt',
  '/other/src/a.ts',
  '/etc/policy/policy.yaml',
];

const calls: readonly NativeCall[] = [
  ...shell.map((text): NativeCall => ({ kind: 'shell', text })),
  ...[...paths, ...outside].flatMap((text): NativeCall[] => [
    { kind: 'read', text },
    { kind: 'write', text },
  ]),
  { kind: 'search', text: PROJECT },
];
const secrets = [`${PROJECT}/.env`];
const decided = new Map<string, Effect>();

function presetSays(preset: PresetName, { kind, text }: NativeCall): Effect {
  const key = `${preset} ${kind} ${text}`;
  const tool = { shell: 'Bash', read: 'Read', search: 'Grep', write: 'Write' }[kind];
  const input = kind === 'write' ? { file_path: text, content: 'x' } : kind === 'search' ? { pattern: 'x', path: text } : text;
  const effect = decided.get(key) ?? decideIn({ preset, secrets }, tool, input).decision;
  decided.set(key, effect);
  return effect;
}

const READERS = { 'claude-code': claudeCode, codex, 'gemini-cli': geminiCli, opencode } as const satisfies Record<string, Reader>;

/** What a runner confines by itself, outside of its rules, which its reader does not know. */
const CONFINED = new Set(['gemini-cli']);
/** It compares names with case (named in the loss report). */
const WITH_CASE = new Set(['opencode']);

for (const preset of PRESETS)
  for (const [runner, read] of Object.entries(READERS))
    test(`${runner} ${preset}: what the export allows without the hook, the preset allows`, () => {
      const says = read(exportPreset(preset, runner as keyof typeof READERS, { withHook: false }));
      const looser = calls.filter((call) => {
        if (CONFINED.has(runner) && outside.includes(call.text)) return false;
        if (WITH_CASE.has(runner) && /\.ENV|\.Claude/.test(call.text)) return false;
        return says(call) === 'allow' && presetSays(preset, call) !== 'allow';
      });
      assert.equal(looser, []);
    });

const TRIED: readonly (readonly [PresetName, keyof typeof READERS, NativeCall['kind'], string, Effect | null])[] = [
  ['readOnly', 'claude-code', 'read', `${PROJECT}/src/a.ts`, 'allow'],
  ['readOnly', 'claude-code', 'read', `${PROJECT}/.env`, 'ask'],
  ['readOnly', 'claude-code', 'write', `${PROJECT}/src/a.ts`, 'deny'],
  ['readOnly', 'claude-code', 'shell', 'git status', 'deny'],
  ['inspect', 'claude-code', 'shell', 'git status', 'deny'],
  ['safe', 'claude-code', 'shell', 'git status', 'allow'],
  ['safe', 'claude-code', 'shell', 'git status --short', 'allow'],
  ['safe', 'claude-code', 'shell', 'git push', null],
  ['safe', 'claude-code', 'write', `${PROJECT}/src/a.ts`, 'allow'],
  ['safe', 'claude-code', 'write', `${PROJECT}/.git/config`, 'deny'],
  ['safe', 'claude-code', 'write', `${PROJECT}/.mcp.json`, 'ask'],
  ['readOnly', 'gemini-cli', 'read', `${PROJECT}/src/a.ts`, 'allow'],
  ['readOnly', 'gemini-cli', 'read', `${PROJECT}/deploy/.ENV`, 'ask'],
  ['readOnly', 'gemini-cli', 'read', `${PROJECT}/src/../.env`, 'ask'],
  ['readOnly', 'gemini-cli', 'shell', 'git status', 'deny'],
  ['safe', 'gemini-cli', 'shell', 'git status', 'allow'],
  ['safe', 'gemini-cli', 'shell', 'git status x', 'ask'],
  ['safe', 'gemini-cli', 'write', `${PROJECT}/src/a.ts`, 'allow'],
  ['safe', 'gemini-cli', 'write', `${PROJECT}/.git/config`, 'deny'],
  ['readOnly', 'opencode', 'read', `${PROJECT}/src/a.ts`, 'allow'],
  ['readOnly', 'opencode', 'read', `${PROJECT}/deploy/.env`, 'ask'],
  ['readOnly', 'opencode', 'shell', 'git status', 'deny'],
  ['safe', 'opencode', 'shell', 'git status', 'ask'],
  ['safe', 'opencode', 'write', `${PROJECT}/src/a.ts`, 'allow'],
  ['safe', 'opencode', 'write', `${PROJECT}/.git/config`, 'deny'],
  ['safe', 'codex', 'shell', 'git push --force', 'deny'],
  ['safe', 'codex', 'shell', 'git status', null],
];
for (const [preset, runner, kind, text, effect] of TRIED)
  test(`${runner} ${preset}: ${kind} ${text}: ${effect ?? 'no rule'}`, () => {
    assert.is(READERS[runner](exportPreset(preset, runner, { withHook: false }))({ kind, text }), effect);
  });

const WITH_HOOK: readonly (readonly [keyof typeof READERS, string, Effect])[] = [
  ['claude-code', 'git commit -m message', 'allow'],
  ['claude-code', 'git push --force', 'deny'],
  ['codex', 'git commit -m message', 'allow'],
  ['codex', 'git push --force', 'deny'],
  ['gemini-cli', 'git commit -m message', 'allow'],
  ['gemini-cli', 'git push --force', 'deny'],
  ['opencode', 'git commit -m message', 'allow'],
  ['opencode', 'git push --force', 'deny'],
];
for (const [runner, text, effect] of WITH_HOOK)
  test(`${runner} safe with the hook: ${text}: ${effect}`, () => {
    assert.is(READERS[runner](exportPreset('safe', runner, { withHook: true }))({ kind: 'shell', text }), effect);
  });

test('Qwen Code, Cursor and Copilot CLI get no shell without the hook', () => {
  for (const preset of PRESETS) {
    const { permissions: qwen } = JSON.parse(textOf(exportPreset(preset, 'qwen-code', { withHook: false })));
    assert.not(
      qwen.allow.some((rule: string) => /^(Bash|run_shell|monitor|edit|write)/i.test(rule)),
      preset,
    );
    assert.ok(qwen.ask.includes('Read(**/.env*)'), preset);
    const { permissions: cursor } = JSON.parse(textOf(exportPreset(preset, 'cursor', { withHook: false })));
    assert.not(
      cursor.allow.some((rule: string) => rule.startsWith('Shell')),
      preset,
    );
    assert.ok(cursor.deny.includes('Read(**/.env*)'), preset);
    const { flags } = exportPreset(preset, 'copilot-cli', { withHook: false });
    assert.ok(flags.includes('--available-tools=view,grep,glob'), preset);
    assert.not(
      flags.some((flag) => flag.startsWith('--allow')),
      preset,
    );
  }
});

/** What lint says of exports: that safe may edit every file, that only the hook bounds the rest. */
const SAID: Readonly<Record<string, readonly string[]>> = {
  'claude-code all with the hook': ['permissions/all-bash', 'permissions/any-host'],
  'qwen-code all with the hook': ['permissions/all-bash', 'permissions/any-host'],
  // Cursor's rules name a command and no more; the hook bounds its words.
  'cursor safe with the hook': [
    'permissions/git-wildcard',
    'permissions/interpreter-wildcard',
    'permissions/privileged-wildcard',
  ],
  'cursor all with the hook': ['permissions/all-bash'],
  // The rules bound only the beginning of a command; the hook holds back what `git push` could do besides.
  'claude-code safe with the hook': ['permissions/worst-call'],
  'codex safe with the hook': ['permissions/worst-call'],
  'codex all with the hook': ['permissions/worst-call'],
  'opencode safe with the hook': ['permissions/worst-call'],
  'opencode inspect with the hook': ['opencode/redirection'],
  'opencode all with the hook': ['opencode/all-commands'],
};

test('lint takes every export', () => {
  for (const one of every) {
    const { files } = made(one);
    // A policy of Gemini CLI lies in the home, where the rule about projects has nothing to say.
    const { findings } = lintTexts(Object.fromEntries(files.map(({ path, text }) => [path, text])));
    const said = findings.filter(({ ruleId, severity }) => severity !== 'info' && ruleId !== 'gemini/workspace-policy');
    const ids = [...new Set(said.map(({ ruleId }) => ruleId))].sort();
    assert.equal(ids, SAID[nameOf(one).replace('develop', 'safe')] ?? [], `${nameOf(one)}: ${ids}`);
  }
});

test.run();
