/** The tests that the original design asks for, as it words them: R057, R117, R118, R264. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as uvuTest } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrchestrator, OrchestrationError } from '../../src/enforce/agents/orchestrator.js';
import { eventsOf, runWorld } from './run-world.js';
import { insideAgent, scratch } from './spawned.js';

/** `policy run` refuses inside a coding agent, as it should. */
const test = insideAgent ? uvuTest.skip : uvuTest;

test('R057: while agent1 runs, agent2 is a concurrent execution', async () => {
  const project = scratch({});
  const places = { project, stateDirectory: join(project, 'state') };
  const orders: string[] = [];
  await createOrchestrator(places).execute({ name: 'agent1' }, null, {}, async () => {
    try {
      await createOrchestrator(places).execute({ name: 'agent2' }, null, {}, async () => {
        orders.push('agent2');
      });
      assert.unreachable();
    } catch (error) {
      assert.instance(error, OrchestrationError);
      const { code, runningAgent, requestedAgent } = error as OrchestrationError;
      assert.equal([code, runningAgent, requestedAgent], ['CONCURRENT_EXECUTION', 'agent1', 'agent2']);
    }
    orders.push('agent1');
  });
  assert.equal(orders, ['agent1']);
});

/** Commands that write, read, and commit. */
const GOAL = ['run echo x > made.txt', 'run git status', 'run rm README.md', 'run git commit -m x'].join('\n');

test('R117, R118: read-only runs never write; git commits under safe and all alone', async () => {
  const world = runWorld(`version: 1\npreset: safe\n`);
  world.write('README.md', 'hello\n');
  world.write(join(world.env.XDG_CONFIG_HOME ?? '', 'policy', 'policy.yaml'), `version: 1\ntrustedRepos: [${world.project}]\n`);
  const decided = async (preset: string) => {
    const before = world.log().length;
    const answer = await world.run(['--preset', preset, '--runner', 'claude-code', '--goal', GOAL]);
    assert.is(answer.status, 0, answer.stderr);
    const decisions = world
      .log()
      .slice(before)
      .filter(({ kind }) => kind === 'decision');
    return decisions.map(({ input, decision }) => `${decision} ${(input as { command: string }).command}`);
  };
  for (const preset of ['readOnly', 'inspect']) {
    const decisions = await decided(preset);
    assert.is(decisions.length, 4, preset);
    for (const line of decisions.filter((one) => !one.includes('git status'))) assert.match(line, /^deny /, preset);
    assert.not(existsSync(join(world.project, 'made.txt')), preset);
    assert.is(readFileSync(join(world.project, 'README.md'), 'utf8'), 'hello\n', preset);
  }
  for (const preset of ['safe', 'all']) assert.ok((await decided(preset)).includes('allow git commit -m x'), preset);
});

/** A client that calls three tools, as its hook lets it, and then writes its report with a fourth. */
const CLIENT = `#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
const words = process.argv.slice(2);
if (words.includes('--help')) {
  const flags = ['settings', 'permission-mode', 'tools', 'append-system-prompt', 'agent', 'model', 'safe-mode', 'disallowedTools'];
  for (const flag of flags) console.log('  --' + flag + '  a flag');
  process.exit(0);
}
const settings = JSON.parse(readFileSync(words[words.indexOf('--settings') + 1], 'utf8'));
const tell = (line) => console.log(JSON.stringify({ ...line, session_id: 's1' }));
tell({ type: 'system', subtype: 'init', model: 'm' });
const calls = [
  ['mcp__codex__read_file', { path: 'src/a.ts' }],
  ['mcp__codex__grep', { pattern: 'a' }],
  ['mcp__codex__codebase_search', { query: 'where is a' }],
  ['Write', { file_path: process.cwd() + '/report.md', content: 'fine' }],
];
for (const [tool_name, tool_input] of calls) {
  const id = 'toolu_' + tool_name;
  tell({ type: 'assistant', message: { id, role: 'assistant', content: [{ type: 'tool_use', id, name: tool_name, input: tool_input }] } });
  const payload = { session_id: 's1', transcript_path: '/nonexistent.jsonl', cwd: process.cwd(), permission_mode: 'default', hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id: id };
  let denied = null;
  for (const { hooks } of settings.hooks.PreToolUse)
    for (const { command } of hooks) {
      const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { input: JSON.stringify(payload), encoding: 'utf8' });
      if (status !== 0 || !stdout.includes('"allow"')) denied = stderr || stdout;
    }
  if (denied === null && tool_name === 'Write') writeFileSync(tool_input.file_path, tool_input.content);
  tell({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: denied ?? 'ok', ...(denied !== null && { is_error: true }) }] } });
}
tell({ type: 'result', subtype: 'success', is_error: false, result: 'done' });
`;

test('R264: a run calls read_file, grep and codebase_search in turn, then writes its report', async () => {
  const rules = ['mcp__codex__read_file', 'mcp__codex__grep', 'mcp__codex__codebase_search', 'Write(./report.md)'];
  const world = runWorld(`version: 1\npreset: safe\nallow: [${rules.map((rule) => `"${rule}"`).join(', ')}]\n`);
  const program = world.write('tools/client.mjs', CLIENT, 0o755);
  const answer = await world.run([
    '--preset',
    'safe',
    '--runner',
    'claude-code',
    '--program',
    program,
    '--goal',
    'review',
    '--json',
  ]);
  assert.is(answer.status, 0, answer.stderr);
  const decisions = world.log().filter(({ kind }) => kind === 'decision');
  assert.equal(
    decisions.map(({ tool, decision }) => [String(tool).split('__').at(-1), decision]),
    [
      ['read_file', 'allow'],
      ['grep', 'allow'],
      ['codebase_search', 'allow'],
      ['Write', 'allow'],
    ],
  );
  assert.is(readFileSync(join(world.project, 'report.md'), 'utf8'), 'fine');
  // R019: the events of the run, from its start to its end.
  assert.equal(
    world.log().flatMap(({ event }) => (event === undefined ? [] : [event])),
    ['run.started', 'run.ended'],
  );
  assert.is(eventsOf(answer).filter(({ kind, phase }) => kind === 'tool' && phase === 'started').length, 4);
});

uvuTest.run();
