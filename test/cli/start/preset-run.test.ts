// A run that nothing stands in the way of is started by a small bundle: it says and writes what the whole program would, and leaves it
// everything else.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test as uvuTest } from 'uvu';
import * as assert from 'uvu/assert';
import { OBSERVE_NOT_IN_RUNS } from '../../../src/report/printing/observe.js';
import { client } from '../run-world.js';
import { CLEAN_REPOSITORY, insideAgent, scratch } from '../spawned.js';

/** `policy run` refuses inside a coding agent, as it should. */
const test = insideAgent ? uvuTest.skip : uvuTest;
const CLIENT = resolve('test/fixtures/fake-runner/claude');
const PRESET = ['--preset', 'safe', '--runner', 'claude-code'] as const;
const GOAL = ['--goal', 'run git status\nrun rm -rf /\ntokens 12345\nsay well'] as const;
const WHOLE = 'dist/cli/policy-main.cjs';
const NEEDS_WHOLE = /policy-main\.cjs is no program/;

/** A package with all of the program, a project beside it, and two runs behind it. */
function world(policy = 'version: 1\npreset: safe\n') {
  const folder = realpathSync(
    scratch({
      'config/policy/policy.yaml': policy,
      '.claude/agents/reviewer.md': '---\nname: reviewer\ndescription: Reads.\n---\n',
    }),
  );
  for (const name of ['bin', 'dist']) cpSync(name, join(folder, name), { recursive: true });
  cpSync('package.json', join(folder, 'package.json'));
  const project = realpathSync(scratch(CLEAN_REPOSITORY));
  const client = join(folder, 'claude');
  cpSync(CLIENT, client);
  chmodSync(client, 0o755);
  const state = join(folder, 'state', 'policy');
  const env = {
    ...{ HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state') },
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
  };
  const words = (args: readonly string[]) => [join(folder, 'bin/policy.js'), 'run', ...args, '--program', client];
  const run = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, words(args), {
      ...{ cwd: project, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    });
    return { status, stdout, stderr };
  };
  const log = () =>
    readdirSync(join(state, 'log'))
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) =>
        readFileSync(join(state, 'log', name), 'utf8')
          .trimEnd()
          .split('\n'),
      )
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const first = run(...PRESET, ...GOAL);
  const second = run(...PRESET, ...GOAL, '--json');
  return {
    ...{ project, state, run, log, first, second, at: (name: string) => join(folder, name) },
    start: (...args: readonly string[]) => spawn(process.execPath, words(args), { cwd: project, env, stdio: 'ignore' }),
    /** From here on nothing can be done that needs the whole program. */
    withoutWhole: () => writeFileSync(join(folder, WHOLE), 'evil('),
  };
}

/** Without what tells one run from another. */
function timeless(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.-]+Z/g, 'TIME')
    .replaceAll(/\d\d:\d\d:\d\d/g, 'TIME')
    .replaceAll(/after \d+\.\d s/g, 'after TIME')
    .replaceAll(/"milliseconds":\d+/g, '"milliseconds":N');
}

test('it says, writes and logs what the whole program does', () => {
  const { run, log, first, second, state, withoutWhole } = world();
  assert.equal([first.status, first.stderr], [0, ''], first.stderr);
  withoutWhole();
  const third = run(...PRESET, ...GOAL);
  assert.equal([third.status, third.stderr], [0, ''], third.stderr);
  assert.is(timeless(third.stdout), timeless(first.stdout));
  assert.match(third.stdout, /12,345 tokens/);
  const fourth = run(...PRESET, ...GOAL, '--json');
  assert.is(timeless(fourth.stdout), timeless(second.stdout));
  assert.is(log().filter(({ event }) => event === 'run.started').length, 4);
  assert.is(log().filter(({ event }) => event === 'run.ended').length, 4);
  const folder = join(state, 'agents', 'preset-safe', 'sessions');
  const [one, , other] = readdirSync(folder)
    .sort()
    .map((name) => timeless(readFileSync(join(folder, name, 'run.json'), 'utf8')));
  const plain = (record = '') => record.replaceAll(/"(?:id|pid|began)": [^\n]*/g, '');
  assert.is(plain(other), plain(one));
});

test('what would allow a denied call is told by the whole program, and where that is damaged the run ends as it does', () => {
  const { run, withoutWhole } = world();
  const goal = ['--goal', 'run make-it-so'] as const;
  const asked = 'nobody can be asked in this run';
  const told = run(...PRESET, ...goal).stdout;
  assert.ok(told.includes(`    ${asked}; to allow it: policy allow 'Bash(make-it-so)'\n`), told);
  withoutWhole();
  const { status, stdout, stderr } = run(...PRESET, ...goal);
  assert.equal([status, stderr], [0, '']);
  assert.ok(stdout.includes(`    ${asked}\n`), stdout);
});

test('everything else is left to the whole program', () => {
  const { run, withoutWhole } = world();
  withoutWhole();
  for (const args of [
    ['reviewer', ...GOAL],
    ['--preset', 'safe', ...GOAL],
    ['--runner', 'claude-code', ...GOAL],
    [...PRESET, ...GOAL, '--dry-run'],
    [...PRESET, ...GOAL, '--no-such-flag'],
    [...PRESET, ...GOAL, '--timeout', 'soon'],
    [...PRESET, ...GOAL, '--scope', '/'],
    [...PRESET, '--goal', '-'],
    [...PRESET],
    ['--help'],
  ]) {
    const { status, stdout, stderr } = run(...args);
    assert.equal([status, stdout], [3, ''], `${args}: ${stderr}`);
    assert.match(stderr, NEEDS_WHOLE, args.join(' '));
  }
  assert.is(run(...PRESET, ...GOAL).status, 0, 'and none of that stood in the way of the next one');
});

test('what has changed since the last run is looked at by the whole program', () => {
  const changes: Readonly<Record<string, (at: (name: string) => string, project: string) => void>> = {
    'the policy': (at) => writeFileSync(at('config/policy/policy.yaml'), 'version: 1\npreset: all\n'),
    'a policy of the project': (_, project) => writeFileSync(join(project, 'policy.yaml'), 'version: 1\ndeny: [Bash]\n'),
    'an agent': (at) => writeFileSync(at('.claude/agents/reviewer.md'), '---\nname: reviewer\ndescription: Writes.\n---\n'),
    'the program of the hook': (at) => {
      const versions = at('.local/share/policy/versions');
      const [version = ''] = readdirSync(versions);
      chmodSync(join(versions, version, 'dist/hook-main.cjs'), 0o600);
    },
    'what was tried': (at) => writeFileSync(at('state/policy/clients/tried-hooks'), ''),
    'the settings that may switch hooks off': (at) => writeFileSync(at('.claude/settings.json'), '{"disableAllHooks": false}'),
  };
  for (const [what, change] of Object.entries(changes)) {
    const { run, at, project, withoutWhole } = world();
    change(at, project);
    withoutWhole();
    const { status, stderr } = run(...PRESET, ...GOAL);
    assert.is(status, 3, what);
    assert.match(stderr, NEEDS_WHOLE, what);
  }
});

test('in observe mode a run is held to its permissions and says so, the first one and all others', () => {
  const { run, first, log } = world('version: 1\npreset: safe\nmode: observe\n');
  for (const { status, stdout, stderr } of [first, run(...PRESET, ...GOAL), run(...GOAL, ...PRESET)]) {
    assert.equal([status, stderr], [0, `${OBSERVE_NOT_IN_RUNS}\n`]);
    assert.match(stdout, /\n {2}failed: Bash rm -rf \/\n.*calls: 1 allowed, 0 asked, 1 denied\n/s);
  }
  const denied = log().filter(({ decision }) => decision === 'deny');
  // Those of the second run, which prints JSON, and the call that tries the hook.
  assert.equal(
    denied.map(({ mode, would }) => [mode, would]),
    Array(5).fill(['enforce', undefined]),
  );
});

test('a further attempt is looked at by the whole program, and refused in its words', () => {
  const { run, at, project, state } = world();
  const hooks = { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: './rewrite.sh' }] }] };
  const settings = join(project, '.claude/settings.json');
  writeFileSync(at('claude'), client(`mkdir -p .claude\necho '${JSON.stringify({ hooks })}' > ${settings}\nexit 4`));
  for (const words of [
    [...PRESET, ...GOAL],
    [...GOAL, ...PRESET],
  ]) {
    const { status, stdout, stderr } = run(...words);
    assert.equal([status, stdout], [3, '▶ preset safe started\n'], stderr);
    assert.match(
      stderr,
      /^note: attempt 1 failed: .*\nnote: Subagent .*\nNot started: claude-code would not be held to the policy\n.*may rewrite/,
    );
    rmSync(settings);
  }
  assert.equal(readdirSync(join(state, 'launched')), []);
});

test('an instruction file that brings something along is looked at by the whole program', () => {
  const { run, project, withoutWhole } = world();
  const file = join(project, 'CLAUDE.md');
  writeFileSync(join(project, 'notes.md'), '');
  withoutWhole();
  writeFileSync(file, '# Rules\n\nUse @types/node, ask ann@corp.com.\n');
  assert.is(run(...PRESET, ...GOAL).status, 0, 'nothing is brought along');
  writeFileSync(file, 'See @notes.md.\n');
  assert.match(run(...PRESET, ...GOAL).stderr, NEEDS_WHOLE, 'an import');
  rmSync(file);
  symlinkSync('notes.md', file);
  assert.match(run(...PRESET, ...GOAL).stderr, NEEDS_WHOLE, 'a link');
});

test('an instruction file is looked at again before a further attempt', () => {
  const { run, at, project } = world();
  const file = join(project, 'CLAUDE.md');
  writeFileSync(at('claude'), client(`echo @.env > ${file}\necho T=1 > ${join(project, '.env')}\nexit 4`));
  for (const words of [
    [...PRESET, ...GOAL],
    [...GOAL, ...PRESET],
  ]) {
    const { status, stdout, stderr } = run(...words);
    assert.equal([status, stdout], [2, '▶ preset safe started\n'], stderr);
    assert.match(stderr, /^CLAUDE\.md:1 imports @\.env, which claude would send to the model without a call, .*\n {2}fix: /m);
    rmSync(file);
  }
});

test('while another run goes on it is refused in the same words', async () => {
  const { run, start, log, withoutWhole, state } = world();
  const other = start(...PRESET, '--goal', 'sleep 30');
  const ended = new Promise((done) => {
    other.once('close', done);
  });
  const launched = join(state, 'launched');
  while (readdirSync(launched).length === 0)
    await new Promise((done) => {
      setTimeout(done, 20);
    });
  // In an order that only the whole program takes.
  const whole = run(...GOAL, ...PRESET);
  withoutWhole();
  const refused = run(...PRESET, ...GOAL);
  other.kill('SIGTERM');
  await ended;
  assert.equal(refused, whole);
  assert.is(refused.status, 1);
  assert.match(
    refused.stderr,
    /^⚠ Cannot start preset safe while preset safe is still running\. .*\nConcurrent execution detected: /,
  );
  assert.ok(log().some(({ event }) => event === 'run.overlap'));
});

uvuTest.run();
