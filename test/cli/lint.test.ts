// `policy lint` as scripts use it: exit codes, formats, outputs, paths, settings.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
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

const notes = scratch({
  '.claude/settings.json': '{}\n',
  'notes.md': '# Notes\n',
  'helper.md': definition('tools: Read'),
  'settings-copy.json': '{ "permissions": { "deny": ["Bash(rm *)"] } }\n',
});

const rows: readonly (readonly [args: readonly string[], cwd: string, status: number, output: RegExp])[] = [
  [[], bad, 1, /^error\[tools\/misspelled-key\]: [\s\S]*1 error, \d notes? in 2 of 2 files \(.*\) · \d+\.\d s\n$/],
  [[], clean, 0, /^No findings of \d+ rules in 1 policy · \d+\.\d s\n$/],
  [[], empty, 3, /^Nothing was checked/],
  [[], empty, 3, /no file here is one that lint knows; it looks for agent definitions \(\.claude\/agents, /],
  [['--format', 'json'], empty, 3, /^Nothing was checked/],
  [['.claude/settings.json'], notes, 0, /^No findings of \d+ rules in 1 settings file · \d+\.\d s\n$/],
  [['notes.md'], notes, 3, /^Nothing was checked: notes\.md is not a file that lint knows; .*--dialect claude-code\|/],
  [['helper.md'], notes, 0, / in 1 (?:agent|file) .*· \d+\.\d s\n$/],
  [['settings-copy.json'], notes, 0, / in 1 (?:settings )?file .*s\n$/],
  [['.claude/agents/tester.md'], bad, 0, /^info\[tools\/legacy-name\]/],
  [['--fail-on', 'info', '.claude/agents/tester.md'], bad, 1, /legacy-name/],
  [['--fail-on', 'warning', '.claude/agents/tester.md'], bad, 0, /legacy-name/],
  [['.claude'], bad, 1, /misspelled-key/],
  [[bad], empty, 1, /misspelled-key/],
  [[`${bad}/.claude/agents`], empty, 1, /--> \.claude\/agents\/reviewer\.md:4:1/],
  [['src'], bad, 3, /^Nothing was checked: no file in src is one that lint knows; it looks for /],
  [['--dialect', 'codex-markdown', '.claude'], bad, 1, /has no tool; the right key is/],
  [['--rules'], empty, 0, /^claude\/plugin-agent-field-ignored {2}/],
  [['--list-rules'], empty, 0, /^claude\/plugin-agent-field-ignored {2}/],
  [['--explain', 'tools/absent'], empty, 0, /^tools\/absent \(warning\)/],
  [['--explain', 'tools/absnt'], empty, 3, /did you mean tools\/absent\?/],
  [['--format', 'xml'], empty, 3, /--format is "xml"; it has to be one of text, compact, json, /],
  [['--fail-on', 'never'], empty, 3, /--fail-on is "never"/],
  [['--dialect', 'claude-code'], empty, 3, /--dialect needs PATHS/],
  [['nosuch'], empty, 3, /nosuch does not exist/],
  [[bad, clean], empty, 3, /is outside .*; lint one project at a time/],
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

const BOTH = definition('tool: Read, LS').replace('name: reviewer', 'name: Reviewer');
const BOTH_FIXED = definition('tools: Read, LS');

test('--fix leaves corrections that change what an agent may do, --fix=unsafe writes them', () => {
  const cwd = scratch({ ...CLEAN_REPOSITORY, [REVIEWER]: BOTH });
  const safe = policy(['lint', '--fix'], { cwd });
  assert.equal([safe.status, safe.stderr], [1, '']);
  assert.match(safe.stdout, /= fix: Rename it to tools \(--fix=unsafe\)/);
  assert.is(readFileSync(join(cwd, REVIEWER), 'utf8'), BOTH);
  const { status, stdout, stderr } = policy(['lint', '--fix=unsafe', '--persona', 'auditor'], { cwd });
  assert.is(status, 0, stdout);
  assert.match(stderr, /^fixed: \.claude\/agents\/reviewer\.md: Rename it to reviewer\nfixed: .*: Rename it to tools\n$/);
  assert.match(stdout, /^info\[tools\/legacy-name\]/);
  assert.is(readFileSync(join(cwd, REVIEWER), 'utf8'), BOTH_FIXED);
});

test('--fix writes safe corrections, keeps the mode of the file, and what comes up next', () => {
  const text = '{ "servers": { "docs": { "command": "docs-server" } } }\n';
  const cwd = scratch({ ...CLEAN_REPOSITORY, '.mcp.json': text });
  chmodSync(join(cwd, '.mcp.json'), 0o600);
  const { stderr } = policy(['lint', '--fix'], { cwd });
  assert.match(stderr, /^fixed: \.mcp\.json: /);
  assert.is(readFileSync(join(cwd, '.mcp.json'), 'utf8'), text.replace('servers', 'mcpServers'));
  assert.is(statSync(join(cwd, '.mcp.json')).mode & 0o777, 0o600);
});

test('--diff prints what would be written, for reading, and writes nothing', () => {
  const text = BOTH.replace('Read the diff', `\u001b[31mred\n::error::x\nghp_${'Ab12'.repeat(9)}`).replace(
    'tool: Read',
    'tool: Read\t',
  );
  const cwd = scratch({ ...CLEAN_REPOSITORY, [REVIEWER]: text });
  const none = policy(['lint', '--diff'], { cwd });
  assert.equal([none.status, none.stdout], [0, '']);
  const { status, stdout } = policy(['lint', '--diff', '--fix=unsafe', '--persona', 'auditor'], { cwd });
  assert.is(status, 1);
  assert.is(
    stdout,
    `--- a/${REVIEWER}
+++ b/${REVIEWER}
@@ -1,7 +1,7 @@
 ---
-name: Reviewer
+name: reviewer
 description: Reviews changes.
-tool: Read\t, LS
+tools: Read\t, LS
 ---
 \\x1b[31mred
 \\x3a:error::x
`,
  );
  assert.is(readFileSync(join(cwd, REVIEWER), 'utf8'), text);
});

test('--fix leaves links alone', () => {
  const outside = scratch({ 'x.md': definition('tool: Read') });
  const cwd = scratch(CLEAN_REPOSITORY);
  mkdirSync(join(cwd, '.claude/agents'), { recursive: true });
  symlinkSync(join(outside, 'x.md'), join(cwd, REVIEWER));
  policy(['lint', '--fix=unsafe'], { cwd });
  assert.is(readFileSync(join(outside, 'x.md'), 'utf8'), definition('tool: Read'));
});

const mixed = scratch({
  ...CLEAN_REPOSITORY,
  [REVIEWER]: definition('tool: Read'),
  'policy.yaml': policyText('deny: [Bash(rm *)]'),
  'notes.txt': 'x',
  'docs/agent.md': definition('tools: Read'),
  'docs/notes.md': '# Notes\n',
  'node_modules/a/policy.yaml': policyText('deny: [Bash(rm *)]'),
});
const named: readonly (readonly [args: readonly string[], status: number, unchecked: readonly string[], why: string])[] = [
  [['policy.yaml', 'notes.txt'], 3, ['notes.txt'], 'one that lint does not know'],
  [['notes.txt', REVIEWER, 'docs/notes.md'], 3, ['notes.txt', 'docs/notes.md'], 'two, and findings in a third'],
  [['policy.yaml', 'node_modules/a/policy.yaml'], 3, ['node_modules/a/policy.yaml'], 'in a folder that is not searched'],
  [['policy.yaml', 'docs'], 0, [], 'a folder is not a file that was named'],
  [['policy.yaml', REVIEWER], 1, [], 'all are known'],
  [['--dialect', 'claude-code', 'policy.yaml', 'docs/agent.md'], 0, [], '--dialect makes it known'],
  [['--format', 'json', 'policy.yaml', 'notes.txt'], 3, ['notes.txt'], 'the report on the others is whole'],
];
for (const [args, status, unchecked, why] of named)
  test(`policy lint ${args.join(' ')}: ${why}`, () => {
    const answer = policy(['lint', ...args], { cwd: mixed });
    assert.is(answer.status, status, answer.stdout + answer.stderr);
    const told = answer.stderr.split('\n').filter((line) => line.startsWith('Not checked: '));
    assert.equal(
      told.map((line) => line.split(' ')[2]),
      unchecked,
    );
    for (const line of told) assert.match(line, /--dialect claude-code\|/);
    if (args.includes('json')) assert.is((JSON.parse(answer.stdout) as { version: number }).version, 1);
    else if (args.includes(REVIEWER)) assert.match(answer.stdout, /misspelled-key/);
    else assert.match(answer.stdout, /in (?:\d agents? and )?1 policy|in \d of 2 files/);
  });

test('text that is written to a file has no colour, whatever is forced', () => {
  const answer = policy(['lint', '--color', '--output', 'text=out.txt', REVIEWER], { cwd: mixed });
  assert.is(answer.status, 1);
  assert.not.ok(readFileSync(join(mixed, 'out.txt'), 'utf8').includes('\u001b'));
  assert.ok(answer.stdout.includes('\u001b['));
});

test.run();
