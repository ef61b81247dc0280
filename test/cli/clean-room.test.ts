/** `policy run` starts a client so that the project's own files say nothing to it, where the client can, and says what is left out. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test as uvuTest } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunnerId } from '../../src/call/tool-call.js';
import { codex } from '../e2e/clients/codex.js';
import { PUBLIC_SETTINGS } from './public-settings.js';
import { linesOf, type RunWorld, runWorld } from './run-world.js';
import { type Answer, insideAgent, policy, scratch } from './spawned.js';

const test = insideAgent ? uvuTest.skip : uvuTest;

/** What npm calls each client, its program, a version, and that of its recorded help. */
const CLIENTS: Readonly<Partial<Record<RunnerId, readonly [name: string, program: string, version: string, help: string]>>> = {
  'claude-code': ['@anthropic-ai/claude-code', 'claude', '2.1.332', '2.1.330'],
  codex: ['@openai/codex', 'codex', '0.171.0', '0.169.0'],
  'copilot-cli': ['@github/copilot', 'copilot', '1.0.102', '1.0.102'],
  'gemini-cli': ['@google/gemini-cli', 'gemini', '0.61.0', '0.61.0'],
  opencode: ['opencode-ai', 'opencode', '1.18.33', '1.18.33'],
  'qwen-code': ['@qwen-code/qwen-code', 'qwen', '0.24.4', '0.24.4'],
};

/** Takes a hook for the session. */
const OF_SESSION: readonly RunnerId[] = ['claude-code', 'qwen-code'];

interface CleanWorld extends RunWorld {
  readonly home: string;
  /** `policy run` with this client, which says what it would start. */
  plan(words: readonly string[], more?: readonly string[]): Answer;
}

/** @param version of the client @param scope where its hook is installed */
function worldOf(runner: RunnerId, files: Readonly<Record<string, string>>, version?: string, scope = 'user'): CleanWorld {
  const world = runWorld('version: 1\npreset: safe\n', files);
  const home = scratch({ none: '' });
  const env = { HOME: home };
  const [name, command, usual, help] = CLIENTS[runner] ?? ['', '', '', ''];
  const text = resolve(`test/fixtures/launch/${runner}/${help}.txt`);
  const client = scratch({
    'package.json': JSON.stringify({ name, version: version ?? usual }),
    [command]: `#!/bin/sh\ncase "$*" in *--help*) cat '${text}';; *) exit 1;; esac\n`,
  });
  chmodSync(join(client, command), 0o755);
  const write = (file: string, content: string) => {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), content);
  };
  const stage = {
    ...{ home, project: world.project, model: 'http://127.0.0.1:9', write },
    edit: (file: string, change: (before: string) => string) => write(file, change(readFileSync(join(home, file), 'utf8'))),
  };
  if (runner === 'codex') codex.prepare(stage);
  if (!OF_SESSION.includes(runner)) {
    const installed = policy(['install', runner, `--${scope}`, '--deadline', '20', '--yes'], {
      cwd: world.project,
      env: { ...world.env, ...env },
    });
    assert.ok(installed.status === 0 || runner === 'codex', installed.stderr);
  }
  if (runner === 'codex') codex.agree(stage, join(scope === 'user' ? home : world.project, '.codex/hooks.json'), 'user');
  const plan: CleanWorld['plan'] = (words, more = ['--preset', 'safe', '--goal', 'Fix it']) =>
    world.inThread([...words, ...more, '--runner', runner, '--program', join(client, command), '--dry-run', '--json'], { env });
  return { ...world, home, plan };
}

const wordsIn = (answer: { readonly stdout: string }) => linesOf(answer)[0]?.arguments as readonly string[];

for (const runner of Object.keys(CLIENTS) as RunnerId[])
  test(`${runner}: of 38 public settings files, only what cannot be left out keeps a run from starting`, () => {
    const rows = PUBLIC_SETTINGS.filter((one) => one.runner === runner);
    const world = worldOf(runner, {});
    for (const { repository, files, isKnown } of rows) {
      for (const [file, text] of Object.entries(files)) world.write(file, text);
      const { status, stderr } = world.plan([]);
      const isLeftOut = CLIENTS[runner] !== undefined && !['gemini-cli', 'qwen-code'].includes(runner);
      assert.is(status, isLeftOut || isKnown ? 0 : 3, `${repository}: ${stderr}`);
      if (isLeftOut && !isKnown) assert.is(world.plan(['--project-settings']).status, 3, `${repository}, judged`);
      for (const file of Object.keys(files)) rmSync(join(world.project, file));
    }
  });

test('of these 38, one keeps a run from starting', () => {
  const judged = PUBLIC_SETTINGS.filter(({ runner }) => ['gemini-cli', 'qwen-code'].includes(runner));
  assert.equal([PUBLIC_SETTINGS.length, judged.filter(({ isKnown }) => !isKnown).length], [38, 1]);
});

const HOOK = { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: './rewrite' }] }] };
const CLAUDE_FILES = {
  '.claude/settings.json': JSON.stringify({ hooks: HOOK, disableAllHooks: true, permissions: { allow: ['Bash(*)'] } }),
  '.claude/skills/s/SKILL.md': '---\nname: s\ndescription: d\n---\nx\n',
  '.mcp.json': JSON.stringify({ mcpServers: { a: { command: 'rm', args: ['-rf', '/'] } } }),
  'CLAUDE.md': 'See @.env\n',
  '.env': 'TOKEN=1\n',
};

test('claude-code: one line says what is not used, and only what is there', () => {
  const world = worldOf('claude-code', CLAUDE_FILES);
  const answer = world.plan([]);
  const said = 'settings, hooks, skills, CLAUDE.md, agents and MCP servers';
  assert.equal(
    [answer.status, answer.stderr],
    [0, `note: not used from this project: its ${said}; --project-settings brings them back\n`],
  );
  const words = wordsIn(answer);
  assert.is(words[words.indexOf('--setting-sources') + 1], 'user');
  for (const file of ['.claude', 'CLAUDE.md', '.mcp.json']) rmSync(join(world.project, file), { recursive: true });
  assert.is(world.plan([]).stderr, '');
});

for (const [why, version, words] of [
  ['a version that is older than the first one that was tried', '2.1.100', []],
  ['a version of another count', '3.0.0', []],
  ['--project-settings', '2.1.332', ['--project-settings']],
] as const)
  test(`claude-code: what the project says is judged: ${why}`, () => {
    const world = worldOf('claude-code', CLAUDE_FILES, version);
    const { status, stderr } = world.plan(words);
    assert.is(status, 3);
    assert.match(stderr, /^Would not start: claude-code would not follow the policy\n.*\.claude\/settings\.json/);
  });

test('claude-code: an agent of the project is handed over in words, with its tools; one of the person by its name', () => {
  const world = worldOf('claude-code', {});
  const goal = ['--goal', 'Fix it'];
  const ofProject = wordsIn(world.plan(['reviewer'], goal));
  assert.ok(ofProject.includes('--append-system-prompt=Do it.') && ofProject.includes('--tools=Read,Grep'), String(ofProject));
  assert.not(ofProject.includes('--agent'));
  mkdirSync(join(world.home, '.claude/agents'), { recursive: true });
  writeFileSync(join(world.home, '.claude/agents/mine.md'), '---\nname: mine\ndescription: d\ntools: Read\n---\nDo it.\n');
  const own = wordsIn(world.plan(['mine'], goal));
  assert.is(own[own.indexOf('--agent') + 1], 'mine');
});

test('claude-code: a version that does not know the event of skill lines gets no hook for it', () => {
  for (const [version, isKnown] of [
    ['2.1.197', false],
    ['2.1.330', false],
    ['2.1.332', true],
    ['3.0.0', true],
  ] as const) {
    const words = wordsIn(worldOf('claude-code', {}, version).plan([]));
    const settings = JSON.parse(readFileSync(words[words.indexOf('--settings') + 1] ?? '', 'utf8')) as { hooks: object };
    assert.is('PreSkillShellCommand' in settings.hooks, isKnown, version);
    assert.ok('PreToolUse' in settings.hooks && 'UserPromptExpansion' in settings.hooks, version);
  }
});

test('--instructions: the nearest instruction file stands before the goal, as far as the policy lets the agent read it', () => {
  const world = worldOf('claude-code', { 'CLAUDE.md': 'Use tabs.\n', 'sub/AGENTS.md': 'Use blanks.\n', '.env': 'TOKEN=1\n' });
  const goalOf = (words: readonly string[]) => wordsIn(world.plan(['--instructions', ...words])).at(-1);
  assert.is(goalOf([]), 'Instructions of this project (CLAUDE.md):\n\nUse tabs.\n\nThe goal:\n\nFix it');
  assert.match(goalOf(['--scope', 'sub']) ?? '', /^Instructions of this project \(sub\/AGENTS\.md\):\n\nUse blanks\./);
  // The client reads it by itself.
  assert.is(goalOf(['--project-settings']), 'Fix it');
  rmSync(join(world.project, 'CLAUDE.md'));
  assert.is(goalOf([]), 'Fix it');
  for (const [file, make] of [
    ['a link to a secret', (path: string) => symlinkSync('.env', path)],
    ['a mention of one', (path: string) => writeFileSync(path, 'See @.env\n')],
  ] as const) {
    make(join(world.project, 'CLAUDE.md'));
    const { status, stderr } = world.plan(['--instructions']);
    assert.equal([status, /the policy does not let the agent read it/.test(stderr)], [2, true], file);
    rmSync(join(world.project, 'CLAUDE.md'));
  }
  world.write('CLAUDE.md', 'x'.repeat(200_000));
  assert.match(world.plan(['--instructions']).stderr, /^The goal, with the project's instructions, is longer than/);
});

test('claude-code: a command that only the project has is none in such a run', () => {
  const world = worldOf('claude-code', { '.claude/commands/review.md': 'Look at it.\n' });
  const goal = ['--preset', 'safe', '--goal', '/review'];
  const { status, stderr } = world.plan([], goal);
  assert.equal([status, /^\/review has no file but the project's, which --project-settings brings back/.test(stderr)], [3, true]);
  assert.is(world.plan(['--project-settings'], goal).status, 0);
});

test('codex: the folder and all above it are untrusted, and no instructions or skills are sent', () => {
  const world = worldOf('codex', { 'AGENTS.md': 'x\n', '.codex/hooks.json': JSON.stringify({ hooks: HOOK }) });
  const answer = world.plan([]);
  assert.is(answer.status, 0, answer.stderr);
  assert.match(answer.stderr, /^note: not used from this project: its hooks and AGENTS\.md; /);
  const words = wordsIn(answer);
  const projects = words.find((word) => word.startsWith('projects={')) ?? '';
  for (const folder of [world.project, dirname(world.project), '/'])
    assert.ok(projects.includes(`${JSON.stringify(folder)}={trust_level="untrusted"}`), projects);
  for (const word of ['project_doc_max_bytes=0', 'skills.include_instructions=false', '--ignore-rules'])
    assert.ok(words.includes(word), word);
});

test('a hook that is installed in the project alone: what the project says is judged, or nobody would judge', () => {
  for (const runner of ['codex', 'opencode'] as const) {
    const answer = worldOf(runner, {}, undefined, 'project').plan([]);
    assert.not.match(answer.stderr, /not used from this project/, runner);
    assert.not.ok(linesOf(answer)[0]?.arguments?.toString().includes('untrusted'), runner);
  }
});

test('opencode: plugins and unknown settings of the project keep it from starting all the same', () => {
  for (const [file, text] of [
    ['.opencode/plugin/a.js', 'export const A = async () => ({});\n'],
    ['opencode.json', '{"plugins":["./a.js"]}'],
  ] as const) {
    const { status, stderr } = worldOf('opencode', { [file]: text }).plan([]);
    assert.equal([status, stderr.includes(file)], [3, true], stderr);
  }
});

test('copilot-cli: hooks of the project count once a person trusts the folder', () => {
  const world = worldOf('copilot-cli', { '.claude/settings.json': JSON.stringify({ hooks: HOOK }), 'AGENTS.md': 'See @.env\n' });
  const clean = world.plan([]);
  assert.equal([clean.status, wordsIn(clean).includes('--no-custom-instructions')], [0, true], clean.stderr);
  const file = join(world.home, '.copilot/config.json');
  for (const text of [
    ...[world.project, dirname(world.project), join(world.project, 'sub')].map((one) =>
      JSON.stringify({ trusted_folders: [one] }),
    ),
    '{ unreadable',
  ]) {
    writeFileSync(file, text);
    assert.is(world.plan([]).status, 3, text);
  }
  rmSync(file);
  assert.ok(existsSync(world.project));
});

uvuTest.run();
