// `policy lint` as scripts use it: exit codes, formats, outputs, paths, settings.
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { definition, policyText } from '../lint/linted.js';
import { CLEAN_REPOSITORY, policy, scratch } from './spawned.js';

const test = suite('policy lint');
const REVIEWER = '.claude/agents/reviewer.md';
const bad = scratch({
  ...CLEAN_REPOSITORY,
  [REVIEWER]: definition('tool: Read'),
  '.claude/agents/tester.md': definition('tools: Read, LS').replace('reviewer', 'tester'),
});
const clean = scratch({ ...CLEAN_REPOSITORY, 'policy.yaml': policyText('deny: [Bash(rm *)]') });
const empty = scratch(CLEAN_REPOSITORY);

const notes = scratch({ '.claude/settings.json': '{}\n' });

const rows: readonly (readonly [args: readonly string[], cwd: string, status: number, output: RegExp])[] = [
  [[], bad, 1, /^error\[tools\/misspelled-key\]: [\s\S]*1 error, \d notes? in 2 agents and 0 policies\n$/],
  [[], clean, 0, /^No findings of \d+ rules in 0 agents and 1 policy\n$/],
  [[], empty, 3, /^Nothing was checked/],
  [[], empty, 3, /no file here is one that lint knows; it looks for \.claude\/agents\/\*\*\/\*\.md, /],
  [['--format', 'json'], empty, 3, /^Nothing was checked/],
  [
    ['.claude/settings.json'],
    notes,
    3,
    /^Nothing was checked: \.claude\/settings\.json is not a file that lint knows by its place; .*--dialect claude-code\|/,
  ],
  [['.claude/agents/tester.md'], bad, 0, /^info\[tools\/legacy-name\]/],
  [['--fail-on', 'info', '.claude/agents/tester.md'], bad, 1, /legacy-name/],
  [['--fail-on', 'warning', '.claude/agents/tester.md'], bad, 0, /legacy-name/],
  [['.claude'], bad, 1, /misspelled-key/],
  [[bad], empty, 1, /misspelled-key/],
  [[`${bad}/.claude/agents`], empty, 1, /--> \.claude\/agents\/reviewer\.md:4:1/],
  [['src'], bad, 3, /^Nothing was checked/],
  [['--dialect', 'codex-markdown', '.claude'], bad, 1, /has no tool; the key is/],
  [['--rules'], empty, 0, /^codex\/dangerous-flag {2}/],
  [['--explain', 'tools/absent'], empty, 0, /^tools\/absent \(info\)/],
  [['--explain', 'tools/absnt'], empty, 3, /did you mean tools\/absent\?/],
  [['--format', 'xml'], empty, 3, /--format is "xml"; it has to be one of text, json, sarif, github/],
  [['--fail-on', 'never'], empty, 3, /--fail-on is "never"/],
  [['--dialect', 'claude-code'], empty, 3, /--dialect needs PATHS/],
  [['nosuch'], empty, 3, /nosuch does not exist/],
  [[bad, clean], empty, 3, /lies outside of .*; lint one project at a time/],
  [['--output', 'no/such/folder/x'], clean, 3, /cannot be written \(ENOENT\)/],
  [['--output', 'sarif='], empty, 3, /--output needs a file name/],
  [['--fromat', 'json'], empty, 3, /did you mean --format\?/],
];
for (const [args, cwd, status, output] of rows)
  test(`policy lint ${args.map((arg) => arg.replace(/^\/.*\/policy-test-\w+/, '…')).join(' ')} → ${status} ${output}`, () => {
    const answer = policy(['lint', ...args], { cwd });
    assert.is(answer.status, status, answer.stdout + answer.stderr);
    assert.match(answer.stdout + answer.stderr, output);
    if (status === 3) assert.is(answer.stdout, '');
  });

test('--output FILE takes the place of standard output, FORMAT=FILE stands beside it', () => {
  const cwd = scratch({ ...CLEAN_REPOSITORY, [REVIEWER]: definition('tool: Read') });
  const one = policy(['lint', '--format', 'json', '--output', 'all.json', '--output', 'sarif=all.sarif'], { cwd });
  assert.equal([one.status, one.stdout], [1, '']);
  assert.is(JSON.parse(readFileSync(join(cwd, 'all.json'), 'utf8')).version, 1);
  assert.is(JSON.parse(readFileSync(join(cwd, 'all.sarif'), 'utf8')).version, '2.1.0');
  const two = policy(['lint', '--format', 'github', '--output', 'json=two.json'], { cwd });
  assert.match(two.stdout, /^::error file=\.claude\/agents\/reviewer\.md,line=4,/);
  assert.ok(existsSync(join(cwd, 'two.json')));
});

test('the settings of a project hold only when somebody trusts it', () => {
  const cwd = scratch({
    ...CLEAN_REPOSITORY,
    [REVIEWER]: definition('tool: Read'),
    'policy.yaml': policyText('lint: { rules: { tools/misspelled-key: off } }'),
  });
  const stranger = policy(['lint'], { cwd });
  assert.is(stranger.status, 1);
  assert.match(stranger.stderr, /note: policy\.yaml:2:\d+: lint\.rules\.tools\/misspelled-key: "off" is ignored: /);
  assert.is(policy(['lint', '--trust-project'], { cwd }).status, 0);
});

test('a policy with mistakes is linted, not refused', () => {
  const cwd = scratch({ ...CLEAN_REPOSITORY, 'policy.yaml': policyText('preset: save', 'allow: [Bash]') });
  const { status, stdout } = policy(['lint'], { cwd });
  assert.is(status, 1);
  assert.match(stdout, /did you mean "safe"\? It has to be .*\n {2}--> policy\.yaml:2:9[\s\S]*policy\.yaml:3:9/);
});

test('a file of another repository is linted there', () => {
  const here = scratch(CLEAN_REPOSITORY);
  const other = scratch({ ...CLEAN_REPOSITORY, 'policy.yaml': policyText('preset: save') });
  const { status, stdout, stderr } = policy(['lint', join(other, 'policy.yaml')], { cwd: here });
  assert.is(status, 1, stderr);
  assert.match(stdout, /--> policy\.yaml:2:9/);
});

test('comments of the linted files count unless --no-comments', () => {
  const cwd = scratch({
    ...CLEAN_REPOSITORY,
    [REVIEWER]: definition('# policy-disable-next-line tools/misspelled-key', 'tool: Read'),
  });
  assert.is(policy(['lint'], { cwd }).status, 0);
  assert.is(policy(['lint', '--no-comments'], { cwd }).status, 1);
});

test('--fix writes the key and the name, and reports what is left', () => {
  const text = definition('tool: Read, LS').replace('name: reviewer', 'name: Reviewer');
  const cwd = scratch({ ...CLEAN_REPOSITORY, [REVIEWER]: text });
  const { status, stdout, stderr } = policy(['lint', '--fix'], { cwd });
  assert.is(status, 0, stdout);
  assert.match(stderr, /^fixed: \.claude\/agents\/reviewer\.md: Rename it to reviewer\nfixed: .*: Rename it to tools\n$/);
  assert.match(stdout, /^info\[tools\/legacy-name\]/);
  assert.is(readFileSync(join(cwd, REVIEWER), 'utf8'), definition('tools: Read, LS'));
});

test('--fix leaves links alone', () => {
  const outside = scratch({ 'x.md': definition('tool: Read') });
  const cwd = scratch(CLEAN_REPOSITORY);
  mkdirSync(join(cwd, '.claude/agents'), { recursive: true });
  symlinkSync(join(outside, 'x.md'), join(cwd, REVIEWER));
  policy(['lint', '--fix'], { cwd });
  assert.is(readFileSync(join(outside, 'x.md'), 'utf8'), definition('tool: Read'));
});

test.run();
