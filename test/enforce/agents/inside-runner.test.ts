/** Commands that change the policy refuse inside a runner: its variables, and real process trees with a stand-in for its program. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { insideRunner, refusedInsideRunner } from '../../../src/enforce/agents/inside-runner.js';
import { data } from '../../../src/generated/data.js';
import { validateRunnerMarkers } from '../../../src/generated/validators/runner-markers.js';
import { withFiles } from '../scratch.js';

test('the data file is what its schema says', () =>
  assert.ok(validateRunnerMarkers(data('runner-markers')), JSON.stringify(validateRunnerMarkers.errors)));

const variables: readonly (readonly [string, string, string | null])[] = [
  ['CLAUDECODE', '1', 'claude-code'],
  ['CLAUDE_CODE_ENTRYPOINT', 'sdk-cli', 'claude-code'],
  ['AI_AGENT', 'claude-code_2-1-329_harness', 'agent'],
  ['CODEX_SANDBOX', 'seatbelt', 'codex'],
  ['CODEX_THREAD_ID', '0199', 'codex'],
  ['GEMINI_CLI', '1', 'gemini-cli'],
  ['QWEN_CODE', '1', 'qwen-code'],
  ['COPILOT_CLI', '1', 'copilot-cli'],
  ['OPENCODE', '1', 'opencode'],
  ['CURSOR_AGENT', '1', 'cursor'],
  ['CLAUDECODE', '', null],
  // Cursor sets it in a person's terminal, too.
  ['CURSOR_TRACE_ID', 'x', null],
  // A person's own settings.
  ['CLAUDE_CONFIG_DIR', '/home/me/.claude', null],
  ['CODEX_HOME', '/home/me/.codex', null],
];
for (const [name, value, runner] of variables)
  test(`${name}=${value} ${runner === null ? 'is no sign' : `is a sign of ${runner}`}`, () => {
    const found = insideRunner({ environment: { [name]: value }, pid: 0, platform: 'linux' });
    assert.equal(found, runner === null ? null : { runner, evidence: `${name} is set` });
  });

test('the refusal says why, what to do, and that nothing was changed', () => {
  assert.is(
    refusedInsideRunner('policy trust', { runner: 'claude-code', evidence: 'CLAUDECODE is set' }),
    'policy trust changes what agents may do, so a person has to run it in their own terminal; this one runs inside Claude Code (CLAUDECODE is set). Nothing was changed.',
  );
});

const ASK = `import(${JSON.stringify(`file://${resolve('build/src/enforce/agents/inside-runner.js')}`)}).then(({ insideRunner }) =>
  console.log(JSON.stringify(insideRunner({ environment: {}, pid: process.pid, platform: process.platform }))));`;
/** A runner in short: it runs what it was told to, with a shell between. */
const RUNNER = `require('node:child_process').spawnSync('/bin/sh', ['-c', '"$0" "$1"; true', process.execPath, process.env.ASK], { stdio: 'inherit' });`;

/** What a process says that was started by a stand-in runner: `launch` names the program and its arguments in the folder. */
function askedBelow(
  launch: (folder: string) => readonly [string, ...string[]],
  files: Readonly<Record<string, string>>,
): unknown {
  return withFiles({ 'ask.mjs': ASK, ...files }, (folder) => {
    const [program, ...args] = launch(folder);
    const { stdout, stderr } = spawnSync(program, args, {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', ASK: join(folder, 'ask.mjs') },
    });
    assert.ok(stdout !== '', stderr);
    const found: unknown = JSON.parse(stdout);
    return typeof found === 'object' && found !== null && 'runner' in found ? found.runner : found;
  });
}

const node = process.execPath;
const trees: readonly (readonly [
  string,
  Readonly<Record<string, string>>,
  (folder: string) => readonly [string, ...string[]],
  string | null,
])[] = [
  ['a script named claude', { claude: RUNNER }, (f) => [node, `${f}/claude`], 'claude-code'],
  [
    'a script named gemini behind an option with a value',
    { gemini: RUNNER, 'x.cjs': '' },
    (f) => [node, '--no-warnings', '-r', `${f}/x.cjs`, `${f}/gemini`],
    'gemini-cli',
  ],
  // Any project may have these.
  ['a script named gemini.js', { 'gemini.js': RUNNER }, (f) => [node, `${f}/gemini.js`], null],
  ['a script named claude.cjs', { 'claude.cjs': RUNNER }, (f) => [node, `${f}/claude.cjs`], null],
  [
    "a runner's package",
    { 'node_modules/@google/gemini-cli/bundle/main.js': RUNNER },
    (f) => [node, `${f}/node_modules/@google/gemini-cli/bundle/main.js`],
    'gemini-cli',
  ],
  ['a program named codex', { 'r.js': RUNNER }, (f) => [copied(f, 'codex'), `${f}/r.js`], 'codex'],
  [
    'a program that is named by its version',
    { 'r.js': RUNNER, 'share/claude/versions/': '' },
    (f) => [copied(f, 'share/claude/versions/2.1.329'), `${f}/r.js`],
    'claude-code',
  ],
  ['a link to it named claude', { 'r.js': RUNNER, 'bin/': '' }, (f) => [linked(f, 'bin/claude'), `${f}/r.js`], 'claude-code'],
  ['a script with another name', { 'build.js': RUNNER }, (f) => [node, `${f}/build.js`], null],
  ['a script that is only told about claude', { 'build.js': RUNNER }, (f) => [node, `${f}/build.js`, 'claude'], null],
  ['a folder of that name', { 'claude/build.js': RUNNER }, (f) => [node, `${f}/claude/build.js`], null],
];
/** Whoever runs these tests may be one; the nearest counts. */
const outer = insideRunner({ environment: {}, pid: process.pid, platform: process.platform })?.runner ?? null;
for (const [why, files, launch, runner] of trees)
  test(`a process below ${why}: ${runner ?? 'no runner'}`, () => assert.is(askedBelow(launch, files), runner ?? outer));

function copied(folder: string, name: string): string {
  copyFileSync(node, join(folder, name));
  return join(folder, name);
}

function linked(folder: string, name: string): string {
  symlinkSync(node, join(folder, name));
  return join(folder, name);
}

test.run();
