// `policy check --batch`: line n of the answer is about line n of the input, whatever the input holds.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Decision } from '../../src/decide/ruling/decision.js';
import { validateDecision } from '../../src/generated/validators/decision.js';
import { SEARCH_ONLY } from '../agent/search-only.js';
import { CLEAN_REPOSITORY, COMMAND, home, policy, scratch } from './spawned.js';

const test = suite('policy check --batch');
const repository = scratch({ ...CLEAN_REPOSITORY, '.agent/agents/search-only.md': SEARCH_ONLY });
const strict = scratch({ ...CLEAN_REPOSITORY, 'policy.yaml': 'version: 1\ndeny: [Read]\n' });
const broken = scratch({ ...CLEAN_REPOSITORY, 'policy.yaml': 'version: 2\npreset: safe\n' });

const read = (extra: object = {}) => JSON.stringify({ tool: 'Read', input: { file_path: 'src/a.ts' }, ...extra });

const rows: readonly (readonly [what: string, line: string, decision: string, code?: string])[] = [
  ['a call', read(), 'allow'],
  ['a call that is asked about', '{"tool":"Bash","input":{"command":"git push"}}', 'ask'],
  ['the same where nobody can be asked', '{"tool":"Bash","input":{"command":"git push"},"headless":true}', 'deny'],
  ['broken JSON', '{"tool":"Bash","input"', 'deny', 'input/bad-line'],
  ['a blank line', '', 'deny', 'input/bad-line'],
  ['a list', '[]', 'deny', 'input/bad-line'],
  ['an input of the wrong type', '{"tool":"Bash","input":"ls"}', 'deny', 'input/bad-line'],
  ['a misspelt key', '{"tool":"Read","input":{"file_path":"src/a.ts"},"agnet":"x"}', 'deny', 'input/bad-line'],
  ['a line over 1 MiB', `{"tool":"Read","input":{"file_path":"${'x'.repeat(1_100_000)}"}}`, 'deny', 'input/bad-line'],
  ['a Windows line end', `${read()}\r`, 'allow'],
  ['an agent', '{"tool":"FileRead","input":{"file_path":"/etc/passwd"},"agent":"search-only"}', 'deny'],
  ['an agent that may', '{"tool":"FileRead","input":{"file_path":"src/a.ts"},"agent":"search-only"}', 'allow'],
  ['another project with its own policy', read({ cwd: strict }), 'deny'],
  ['a project whose policy cannot be read', read({ cwd: broken }), 'deny', 'input/no-policy'],
  ['a directory that is not there', read({ cwd: '/nowhere/at/all' }), 'deny', 'input/no-policy'],
  ['and the first project again', read(), 'allow'],
];
const answer = policy(['check', '--batch'], { cwd: repository, input: `\ufeff${rows.map(([, line]) => line).join('\n')}` });
const decisions = answer.stdout
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Decision);

test('it exits 0 whatever the answers are, and prints one line per line', () => {
  assert.is(answer.status, 0, answer.stderr);
  assert.is(decisions.length, rows.length);
});

rows.forEach(([what, , expected, code], index) => {
  test(`line ${index + 1}, ${what} → ${expected}`, () => {
    const decision = decisions[index];
    assert.is(decision?.decision, expected, JSON.stringify(decision));
    if (code !== undefined) assert.is(decision?.reasons[0]?.code, code);
    assert.ok(validateDecision(decision), JSON.stringify(validateDecision.errors));
  });
});

test('the flags of the command line hold for every line that does not say otherwise', () => {
  const { stdout } = policy(['check', '--batch', '--headless', '--preset', 'readOnly'], {
    cwd: repository,
    input: '{"tool":"Bash","input":{"command":"ls"}}\n{"tool":"TaskOutput","input":{},"headless":false}\n',
  });
  assert.equal(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Decision).decision),
    ['deny', 'deny'],
  );
});

test('no input, no output', () => {
  assert.equal(policy(['check', '--batch'], { cwd: repository, input: '' }), { status: 0, stdout: '', stderr: '' });
});

test('a policy with a mistake ends the batch before its first line', () => {
  const { status, stdout, stderr } = policy(['check', '--batch'], { cwd: broken, input: read() });
  assert.is(status, 3);
  assert.is(stdout, '');
  assert.match(stderr, /^policy\.yaml:1:\d+: /);
});

test('a batch and single checks give the same answers', () => {
  for (const [, line] of rows.slice(0, 2)) {
    const { tool, input } = JSON.parse(line) as { tool: string; input: object };
    const single = policy(['check', '--json', tool, '--input-json', JSON.stringify(input)], { cwd: repository });
    assert.equal(JSON.parse(single.stdout), decisions[rows.findIndex((row) => row[1] === line)]);
  }
});

test('a line that comes later is judged by what the repository then holds, and is answered without an end of the input', async () => {
  const folder = scratch({ ...CLEAN_REPOSITORY, 'policy.yaml': 'version: 1\npreset: safe\n' });
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const child = spawn(process.execPath, [COMMAND, 'check', '--batch', '--trust-project'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ask = async () => {
    child.stdin.write(`${JSON.stringify({ tool: 'Bash', input: { command: 'git status' } })}\n`);
    return (JSON.parse((await answers.next()).value) as Decision).decision;
  };
  const before = [await ask(), await ask()];
  writeFileSync(join(folder, '.git', 'config'), '[core]\n\tfsmonitor = ./run-me\n');
  const after = await ask();
  child.stdin.end();
  assert.equal([...before, after], ['allow', 'allow', 'ask']);
});

test('the same line again and again has the same answer each time', () => {
  const line = `${JSON.stringify({ tool: 'Bash', input: { command: 'git status' } })}\n`;
  const { stdout } = policy(['check', '--batch'], { cwd: repository, input: line.repeat(500) });
  const lines = stdout.trimEnd().split('\n');
  assert.is(lines.length, 500);
  assert.is(new Set(lines).size, 1);
});

test.run();
