// `policy replay`: the sessions of a person without a policy, decided as `policy check` decides each call.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAN_REPOSITORY, insideAgent, policy, scratch } from './spawned.js';

const test = suite('replay');
const check = insideAgent ? test.skip : test;

const project = scratch({
  ...CLEAN_REPOSITORY,
  'package.json': '{ "name": "shop", "scripts": { "test": "node --test", "deploy": "./deploy" } }\n',
  '.env': 'PASSWORD=x\n',
});
const CALLS: readonly (readonly [tool: string, input: object])[] = [
  ['Bash', { command: 'git status' }],
  ['Bash', { command: 'npm test' }],
  ['Bash', { command: 'npm run deploy' }],
  ['Bash', { command: 'npm run deploy' }],
  ['Bash', { command: 'rm -rf /' }],
  ['Bash', { command: 'cat .env' }],
  ['Bash', { command: 'curl -H "Authorization: Bearer ghp_abcdefghijklmnopqrstuvwxyz0123456789" https://example.com' }],
  ['Read', { file_path: join(project, 'package.json') }],
  ['Read', { file_path: '/etc/passwd' }],
  ['mcp__github__create_issue', { title: 'x' }],
];

/** A home with two sessions of Claude Code in the project. */
function homeWith(calls: typeof CALLS): string {
  const home = scratch({});
  const folder = join(home, '.claude/projects/p');
  mkdirSync(folder, { recursive: true });
  for (const session of ['11111111', '22222222']) {
    const lines = calls.map(([name, input], at) => ({
      ...{ parentUuid: null, isSidechain: false, sessionId: session, cwd: project, timestamp: '2026-01-31T10:00:00.000Z' },
      message: { content: [{ type: 'tool_use', id: `${session}-${at}`, name, input }] },
    }));
    writeFileSync(join(folder, `${session}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
  return home;
}

const home = homeWith(CALLS);
const env = { HOME: home };

interface Found {
  readonly calls: Readonly<Record<'allow' | 'ask' | 'deny', number>>;
  readonly sessions: number;
  readonly prompts: readonly number[];
  readonly stopped: readonly { readonly text: string; readonly decision: string; readonly count: number }[];
  readonly secrets: number;
  readonly rules: readonly { readonly rule: string; readonly saves: number }[];
}
const replayed = (...args: readonly string[]) => {
  const { status, stdout, stderr } = policy(['replay', '--json', ...args], { cwd: project, env });
  assert.is(status, 0, stderr);
  return JSON.parse(stdout) as Found;
};

check('without a policy: as with the one that init writes; each call as `policy check` decides it', () => {
  const before = readdirSync(project);
  const without = replayed();
  assert.equal(readdirSync(project), before, 'nothing is written');
  assert.is(policy(['init', '--yes'], { cwd: project, env }).status, 0);
  const withOne = replayed();
  assert.equal(without.calls, withOne.calls);
  assert.equal(without.prompts, withOne.prompts);
  const input = CALLS.map(([tool, one]) => JSON.stringify({ tool, input: one, runner: 'claude-code', cwd: project })).join('\n');
  const single = policy(['check', '--batch'], { cwd: project, env, input }).stdout.trim().split('\n');
  const decided = single.map((line) => (JSON.parse(line) as { readonly decision: 'allow' | 'ask' | 'deny' }).decision);
  for (const decision of ['allow', 'ask', 'deny'] as const)
    assert.is(withOne.calls[decision], 2 * decided.filter((one) => one === decision).length, decision);
  assert.is(withOne.sessions, 2);
  assert.ok((withOne.prompts[0] ?? 9) < decided.filter((one) => one === 'ask').length, 'the same question is counted once');
});

check('it tells what was stopped and which rule helps, and no secret', () => {
  const { stopped, secrets, rules, prompts } = replayed();
  assert.equal(
    stopped.map(({ text, decision, count }) => [text, decision, count]),
    [
      ['rm -rf /', 'deny', 2],
      ['cat .env', 'ask', 2],
    ],
  );
  assert.is(secrets, 2);
  const [first] = rules;
  const allowed = policy(['allow', first?.rule ?? '', '--yes'], { cwd: project, env });
  assert.is(allowed.status, 0, allowed.stderr);
  const sum = (all: readonly number[]) => all.reduce((left, right) => left + right, 0);
  assert.is(sum(replayed().prompts), sum(prompts) - (first?.saves ?? 0));
  const { stdout } = policy(['replay'], { cwd: project, env });
  assert.match(stdout, /^20 calls in 2 sessions and 1 project \(claude-code, 2026-01-31 to 2026-01-31\)$/m);
  assert.match(stdout, /^2 × +deny +Bash rm -rf \/ · /m);
  assert.not.match(stdout, /ghp_/);
  assert.not.match(JSON.stringify(replayed()), /ghp_/);
});

/** One line after another of a person's sessions: none ends the look-back, and each is denied, as by the hook. */
const ODD: Readonly<Record<string, object>> = {
  'a folder with a NUL': { cwd: `${project}\0x` },
  'a folder that is not absolute': { cwd: 'src' },
  'a policy with a mistake': { cwd: scratch({ ...CLEAN_REPOSITORY, 'policy.yaml': 'version: 1\nallow: [Bash(\n' }) },
};
const odd = (line: object, input = '{"command":"ls"}') =>
  JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    sessionId: '33333333',
    cwd: project,
    timestamp: '\u001b[31mX',
    ...line,
  }).replace(/\}$/, `,"message":{"content":[{"type":"tool_use","name":"Bash","input":${input}}]}}\n`);
const deep = `{"command":"ls","more":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

for (const [why, line] of [
  ...Object.entries(ODD).map(([name, one]) => [name, odd(one)]),
  ['an input that is too deep', odd({}, deep)],
])
  test(`${why} denies its call and no other`, () => {
    const file = join(scratch({ 'a.jsonl': `${odd({})}${line}${odd({})}` }), 'a.jsonl');
    const { status, stdout, stderr } = policy(['replay', '--json', file], { cwd: project, env });
    assert.is(status, 0, stderr);
    const { calls, first } = JSON.parse(stdout) as Found & { readonly first: string | null };
    assert.equal([calls.allow, calls.deny, first], [2, 1, null]);
  });

test('all recorded sessions of the real clients are found', () => {
  const other = scratch({ '.gemini/tmp/project/.project_root': '/home/me/project\n' });
  const recorded = resolve('test/fixtures/sessions');
  for (const name of readdirSync(recorded)) cpSync(join(recorded, name), join(other, `.${name}`), { recursive: true });
  const { stdout } = policy(['replay', '--json'], { cwd: project, env: { HOME: other } });
  const { runners, sessions, gone } = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  assert.equal(Object.keys(runners as object).sort(), ['claude-code', 'codex', 'copilot-cli', 'gemini-cli', 'qwen-code']);
  assert.ok(Number(sessions) >= 8 && Number(gone) > 0);
});

test('a file that is no transcript is counted; a path that is absent, and a wrong time, are errors', () => {
  const folder = scratch({ 'a.jsonl': '{}\n' });
  assert.match(policy(['replay', folder], { cwd: project }).stdout, /^No file in .* has a tool call\./);
  assert.is(policy(['replay', join(folder, 'b')], { cwd: project }).status, 3);
  assert.is(policy(['replay', '--last', 'soon'], { cwd: project }).status, 3);
  assert.is(readFileSync(join(folder, 'a.jsonl'), 'utf8'), '{}\n');
});

test.run();
