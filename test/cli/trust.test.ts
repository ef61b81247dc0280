// `policy trust`: what it shows, what it asks, what it refuses, and what it leaves behind.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAN_REPOSITORY, COMMAND, insideAgent, policy, scratch } from './spawned.js';

const test = suite('trust');
const changing = insideAgent ? test.skip : test;
const POLICY =
  'version: 1\npreset: safe\nallow:\n  - Bash(npm test)\n  - Read(src/**)\nbudget: { perAgent: { "a\\u202eb": 5 } }\ndeny: [WebFetch]\nonAsk: allow\n';

/** A project and a home of its own. */
function place(files: Readonly<Record<string, string>> = { 'policy.yaml': POLICY }) {
  const cwd = scratch({ ...CLEAN_REPOSITORY, ...files });
  const env = { HOME: scratch({}) };
  const records = () => {
    const folder = join(env.HOME, '.local/state/policy/trust');
    return existsSync(folder) ? readdirSync(folder).length : 0;
  };
  return { cwd, env, records, run: (...args: readonly string[]) => policy(args, { cwd, env }) };
}

test('--show says what would be granted, in the order of the file and escaped, and changes nothing', () => {
  const { cwd, env, records, run } = place();
  const { status, stdout, stderr } = run('trust', '--show');
  assert.is(status, 1);
  assert.is(
    stdout.replace(cwd, 'DESK').replace(/^.*DESK/, 'DESK'),
    [
      'DESK  policy.yaml',
      'Not trusted: until you trust it, it can only add restrictions.',
      '',
      'It grants, or replaces your own settings:',
      '  preset: "safe"               policy.yaml:2',
      '  allow Bash(npm test)         policy.yaml:4',
      '  allow Read(src/**)           policy.yaml:5',
      '  budget.perAgent.a\\u202eb: 5  policy.yaml:6',
      '',
      'Its one ask or deny rule applies either way.',
      '',
    ].join('\n'),
  );
  assert.match(stderr, /onAsk is ignored: it is read only from user and managed policies/);
  assert.is(records(), 0);
  assert.not.ok(existsSync(join(env.HOME, '.local')));
});

changing('without a terminal it names the line to type, and changes nothing', () => {
  const { records, run } = place();
  const { status, stderr } = run('trust');
  assert.is(status, 3);
  assert.match(stderr, /no terminal to ask at; nothing was changed.*policy trust --yes/s);
  assert.is(records(), 0);
});

changing('--yes makes it count; --show says since when; nothing new asks nothing', () => {
  const { records, run } = place();
  assert.is(run('check', 'Bash', 'npm test').status, 2);
  const { status, stdout } = run('trust', '--yes');
  assert.is(status, 0);
  assert.match(stdout, /^Trusted: its rules apply from now on\.$/m);
  assert.is(records(), 1);
  assert.is(run('check', 'Bash', 'npm test').status, 0);
  assert.match(run('trust', '--show').stdout, /^Trusted \(since \d{4}-\d\d-\d\d\)\.$/m);
  assert.is(run('trust', '--show').status, 0);
  assert.is(run('trust').status, 0);
});

changing('after a change it shows the difference, and only that', () => {
  const { cwd, run } = place();
  run('trust', '--yes');
  writeFileSync(join(cwd, 'policy.yaml'), POLICY.replace('Bash(npm test)', 'Bash(npm *)').replace('deny: [WebFetch]\n', ''));
  const { status, stdout } = run('trust', '--show');
  assert.is(status, 1);
  const lines = stdout.split('\n').filter((line) => /^ {2}[+~-]/.test(line));
  assert.equal(lines, ['  + allow Bash(npm *)  policy.yaml:4', '  - deny WebFetch']);
  assert.is(run('check', 'Bash', 'npm test').status, 2);
  assert.match(run('check', 'Bash', 'npm test').stderr, /grants more than you trusted on/);
});

changing('a policy that is gone holds until it is back or forgotten', () => {
  const { cwd, records, run } = place();
  run('trust', '--yes');
  rmSync(join(cwd, 'policy.yaml'));
  const { status, stderr } = run('check', 'Read', 'src/a.ts');
  assert.is(status, 0);
  assert.match(stderr, /is not in this checkout, so it holds as it was trusted on .*; `policy trust` ends that/);
  assert.is(run('trust', '--show').status, 1);
  assert.is(run('trust', '--yes').status, 0);
  assert.is(records(), 0);
  assert.is(run('check', 'Read', 'src/a.ts').status, 0);
});

test('where there is no policy there is nothing to trust', () => {
  const { run } = place({});
  assert.is(run('trust', '--show').status, 0);
  assert.is(run('trust', '--yes').status, 3);
});

changing('mistakes are told with their place, and nothing is trusted', () => {
  const { records, run } = place({ 'policy.yaml': 'version: 1\nallow: [Read(]\n' });
  const { status, stderr } = run('trust', '--yes');
  assert.is(status, 3);
  assert.match(stderr, /^policy\.yaml:2:\d+: /m);
  assert.is(records(), 0);
});

test('--show --yes only shows', () => {
  const { records, run } = place();
  run('trust', '--show', '--yes');
  assert.is(records(), 0);
});

test("inside a runner it refuses by the runner's variable, whatever else was said; --show is still allowed", () => {
  const { cwd, env, records } = place();
  const inside = { cwd, env: { ...env, CLAUDECODE: '1' } };
  const { status, stderr } = policy(['trust', '--yes'], inside);
  assert.is(status, 3);
  assert.is(
    stderr,
    'policy trust changes what agents may do, so a person has to run it in their own terminal; this one runs inside Claude Code (CLAUDECODE is set). Nothing was changed.\n',
  );
  assert.is(policy(['trust', '--show'], inside).status, 1);
  assert.is(records(), 0);
});

test('inside a runner that hides its variables it refuses by the process above it', () => {
  const { cwd, env, records } = place();
  const runner = join(scratch({ claude: RUNNER }), 'claude');
  const { status, stderr } = spawnSync(process.execPath, [runner, process.execPath, COMMAND, 'trust', '--yes'], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
    encoding: 'utf8',
  });
  assert.is(status, 3);
  assert.match(stderr, /runs inside Claude Code \(process \d+ is claude\)\. Nothing was changed\./);
  assert.is(records(), 0);
});

/** Runs its arguments through a shell, as a runner's Bash tool does. */
const RUNNER = `const { spawnSync } = require('node:child_process');
process.exitCode = spawnSync('/bin/sh', ['-c', '"$@"; exit $?', 'sh', ...process.argv.slice(2)], { stdio: 'inherit' }).status;
`;

test.run();
