/** "Keeping the gate" 9: a child keeps within every agent around it, also where the runner does not say who calls. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type HookWorld, payload, withHookWorld } from '../hook/world.js';

const agent = (name: string, rest: string) => `---\nname: ${name}\ndescription: d\n${rest}---\n`;
const USER = 'version: 1\npreset: safe\nallow: ["Bash(touch *)", Agent, Edit]\nsequential: { maxConcurrent: 3 }\n';

const FILES: Readonly<Record<string, string>> = {
  '.config/policy/policy.yaml': USER,
  'project/.claude/agents/reader.md': agent('reader', 'tools: Read, Agent\n'),
  'project/.claude/agents/runner.md': agent('runner', 'tools: Read, Bash, Agent\n'),
};

/** Exit code 2 is a denial. */
const denied = (world: HookWorld, input: string, words = ['claude-code']) => world.run(input, { words }).exitCode === 2;
const event = (world: HookWorld, name: string, more: object) =>
  world.run(JSON.stringify({ session_id: '0f4c', cwd: world.project, hook_event_name: name, ...more }));

/** Starts an agent of Claude Code; `by` is the id of the agent that starts it. */
function start(world: HookWorld, type: string, id: string, by?: readonly [id: string, type: string]): void {
  const from = by === undefined ? {} : { agent_id: by[0], agent_type: by[1] };
  const call = payload(
    world,
    'Agent',
    { subagent_type: type, prompt: 'x', description: 'x' },
    { tool_use_id: `t-${id}`, ...from },
  );
  assert.not(denied(world, call), `${type} may start`);
  event(world, 'SubagentStart', { agent_id: id, agent_type: type });
}

const touch = (world: HookWorld, id: string, type: string) =>
  denied(world, payload(world, 'Bash', { command: 'touch x' }, { agent_id: id, agent_type: type }));

test('a child keeps within the agent that started it', () => {
  withHookWorld(FILES, (world) => {
    start(world, 'runner', 'a1');
    assert.not(touch(world, 'a1', 'runner'));
    event(world, 'SubagentStop', { agent_id: 'a1', agent_type: 'runner' });
    start(world, 'reader', 'a2');
    start(world, 'runner', 'a3', ['a2', 'reader']);
    assert.ok(touch(world, 'a3', 'runner'), 'reader has no shell');
    start(world, 'runner', 'a4', ['a3', 'runner']);
    assert.ok(touch(world, 'a4', 'runner'), 'a grandchild, too');
  });
});

test('an agent beside it does not bound it', () => {
  withHookWorld(FILES, (world) => {
    start(world, 'reader', 'a1');
    start(world, 'runner', 'a2');
    assert.not(touch(world, 'a2', 'runner'));
  });
});

test('where it is not known who started it, all that run bound it', () => {
  withHookWorld(FILES, (world) => {
    start(world, 'reader', 'a1');
    assert.ok(touch(world, 'a9', 'runner'));
  });
});

test('the main agent is inside nobody, also with a definition of its own', () => {
  withHookWorld(FILES, (world) => {
    start(world, 'reader', 'a1');
    assert.not(denied(world, payload(world, 'Bash', { command: 'touch x' })));
    assert.not(denied(world, payload(world, 'Bash', { command: 'touch x' }, { agent_type: 'runner' })));
  });
});

test('a damaged record denies the calls of subagents', () => {
  withHookWorld(FILES, (world) => {
    start(world, 'runner', 'a1');
    const folder = join(world.state, 'runs');
    for (const file of readdirSync(folder)) world.write(join('.local/state/policy/runs', file), 'x');
    assert.ok(touch(world, 'a1', 'runner'));
  });
});

/** A recorded payload, moved into the world's project. */
function recorded(world: HookWorld, runner: string, name: string, change: object = {}): string {
  const text = readFileSync(join('test/fixtures/payloads', runner, `${name}.json`), 'utf8');
  return JSON.stringify({ ...JSON.parse(text.replaceAll('/home/user/project', world.project)), ...change });
}

/** A recorded subagent that runs a command: whether the command is denied while it runs, whether it may end, and whether afterwards. */
function story(
  world: HookWorld,
  runner: string,
  [first, command, last, after]: readonly [string, string, string | null, string],
) {
  const words = [runner];
  assert.not(denied(world, recorded(world, runner, first), words), 'it may start');
  const inside = denied(world, recorded(world, runner, command), words);
  if (last !== null) assert.not(denied(world, recorded(world, runner, last), words), 'it may end');
  world.run(recorded(world, runner, after), { words });
  return { inside, afterwards: denied(world, recorded(world, runner, command), words) };
}

const GEMINI = [
  'subagent-01-pre-invoke_agent',
  'subagent-02-pre-run_shell_command',
  'subagent-04-pre-complete_task',
  'subagent-06-post-invoke_agent',
] as const;

test('Gemini CLI names no agent: the one that runs is taken for the caller, by its own format', () => {
  const format = { ...FILES, 'project/.gemini/agents/reviewer.md': agent('reviewer', 'tools: [read_file]\n') };
  withHookWorld(format, (world) => {
    assert.equal(story(world, 'gemini-cli', GEMINI), { inside: true, afterwards: false });
  });
  const able = { ...FILES, 'project/.gemini/agents/reviewer.md': agent('reviewer', 'tools: [read_file, run_shell_command]\n') };
  withHookWorld(able, (world) => {
    assert.equal(story(world, 'gemini-cli', GEMINI), { inside: false, afterwards: false });
  });
});

test('a definition of another runner does not count', () => {
  const files = { ...FILES, 'project/.gemini/agents/runner.md': agent('runner', 'tools: [read_file]\n') };
  withHookWorld(files, (world) => {
    start(world, 'runner', 'a1');
    assert.not(touch(world, 'a1', 'runner'));
  });
});

test.run();
