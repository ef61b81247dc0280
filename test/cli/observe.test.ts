// `mode: observe`: every face says loudly that nothing is blocked, and only a user's or managed policy may say so.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { validateDecision } from '../../src/generated/validators/decision.js';
import { OBSERVE_MODE } from '../../src/report/printing/observe.js';
import { SEARCH_ONLY } from '../agent/search-only.js';
import { type Answer, CLEAN_REPOSITORY, insideAgent, policy, scratch } from './spawned.js';

const test = suite('observe mode');
const changing = insideAgent ? test.skip : test;
const repository = scratch({ ...CLEAN_REPOSITORY, '.agent/agents/search-only.md': SEARCH_ONLY });
const observing = scratch({ '.config/policy/policy.yaml': 'version: 1\nmode: observe\n' });
const call = '{"tool":"Bash","input":{"command":"rm -rf /"}}\n';

/** Runs a command as a user whose own policy observes. */
function observed(args: readonly string[], input?: string): Answer {
  return policy(args, { cwd: repository, env: { HOME: observing }, ...(input !== undefined && { input }) });
}

const faces: readonly (readonly [args: readonly string[], status: number])[] = [
  [['check', 'Bash', 'rm -rf /'], 1],
  [['check', '--json', 'Bash', 'rm -rf /'], 1],
  [['check', '--explain', 'Bash', 'git push'], 2],
  [['check', 'Read', 'src/a.ts'], 0],
  [['lint'], 0],
  [['agents', 'list'], 0],
  [['agents', 'show', 'search-only'], 0],
  [['tools', 'list'], 0],
  [['overlay', 'show', '--agent', 'search-only'], 0],
  [['preset', 'expand', 'safe'], 0],
  [['log', 'tail'], 0],
  [['audit'], 1],
  [['allow', '--dry-run', 'Bash(npm run format *)'], 0],
  [['log', 'query', '--decision', 'deny'], 0],
];
for (const [args, status] of faces)
  test(`policy ${args.join(' ')} says it once, and ends as ever`, () => {
    const answer = observed(args);
    assert.is(answer.status, status, answer.stderr);
    assert.is(answer.stderr.split(OBSERVE_MODE).length - 1, 1, answer.stderr);
  });

test('the decision is what would be enforced, and its JSON says that nobody does', () => {
  const decision: unknown = JSON.parse(observed(['check', '--json', 'Bash', 'rm -rf /']).stdout);
  assert.ok(validateDecision(decision), JSON.stringify(validateDecision.errors));
  assert.match(JSON.stringify(decision), /^\{"version":1,"decision":"deny","mode":"observe",/);
});

test('every line of a batch says it, and standard error once', () => {
  const { stdout, stderr } = observed(['check', '--batch'], call.repeat(3));
  assert.is(stderr.split(OBSERVE_MODE).length - 1, 1);
  for (const line of stdout.trimEnd().split('\n')) assert.match(line, /"decision":"deny","mode":"observe"/);
});

test('an explanation says it below its answer, also where only standard output is kept', () => {
  const { stdout } = observed(['check', '--explain', 'Bash', 'git push']);
  assert.match(stdout.replace(/\n +/g, ' '), /^ASK .*OBSERVE MODE: nothing is blocked here; /);
});

const enforced: readonly (readonly [what: string, files: Readonly<Record<string, string>>, args: readonly string[]])[] = [
  ['a project', { 'policy.yaml': 'version: 1\nmode: observe\n' }, []],
  ['a trusted project', { 'policy.yaml': 'version: 1\nmode: observe\n' }, ['--trust-project']],
  ['the local additions', { 'policy.local.yaml': 'version: 1\nmode: observe\n' }, ['--trust-project']],
];
for (const [what, files, args] of enforced)
  test(`${what} cannot switch the gate off: ignored, with a note`, () => {
    const answer = policy(['check', ...args, '--json', 'Bash', 'rm -rf /'], { cwd: scratch({ ...CLEAN_REPOSITORY, ...files }) });
    assert.is(answer.status, 1);
    assert.not.match(answer.stdout, /observe/);
    assert.not.match(answer.stderr, /OBSERVE MODE/);
    assert.match(answer.stderr, /^note: policy(?:\.local)?\.yaml:2:\d+: .*mode/m);
  });

test('a policy that enforces says nothing of the kind', () => {
  const answer = policy(['check', '--json', 'Bash', 'rm -rf /'], { cwd: repository });
  assert.not.match(answer.stdout + answer.stderr, /observe/i);
});

/** A person whose home is empty, at their desk. */
function person(files: Readonly<Record<string, string>> = {}) {
  const own = scratch({ 'x/x': '', ...files });
  const run = (...args: string[]) => policy(args, { cwd: repository, env: { HOME: own } });
  return { own, run, file: join(own, '.config/policy/policy.yaml') };
}

changing('on writes the file, status tells, off writes it back, and each says so when there is nothing to do', () => {
  const { run, file } = person();
  assert.is(run('observe', 'status').stdout, 'off: the policy denies and asks as it says\n');
  assert.is(run('observe', 'off', '--yes').stdout, 'Observe mode is already off. Nothing to do.\n');
  assert.not.ok(existsSync(file));
  const on = run('observe', 'on', '--yes');
  assert.is(on.status, 0, on.stderr);
  assert.match(
    on.stdout,
    /^--- \/dev\/null\n\+\+\+ .*\n\+version: 1\n\+mode: observe\n.*\nWritten: mode: observe \(.*policy\.yaml:2\)\n/s,
  );
  assert.is(readFileSync(file, 'utf8'), 'version: 1\nmode: observe\n');
  assert.match(run('check', 'Bash', 'rm -rf /').stderr, /OBSERVE MODE/);
  assert.is(run('observe', 'status').stdout, `on: nothing is blocked; decisions are only logged (${file}:2)\n`);
  assert.match(run('observe', 'on', '--yes').stdout, /^Observe mode is already on \(/);
  assert.is(run('observe', 'off', '--yes').status, 0);
  assert.is(readFileSync(file, 'utf8'), 'version: 1\nmode: enforce\n');
  assert.not.match(run('check', 'Bash', 'rm -rf /').stderr, /OBSERVE MODE/);
});

changing('without a terminal and --yes nothing is written, and XDG_CONFIG_HOME says where the file is', () => {
  const { own, run, file } = person();
  const asked = run('observe', 'on');
  assert.is(asked.status, 3);
  assert.match(asked.stderr, /no terminal to ask at; nothing was changed/);
  assert.not.ok(existsSync(file));
  const env = { HOME: own, XDG_CONFIG_HOME: join(own, 'conf') };
  assert.is(policy(['observe', 'on', '--yes'], { cwd: repository, env }).status, 0);
  assert.ok(existsSync(join(own, 'conf/policy/policy.yaml')));
});

changing('a policy with a mistake is named with its place and stays', () => {
  const { run, file } = person({ '.config/policy/policy.yaml': 'version: 1\nmod: x\n' });
  const { status, stderr } = run('observe', 'on', '--yes');
  assert.is(status, 3);
  assert.match(stderr, /policy\.yaml:2:1: /);
  assert.is(readFileSync(file, 'utf8'), 'version: 1\nmod: x\n');
});

for (const action of ['on', 'off'])
  test(`inside a coding agent \`observe ${action}\` refuses, also with --yes, and status and --dry-run answer`, () => {
    const { own, file } = person({ '.config/policy/policy.yaml': 'version: 1\n' });
    const run = (...args: string[]) => policy(args, { cwd: repository, env: { HOME: own, CLAUDECODE: '1' } });
    const { status, stderr } = run('observe', action, '--yes');
    assert.is(status, 3);
    assert.match(stderr, /^policy observe changes what agents may do, so a person has to run it.* Nothing was changed\.$/m);
    assert.is(readFileSync(file, 'utf8'), 'version: 1\n');
    assert.is(run('observe', 'status').status, 0);
    assert.is(run('observe', action, '--dry-run').status, 0);
  });

test.run();
