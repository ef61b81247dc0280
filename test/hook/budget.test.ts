/** The budget through the hook: what is denied when it is spent, what the reason says, and what happens when nobody can count. */
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { HookOutput } from '../../src/runner/hook/runner.js';
import { type HookWorld, payload, verdictOf, withHookWorld } from './world.js';

const withBudget = (budget: string) => ({
  '.config/policy/policy.yaml': `version: 1\npreset: safe\nallow: [Agent]\nbudget: ${budget}\n`,
  'project/.claude/agents/researcher.md': '---\nname: researcher\ndescription: Reads.\ntools: Read\n---\nRead.\n',
});

function read(world: HookWorld, more: Readonly<Record<string, unknown>> = {}): HookOutput {
  return world.run(payload(world, 'Read', { file_path: join(world.project, 'README.md') }, more));
}

const asResearcher = { agent_id: 'a1', agent_type: 'researcher' };

test('calls: exactly as many as the limit, then a denial that names it and its key; another session begins anew', () => {
  withHookWorld(withBudget('{ calls: 2 }'), (world) => {
    assert.equal([read(world), read(world)].map(verdictOf), ['allow', 'allow']);
    const third = read(world);
    assert.is(third.exitCode, 2);
    assert.match(
      third.stderr,
      /^policy denied Read: the calls of the session are used up: 2 of 2; a person can raise budget\.calls in the policy; start a new session or raise it in the policy; no rule can allow this \(decision [0-9a-f-]+\)\n$/,
    );
    assert.is(verdictOf(read(world, { session_id: 'other' })), 'allow');
    const record = world.log().find(({ decision }) => decision === 'deny');
    assert.equal([record?.stage, record?.reasons], ['budget', ['budget/calls']]);
  });
});

test('a spent limit leaves one event for each session and limit (R064)', () => {
  withHookWorld(withBudget('{ calls: 1, perAgentCalls: { researcher: 0 } }'), (world) => {
    for (const session of ['s', 's', 's', 'other', 'other']) read(world, { session_id: session });
    for (let call = 0; call < 2; call += 1) read(world, { session_id: 'third', ...asResearcher });
    const events = world.log().filter(({ kind }) => kind === 'event');
    assert.equal(
      events.map(({ event, severity, session, message }) => [event, severity, session, String(message).split(';')[0]]),
      [
        ...['s', 'other'].map((session) => [
          ...['budget.exceeded', 'warning', session],
          'The calls of the session are used up: 1 of 1',
        ]),
        ['budget.exceeded', 'warning', 'third', 'The calls of the agent researcher are used up: 0 of 0'],
        ['budget.exceeded', 'warning', 'third', 'The calls of the session are used up: 1 of 1'],
      ],
    );
  });
});

test('seconds: until the time since the first call is over', () => {
  withHookWorld(withBudget('{ seconds: 60 }'), (world) => {
    const at = (second: number) =>
      verdictOf(
        world.run(payload(world, 'Read', { file_path: join(world.project, 'README.md') }), {
          microseconds: () => second * 1e6 + 1e6,
        }),
      );
    assert.equal([0, 59, 60, 3600].map(at), ['allow', 'allow', 'deny', 'deny']);
  });
});

test('tokens: what the transcript tells, with the word that it is behind', () => {
  withHookWorld(withBudget('{ tokens: 100 }'), (world) => {
    const transcript = join(world.home, 't.jsonl');
    const call = () => read(world, { transcript_path: transcript });
    assert.is(verdictOf(call()), 'allow');
    const usage = { input_tokens: 70, output_tokens: 31 };
    appendFileSync(transcript, `${JSON.stringify({ type: 'assistant', message: { id: 'm', usage } })}\n`);
    const denied = call();
    assert.is(verdictOf(denied), 'deny');
    assert.match(
      denied.stderr,
      /the tokens of the session are used up: 101 of 100 by the end of the last turn; a person can raise budget\.tokens/,
    );
  });
});

test('an agent has limits of its own, however its name is spelt; others are not touched', () => {
  withHookWorld(withBudget('{ perAgentCalls: { Researcher: 1 } }'), (world) => {
    assert.equal([read(world), read(world), read(world, asResearcher)].map(verdictOf), ['allow', 'allow', 'allow']);
    const second = read(world, asResearcher);
    assert.match(
      second.stderr,
      /the calls of the agent researcher are used up: 1 of 1; a person can raise budget\.perAgentCalls\.Researcher/,
    );
    assert.is(verdictOf(read(world)), 'allow');
  });
});

test("an agent's tokens are those of its own transcript", () => {
  withHookWorld(withBudget('{ perAgent: { researcher: 50 } }'), (world) => {
    const transcript = join(world.home, 't.jsonl');
    const more = { transcript_path: transcript };
    world.run(payload(world, 'Agent', { subagent_type: 'researcher', prompt: 'p' }, more));
    world.run(JSON.stringify({ ...JSON.parse(payload(world, '', {})), ...asResearcher, hook_event_name: 'SubagentStart' }));
    const line = (tokens: number) =>
      `${JSON.stringify({ type: 'assistant', message: { id: 'm', usage: { output_tokens: tokens } } })}\n`;
    writeFileSync(transcript, line(5_000));
    mkdirSync(join(world.home, 't', 'subagents'), { recursive: true });
    writeFileSync(join(world.home, 't', 'subagents', 'agent-a1.jsonl'), line(49));
    assert.is(verdictOf(read(world, { ...asResearcher, ...more })), 'allow');
    writeFileSync(join(world.home, 't', 'subagents', 'agent-a1.jsonl'), line(49) + line(50));
    assert.match(read(world, { ...asResearcher, ...more }).stderr, /the tokens of the agent researcher are used up: 50 of 50/);
    assert.is(verdictOf(read(world, more)), 'allow');
  });
});

test('Gemini CLI: the transcript of a subagent names nobody; it counts for the one that was in the record when it began', () => {
  withHookWorld(withBudget('{ perAgent: { researcher: 50 }, tokens: 1000 }'), (world) => {
    const event = (name: string, tool: string, input: object) =>
      world.run(
        JSON.stringify({
          ...{ session_id: 's-1', transcript_path: join(world.home, 'chats', 'session-1.jsonl'), cwd: world.project },
          ...{ hook_event_name: name, tool_name: tool, tool_input: input, tool_response: {} },
        }),
        { words: ['gemini-cli'], now: () => 1_000_000 },
      );
    const child = join(world.home, 'chats', 's-1', 'c-1.jsonl');
    const start = { agent_name: 'researcher', prompt: 'p' };
    const readFile = () => event('BeforeTool', 'read_file', { file_path: join(world.project, 'README.md') });
    mkdirSync(join(child, '..'), { recursive: true });
    assert.is(verdictOf(event('BeforeTool', 'invoke_agent', start)), 'silence');
    const began = { sessionId: 'c-1', startTime: new Date(1_000_000).toISOString(), kind: 'subagent' };
    const answer = (id: string) => ({ id, type: 'gemini', tokens: { input: 20, output: 10, cached: 10, thoughts: 5, tool: 0 } });
    writeFileSync(child, [began, answer('a'), answer('a')].map((line) => `${JSON.stringify(line)}\n`).join(''));
    assert.is(verdictOf(readFile()), 'silence');
    appendFileSync(child, `${JSON.stringify(answer('b'))}\n`);
    assert.match(readFile().stderr, /the tokens of the agent researcher are used up: 50 of 50/);
    event('AfterTool', 'invoke_agent', start);
    assert.is(verdictOf(readFile()), 'silence', 'the main agent has its own');
  });
});

test("an agent's time is that of its runs", () => {
  withHookWorld(withBudget('{ perAgentSeconds: { researcher: 60 } }'), (world) => {
    const at = (second: number) => ({ microseconds: () => second * 1e6 + 1e6 });
    world.run(payload(world, 'Agent', { subagent_type: 'researcher', prompt: 'p' }), at(0));
    const call = payload(world, 'Read', { file_path: join(world.project, 'README.md') }, asResearcher);
    assert.is(verdictOf(world.run(call, at(59))), 'allow');
    assert.is(verdictOf(world.run(call, at(60))), 'deny');
  });
});

test('without a limit nothing is counted', () => {
  withHookWorld({ '.config/policy/policy.yaml': 'version: 1\npreset: safe\n' }, (world) => {
    read(world);
    assert.not.ok(readdirSync(world.state).includes('budget'));
  });
});

for (const [what, file] of [
  ['the count of calls', '.calls'],
  ['the count of tokens', '.tokens.json'],
] as const)
  test(`${what} cannot be read: denied with what to do`, () => {
    withHookWorld(withBudget('{ calls: 9, tokens: 9 }'), (world) => {
      const transcript = join(world.home, 't.jsonl');
      writeFileSync(transcript, '{"type":"user"}\n');
      read(world, { transcript_path: transcript });
      const folder = join(world.state, 'budget');
      const name = readdirSync(folder).find((one) => one.endsWith(file)) ?? '';
      writeFileSync(join(folder, name), 'garbage\n');
      const denied = read(world, { transcript_path: transcript });
      assert.is(verdictOf(denied), 'deny');
      assert.match(denied.stderr, new RegExp(`${what} .* is damaged; remove it`));
    });
  });

test('a budget of nothing denies the first call, and a trusted or untrusted project can only lower it', () => {
  const files = {
    ...withBudget('{ calls: 5 }'),
    'project/policy.yaml': 'version: 1\nbudget: { calls: 0, perAgentCalls: { researcher: 0 } }\n',
  };
  withHookWorld(files, (world) => {
    assert.match(read(world).stderr, /used up: 0 of 0/);
  });
});

test.run();
