// `policy status`: what is enforced in a project, as text and as JSON.
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Status } from '../../src/audit/status/status.js';
import { validateStatus } from '../../src/generated/validators/status.js';
import { CLEAN_REPOSITORY, insideAgent, policy, scratch } from './spawned.js';

const test = suite('status');
/** Changes that only a person may make are refused below a coding agent. */
const personTest = insideAgent ? test.skip : test;
const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
const POLICY = 'version: 1\npreset: safe\ndefault: ask\nallow: [Bash(npm test)]\ndeny: [Bash(rm -rf *), Bash(curl *)]\n';

/** A project, a home, and what `policy` says there. */
function desk(files: Readonly<Record<string, string>> = { 'policy.yaml': POLICY }) {
  const cwd = realpathSync(scratch({ ...CLEAN_REPOSITORY, ...files }));
  const home = realpathSync(scratch({}));
  const programs = scratch({ codex: '#!/bin/sh\ntouch "$HOME/started"\n', claude: '#!/bin/sh\ntouch "$HOME/started"\n' });
  for (const name of ['codex', 'claude']) chmodSync(join(programs, name), 0o755);
  const env = { HOME: home, PATH: `${programs}:${process.env.PATH ?? ''}` };
  const run = (...args: string[]) => policy(args, { cwd, env });
  const json = () => JSON.parse(run('status', '--json').stdout) as Status & { runs: object; running: number };
  const call = (command: string) => {
    const payload = { hook_event_name: 'PreToolUse', session_id: 's', cwd, tool_name: 'Bash', tool_input: { command } };
    return policy(['hook', 'claude-code'], { cwd, env, input: JSON.stringify(payload) });
  };
  return { cwd, home, run, json, call, state: join(home, '.local/state/policy') };
}

test('an empty project: nothing is in force, and the next step is a policy', () => {
  const { run, json, home } = desk({});
  const { status, stdout, stderr } = run('status');
  assert.equal([status, stderr], [0, '']);
  assert.match(stdout, /^ {2}files +none: only the built-in rules apply$/m);
  assert.match(stdout, /^ {2}mode +enforce, but no hook is installed: no call is checked$/m);
  assert.match(stdout, /^ {2}codex +NO HOOK: its calls are not checked; on PATH$/m);
  assert.match(stdout, /^No subagent runs yet\.$/m, 'the words of the original (R048)');
  assert.is(json().next.command, 'policy init');
  assert.equal(readdirSync(home), [], 'nothing was written, and no runner was started');
});

test('an untrusted policy: its digest, what it may do, and how to trust it', () => {
  const { run, json } = desk();
  const [layer] = json().policy.layers;
  assert.equal(
    [layer?.layer, layer?.file, layer?.trusted, layer?.trust, layer?.since],
    ['project', 'policy.yaml', false, 'untrusted', null],
  );
  assert.is(json().next.command, 'policy trust');
  const { rules, preset } = json().policy.inForce ?? {};
  assert.equal([rules?.allow, rules?.deny, preset], [0, 2, null], 'only its restrictions count');
  assert.match(
    run('status').stdout.replace(/\s+/g, ' '),
    /policy\.yaml, sha256:[0-9a-f]{12}, NOT TRUSTED: it can only add restrictions/,
  );
});

personTest(
  'trusted and installed: policy, hook with its version, log, the last denials without secrets, at most 25 lines',
  () => {
    const { cwd, run, json, call } = desk();
    assert.is(run('trust', '--yes').status, 0);
    assert.is(run('install', 'claude-code', '--yes').status, 0);
    for (const command of [
      'rm -rf one',
      'rm -rf two',
      'npm test',
      `curl -H "Authorization: Bearer ${TOKEN}" example.com`,
      'rm -rf four',
    ])
      call(command);
    const status = json();
    assert.ok(validateStatus(status), JSON.stringify(validateStatus.errors));
    const [layer] = status.policy.layers;
    assert.equal([layer?.trusted, layer?.trust], [true, 'record']);
    assert.match(layer?.since ?? '', /^\d{4}-\d\d-\d\d$/);
    assert.is(status.policy.inForce?.preset, 'safe');
    const [claude, codex] = status.hooks;
    assert.equal([claude?.runner, claude?.hooks.length, claude?.hooks[0]?.scope], ['claude-code', 1, 'user']);
    assert.is(claude?.hooks[0]?.version, status.program);
    assert.equal([codex?.runner, codex?.hooks.length, codex?.path !== null], ['codex', 0, true]);
    assert.equal(status.hooks.length, 8, 'every runner stands in the JSON');
    assert.equal([status.log?.today.count, status.log?.unsealed.count], [5, 5]);
    assert.equal(
      status.denials.last.map(({ call: denied }) => denied.slice(0, 10)),
      ['rm -rf fou', 'curl -H "A', 'rm -rf two'],
    );
    assert.is(status.next.command, 'policy install codex');
    const text = run('status').stdout;
    assert.ok(text.trimEnd().split('\n').length <= 25, text);
    assert.match(
      text.replace(/\s+/g, ' '),
      /claude-code in all your projects \(~\/\.claude\/settings\.json:\d+, version [\d.]+\); on PATH/,
    );
    assert.match(text, /5 records \(UTC\); 5 not sealed/);
    assert.not.ok(`${text}${JSON.stringify(status)}`.includes(TOKEN), 'the secret');
    assert.match(text, /\d{4}-\d\d-\d\d \d\d:\d\dZ +Bash rm -rf four · \S+ denies Bash\(rm -rf \*\)/);
    assert.is(statSync(cwd).isDirectory(), true);
    run('doctor', 'claude-code');
    assert.equal(json().denials, status.denials, 'calls by which doctor tests the hook are no denials of an agent');
  },
);

test('a log that keeps inputs in full shows no secret here', () => {
  const { home, run, call, state } = desk();
  mkdirSync(join(home, '.config/policy'), { recursive: true });
  writeFileSync(join(home, '.config/policy/policy.yaml'), 'version: 1\nlog: { input: full }\n');
  call(`curl -H "Authorization: Bearer ${TOKEN}" example.com`);
  const [name = ''] = readdirSync(join(state, 'log'));
  assert.ok(readFileSync(join(state, 'log', name), 'utf8').includes(TOKEN), 'it is in the log');
  for (const args of [['status'], ['status', '--json']]) {
    const { stdout } = run(...args);
    assert.match(stdout, /Bearer \[masked:/);
    assert.not.ok(stdout.includes(TOKEN));
  }
});

test('a policy with a mistake: every call is denied, exit 3, and all the rest is told', () => {
  const { run, json } = desk({ 'policy.yaml': 'version: 1\nallwo: [Bash]\n' });
  const { status, stdout } = run('status');
  assert.is(status, 3);
  assert.match(stdout, /^ {2}PROBLEM +The policy cannot be used, so every call is denied: policy\.yaml:2:/m);
  assert.match(stdout, /^ {9}.*fix: policy lint$/m);
  assert.match(stdout, /^ {2}broken +every call is denied$/m);
  assert.match(stdout, /^Hooks$/m);
  assert.equal([json().policy.inForce, json().next.command], [null, 'policy lint']);
});

test('observe mode is told where everybody looks', () => {
  const { home, run, json } = desk({});
  mkdirSync(join(home, '.config/policy'), { recursive: true });
  writeFileSync(join(home, '.config/policy/policy.yaml'), 'version: 1\nmode: observe\n');
  assert.match(run('status').stdout, /^ {2}mode +OBSERVE MODE: nothing is blocked here/m);
  assert.match(run('status').stdout, /^ {2}user +~\/\.config\/policy\/policy\.yaml, sha256:[0-9a-f]{12}$/m);
  assert.is(json().policy.inForce?.mode, 'observe');
});

personTest('a hook that misses calls, and one whose program is gone, are problems with what to do', () => {
  const { home, run, json } = desk();
  run('trust', '--yes');
  run('install', 'claude-code', '--yes');
  const file = join(home, '.claude/settings.json');
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, whole.replace('"matcher": "*"', '"matcher": "Bash"'));
  const [problem] = json().problems;
  assert.is(problem?.runner, 'claude-code');
  assert.match(problem?.message ?? '', /misses calls/);
  assert.is(json().next.command, 'policy doctor claude-code');
  writeFileSync(file, whole.replaceAll('/versions/', '/gone/'));
  assert.match(run('status').stdout, /^ {2}PROBLEM +/m);
});

test('names and texts of a repository cannot draw on the terminal', () => {
  const { cwd, run, call } = desk({
    'policy.yaml': 'version: 1\ndeny: [{ rule: Bash(rm *), reason: "\\e[31mall fine\\u202e" }]\n',
  });
  mkdirSync(join(cwd, '.claude'));
  writeFileSync(
    join(cwd, '.claude/settings.json'),
    '{"hooks":{"PreToolUse":[{"matcher":"\\u001b[2J","hooks":[{"type":"command","command":"policy hook claude-code"}]}]}}',
  );
  call('rm \u001b[2J\u009b31m');
  for (const args of [['status'], ['status', '--json']]) {
    const { stdout } = run(...args);
    assert.not.match(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    assert.match(stdout, /rm/);
  }
});

test('a log that cannot be read and a damaged record of subagents: exit 3, named, the rest is printed', () => {
  const { cwd, run, call, state, json } = desk();
  call('rm -rf x');
  chmodSync(state, 0o700);
  mkdirSync(join(state, 'tree'), { mode: 0o700 });
  writeFileSync(join(state, 'tree/tree.json'), 'garbage', { mode: 0o600 });
  assert.is(run('status').status, 3);
  assert.match(run('status').stdout, /^ {2}PROBLEM +.*tree\.json/m);
  assert.is(json().log, null);
  assert.match(run('status').stdout, /rm -rf x · \S+ denies/, cwd);
});

test('a long log is not read as a whole', () => {
  const { cwd, run, call, state, json } = desk();
  call('rm -rf x');
  const [name = ''] = readdirSync(join(state, 'log'));
  const file = join(state, 'log', name);
  const line = readFileSync(file, 'utf8').replaceAll('"deny"', '"ask"');
  const block = line.repeat(Math.ceil(1_048_576 / line.length));
  for (let part = 0; part < 70; part++) appendFileSync(file, block);
  const { log, denials } = json();
  assert.equal([log?.today.whole, denials.whole, denials.last.length], [false, false, 0]);
  assert.match(run('status').stdout, /more than \d+ records/);
  assert.match(run('status').stdout, /none among the newest records/, cwd);
});

test('a link in the place of the policy that leads out of the project is a problem, not followed', () => {
  const { cwd, run } = desk({});
  const outside = scratch({ 'policy.yaml': 'version: 1\nallow: [Bash]\n' });
  symlinkSync(join(outside, 'policy.yaml'), join(cwd, 'policy.yaml'));
  const { status, stdout } = run('status');
  assert.is(status, 3);
  assert.match(stdout.replace(/\s+/g, ' '), /leads out of the project/);
});

test('agents status has what status had before: the words of the original, RUN, --log and --json', () => {
  const { cwd, run } = desk({});
  assert.equal(run('agents', 'status'), { status: 0, stdout: 'No subagent runs yet.\n', stderr: '' });
  assert.equal(JSON.parse(run('agents', 'status', '--json').stdout), { version: 1, project: cwd, running: 0, runs: {} });
  for (const args of [['agents', 'status'], ['status']]) {
    assert.match(run(...args, 'nobody').stderr, /No run here has the id or the agent "nobody"/);
    assert.is(run(...args, '--log').status, 3);
  }
  assert.match(run('agents', 'list', '--log').stderr, /--log goes with policy agents status/);
});

test.run();
