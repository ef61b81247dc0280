/** Calls of an agent that `policy run` started: bound by its preset and its definition. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { HookProcess } from '../../src/hook/main.js';
import { type LaunchedRun, launchedDirectory, runMark, writeLaunched } from '../../src/run/launched.js';
import { identityOf, processTable } from '../../src/run/process-identity.js';
import { type HookWorld, payload, settle, verdictOf, withHookWorld } from './world.js';

const FILES = {
  '.config/policy/policy.yaml': 'version: 1\npreset: safe\nallow: [Agent]\n',
  'project/.claude/agents/reviewer.md': '---\nname: reviewer\ndescription: Reads.\ntools: Read, Grep, Agent\n---\nx\n',
  'project/.claude/agents/inner.md': '---\nname: inner\ndescription: Does all.\ntools: Read, Bash\n---\nx\n',
  'project/.opencode/agent/other.md': '---\ndescription: Reads.\nmode: subagent\ntools:\n  bash: false\n---\nx\n',
};

/** This process stands for `policy run`, the one that started it for nobody. */
function record(world: HookWorld, more: Partial<LaunchedRun> = {}): LaunchedRun {
  const table = processTable(process.platform);
  const own = identityOf(process.pid, table);
  if (own === null) throw new Error('no process table');
  mkdirSync(launchedDirectory(world.state), { recursive: true, mode: 0o700 });
  const run: LaunchedRun = {
    ...{
      version: 1,
      id: 'run-1',
      agent: null,
      model: 'gpt-5-codex',
      runner: 'claude-code',
      preset: null,
      project: world.project,
    },
    ...{ holder: own, child: own, headless: true, spent: null },
    ...more,
  };
  writeLaunched(world.state, run);
  return run;
}

const bash = (world: HookWorld, command: string, more = {}) => payload(world, 'Bash', { command }, more);
const read = (world: HookWorld) => payload(world, 'Read', { file_path: join(world.project, 'README.md') });
const expansion = (world: HookWorld, command_name: string) =>
  payload(world, 'none', {}, { hook_event_name: 'UserPromptExpansion', command_name, command_args: '' });
/** A process that is not ours. */
const STRANGER: Partial<HookProcess> = { parent: process.ppid };

function judge(world: HookWorld, text: string, more?: Partial<HookProcess>) {
  const output = world.run(text, more);
  const last = world.log().at(-1) ?? {};
  return { verdict: verdictOf(output), stderr: output.stderr, last };
}

test("a call whose hook was left alone is denied and not logged as nobody's: the way to its run has gone", () =>
  withHookWorld(FILES, (world) => {
    const text = bash(world, 'git status');
    judge(world, text);
    const decisions = () => world.log().filter(({ kind }) => kind === 'decision').length;
    const before = decisions();
    for (const more of [{ isUnheard: () => true }, { words: ['claude-code', '--environment', 'parent'], parent: 1 }]) {
      const output = world.run(text, more);
      assert.is(verdictOf(output), 'deny');
      assert.match(output.stderr, /the hook's watcher was stopped, and this call with it; try again/);
    }
    assert.is(decisions(), before);
  }));

test('observe mode holds for no call of a run, whenever it was switched on', () =>
  withHookWorld(FILES, (world) => {
    const wipe = bash(world, 'rm -rf /');
    record(world);
    settle(world);
    assert.is(judge(world, wipe).verdict, 'deny');
    world.write('.config/policy/policy.yaml', 'version: 1\npreset: safe\nmode: observe\n');
    for (const text of [wipe, bash(world, 'make-it-so --now')]) {
      const { verdict, last } = judge(world, text);
      assert.equal([verdict, last.mode, last.decision, last.would], ['deny', 'enforce', 'deny', undefined]);
    }
    const { verdict, last } = judge(world, wipe, STRANGER);
    assert.equal([verdict, last.mode, last.would], ['no verdict', 'observe', 'deny']);
  }));

test('the preset of the run counts, for its processes alone; the snapshots of both stay apart', () =>
  withHookWorld(FILES, (world) => {
    const write = bash(world, 'touch src/new.ts');
    const free = judge(world, write).verdict;
    assert.is.not(free, 'deny');
    settle(world);
    record(world, { preset: 'readOnly' });
    // The state directory lies beside folders of other runners, and has just been made.
    settle(world);
    assert.is(judge(world, write).verdict, 'deny');
    assert.is(judge(world, write, STRANGER).verdict, free);
    assert.is(judge(world, read(world)).verdict, 'allow');
    settle(world);
    for (const more of [undefined, STRANGER]) world.run(write, more);
    const compiled = world.compiled;
    for (const more of [undefined, STRANGER, undefined, STRANGER]) world.run(write, more);
    assert.is(judge(world, write).verdict, 'deny');
    assert.is(judge(world, write, STRANGER).verdict, free);
    assert.is(readdirSync(join(world.state, 'snapshots')).length, 2);
    assert.is(world.compiled, compiled, 'each finds its own again');
  }));

test('the definition of the run counts for the main agent, whatever runner it was written for', () =>
  withHookWorld(FILES, (world) => {
    record(world, { agent: 'reviewer' });
    const { verdict, last } = judge(world, bash(world, 'git status'));
    assert.equal([verdict, last.stage, last.agent, last.model], ['deny', 'agent', 'reviewer', 'gpt-5-codex']);
    assert.is(judge(world, read(world)).verdict, 'allow');
    assert.is(judge(world, bash(world, 'git status'), STRANGER).verdict, 'allow');
    record(world, { agent: 'other' });
    assert.equal([judge(world, bash(world, 'git status')).verdict, judge(world, read(world)).verdict], ['deny', 'allow']);
    record(world, { agent: 'nobody-knows' });
    assert.is(
      judge(world, bash(world, 'git status')).verdict,
      'deny',
      'a definition that is gone has no bounds that could be kept',
    );
  }));

test('a subagent keeps within the definition of the run and its own (R167)', () =>
  withHookWorld(FILES, (world) => {
    const inner = { agent_id: 'a1', agent_type: 'inner' };
    assert.is(judge(world, bash(world, 'git status', inner)).verdict, 'allow');
    record(world, { agent: 'reviewer' });
    const { verdict, last } = judge(world, bash(world, 'git status', inner));
    assert.equal([verdict, last.stage], ['deny', 'agent']);
    assert.is(judge(world, payload(world, 'Read', { file_path: join(world.project, 'README.md') }, inner)).verdict, 'allow');
    assert.is(judge(world, payload(world, 'Grep', { pattern: 'x' }, inner)).verdict, 'deny', 'only one of the two has it');
  }));

test('nobody is there to be asked: what would be asked is denied', () =>
  withHookWorld(FILES, (world) => {
    const unknown = bash(world, 'make-it-so --now');
    assert.is(judge(world, unknown).verdict, 'ask');
    record(world);
    assert.is(judge(world, unknown).verdict, 'deny');
    record(world, { headless: false });
    assert.is(judge(world, unknown).verdict, 'ask');
  }));

/** A goal that is a slash command: the client runs the lines of its file by itself, before the model hears of it. */
const TYPED_ROWS: readonly (readonly [why: string, body: string, run: Partial<LaunchedRun> | null, isRefused: boolean])[] = [
  ['a question, without a run: the person who typed it has answered', '!`git push origin main`', null, false],
  ['a question, where nobody is there', '!`git push origin main`', {}, true],
  ['a question, where a person works with the agent', '!`git push origin main`', { headless: false }, false],
  ['an allowed command, where nobody is there', '!`git status`', {}, false],
  ['a denied command', '!`rm -rf /`', { headless: false }, true],
  ['a secret file, where nobody is there', '@.env', {}, true],
  ['more than is looked at, where nobody is there', '!`git status` '.repeat(60), {}, true],
  ['an allowed command, beyond the tools of the agent of the run', '!`git status`', { agent: 'reviewer', headless: false }, true],
  ['a command, in a run that only reads', '!`git status`', { preset: 'readOnly' }, true],
];
for (const [why, body, run, isRefused] of TYPED_ROWS)
  test(`a goal that is a slash command: ${why}`, () =>
    withHookWorld({ ...FILES, 'project/.claude/commands/hi.md': body }, (world) => {
      if (run !== null) record(world, run);
      const { exitCode, stdout } = world.run(expansion(world, 'hi'));
      assert.is(exitCode, isRefused ? 2 : 0);
      assert.is(stdout.startsWith('{"decision":"block","reason":"policy denied Skill: '), isRefused);
      const [last] = world.log().slice(-1);
      assert.is(last?.decision, isRefused ? 'deny' : body.includes('push') ? 'ask' : 'allow');
      assert.is(last?.run, run === null ? undefined : 'run-1');
    }));

test('what a slash command runs and reads is logged, each by itself, as no call of an agent tells of it', () =>
  withHookWorld({ ...FILES, 'project/.claude/commands/hi.md': '!`git status` and !`git log` with @README.md' }, (world) => {
    record(world);
    world.run(expansion(world, 'hi'));
    assert.equal(
      world.log().map(({ tool, decision, run }) => [tool, decision, run]),
      [
        ['Bash', 'allow', 'run-1'],
        ['Bash', 'allow', 'run-1'],
        ['Read', 'allow', 'run-1'],
      ],
    );
  }));

test('a slash command whose file is not found is refused where nobody is there: what it runs is not known', () =>
  withHookWorld(FILES, (world) => {
    assert.is(world.run(expansion(world, 'unknown')).exitCode, 0);
    record(world);
    const { exitCode, stdout } = world.run(expansion(world, 'unknown'));
    assert.equal([exitCode, /no file of the skill unknown was found/.test(stdout)], [2, true]);
  }));

test('once tokens or time are spent every call is denied, by the budget stage', () =>
  withHookWorld(FILES, (world) => {
    record(world, { spent: 'its tokens: 12 of 10' });
    const { verdict, stderr, last } = judge(world, read(world));
    assert.equal([verdict, last.stage, last.reasons], ['deny', 'budget', ['budget/run']]);
    assert.match(stderr, /the run has used its tokens: 12 of 10; it ends now/);
    assert.is(judge(world, read(world), STRANGER).verdict, 'allow');
  }));

test('a damaged record, and a mark without a run, deny every call', () =>
  withHookWorld(FILES, (world) => {
    const marked = { environment: { HOME: world.home, PATH: '/usr/bin:/bin', POLICY_RUN: runMark(world.state, 'run-1') } };
    const left = world.run(read(world), { ...STRANGER, ...marked });
    assert.is(verdictOf(left), 'deny');
    assert.match(left.stderr, /has the mark of a run started by policy/);
    const { holder, child } = record(world);
    assert.is(judge(world, read(world), marked).verdict, 'allow', 'it is one of the run');
    world.write(`.local/state/policy/launched/${holder.pid}-${child.pid}.json`, 'garbage');
    const damaged = world.run(read(world));
    assert.is(verdictOf(damaged), 'deny');
    assert.match(damaged.stderr, /is damaged; remove it when no such run is going on/);
    assert.is(judge(world, read(world), STRANGER).verdict, 'allow');
  }));

test('no agent may touch what binds it, whatever its preset', () =>
  withHookWorld(FILES, (world) => {
    const { state } = world;
    world.write('.config/policy/policy.yaml', `version: 1\ntrustedRepos: [${world.project}]\nallow: ["Bash", "Write"]\n`);
    record(world, { preset: 'all', headless: false });
    assert.is(judge(world, bash(world, 'touch src/new.ts')).verdict, 'allow');
    for (const folder of ['launched', 'agents', 'clients', 'runs', 'snapshots', 'log'])
      for (const command of [
        `rm -rf ${state}/${folder}`,
        `echo x > ${state}/${folder}/x`,
        `mv ${state}/${folder} /tmp/x`,
        `truncate -s 0 ${state}/${folder}/x.json`,
      ])
        assert.is(judge(world, bash(world, command)).verdict, 'deny', command);
    for (const file of ['launched/1-2.json', 'clients/claude-code-x.json', 'agents/x/sessions/y/run.json'])
      assert.is(judge(world, payload(world, 'Write', { file_path: join(state, file), content: 'x' })).verdict, 'deny', file);
  }));

test.run();
