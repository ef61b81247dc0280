/** Subagents through the hook: recorded sessions of every runner, overlaps, and what happens when the record cannot be kept. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { timestampOf } from '../../src/run/moment.js';
import { processTable } from '../../src/run/process-identity.js';
import { runningAgents, runsOfProject } from '../../src/run/running-agents.js';
import { WAITING } from '../../src/runner/hook/command-line.js';
import { type HookWorld, payload, verdictOf, withHookWorld } from './world.js';

const PAYLOADS = 'test/fixtures/payloads';
const allowing = (more = '') => ({
  '.config/policy/policy.yaml': `version: 1\npreset: safe\nallow: [Agent, Read, 'Bash(touch *)', 'Bash(echo *)']\n${more}`,
});
const TWO = 'sequential: { maxConcurrent: 2 }\n';

/** A recorded payload as it would be written in this world. */
function recorded(world: HookWorld, runner: string, file: string): string {
  const text = readFileSync(join(PAYLOADS, runner, file), 'utf8').replaceAll('/home/user/project', world.project);
  const whole = JSON.parse(text.replaceAll('/home/user', world.home)) as Record<string, unknown>;
  return JSON.stringify(runner === 'opencode' ? { ...whole, cwd: world.project } : whole);
}

function running(world: HookWorld): string[] {
  const runs = runsOfProject(world.state, world.project, timestampOf(Date.now(), 0), processTable('win32'));
  return runs.filter(({ state }) => state === 'running').map(({ agent }) => agent);
}

/** What the lines of PostToolBatch and UserPromptSubmit look for before they start a hook. */
const isMarked = (world: HookWorld) => existsSync(join(world.state, WAITING));

const events = (world: HookWorld) => world.log().flatMap(({ kind, event }) => (kind === 'event' ? [event] : []));

/** What was recorded, in order, and who runs after each step. */
type Step = readonly [file: string, running: readonly string[]];
const SESSIONS: Readonly<Record<string, readonly Step[]>> = {
  'claude-code': [
    ['subagent.PreToolUse.Agent', ['reviewer']],
    ['subagent.SubagentStart.subagent', ['reviewer']],
    ['subagent.PreToolUse.Read.subagent', ['reviewer']],
    ['subagent.SubagentStop.subagent', []],
    ['subagent.PostToolUse.Agent', []],
    ['subagent.PreToolUse.Agent.2', ['reviewer']],
    ['subagent.SubagentStart.subagent.2', ['reviewer']],
    ['subagent.SubagentStop.subagent.2', []],
    ['subagent.PostToolUse.Agent.2', []],
    ['subagent.PreToolUse.Agent.3', ['general-purpose']],
    ['subagent.SubagentStart.subagent.3', ['general-purpose']],
    ['subagent.PreToolUse.Agent.subagent', ['general-purpose', 'reviewer']],
    ['subagent.SubagentStart.subagent.4', ['general-purpose', 'reviewer']],
    ['subagent.SubagentStop.subagent.3', ['general-purpose']],
    ['subagent.PostToolUse.Agent.subagent', ['general-purpose']],
    ['subagent.SubagentStop.subagent.4', []],
    ['subagent.PostToolUse.Agent.3', []],
    // In the background: its call returns at once, and so does the main agent's turn.
    ['subagent.PreToolUse.Agent.4', ['reviewer']],
    ['subagent.SubagentStart.subagent.5', ['reviewer']],
    ['subagent.PostToolUse.Agent.4', ['reviewer']],
    ['subagent.Stop', ['reviewer']],
    ['subagent.SubagentStop.subagent.5', []],
    ['subagent.Stop.2', []],
    ['subagent.SessionEnd', []],
  ],
  codex: [
    ['subagent-v1-03-pre-spawn_agent', ['reviewer']],
    ['subagent-v1-04-post-spawn_agent', ['reviewer']],
    ['subagent-v1-05-substart', ['reviewer']],
    ['subagent-v1-08-pre-Bash', ['reviewer']],
    ['subagent-v1-10-substop', []],
    ['subagent-v1-12-stop', []],
    ['subagent-v2-03-pre-collaborationspawn_agent', ['default']],
    ['subagent-v2-04-post-collaborationspawn_agent', ['default']],
    ['subagent-v2-05-substart', ['default']],
    ['subagent-v2-06-substop', []],
  ],
  'copilot-cli': [
    ['subagent-02-pre-task', ['reviewer']],
    ['subagent-03-substart', ['reviewer']],
    ['subagent-04-pre-bash', ['reviewer']],
    ['subagent-08-post-task', []],
  ],
  'gemini-cli': [
    ['subagent-01-pre-invoke_agent', ['reviewer']],
    ['subagent-02-pre-run_shell_command', ['reviewer']],
    ['subagent-04-pre-complete_task', ['reviewer']],
    ['subagent-06-post-invoke_agent', []],
  ],
  'qwen-code': [
    ['subagent-01-pre-agent', ['reviewer']],
    ['subagent-02-pre-run_shell_command', ['reviewer']],
    ['subagent-04-post-agent', []],
    ['background-01-pre-agent', ['general-purpose']],
    ['background-02-substart', ['general-purpose']],
    ['background-03-post-agent', ['general-purpose']],
    ['background-04-pre-run_shell_command', ['general-purpose']],
    ['background-05-substop', []],
    ['background-06-stop', []],
  ],
  opencode: [
    ['subagent-01-tool_execute_before-task', ['reviewer']],
    ['subagent-02-tool_execute_before-bash', ['reviewer']],
    ['subagent-05-tool_execute_after-task', []],
  ],
};

for (const [runner, steps] of Object.entries(SESSIONS))
  test(`${runner}: the record follows a recorded session from start to end`, () => {
    withHookWorld(allowing(TWO), (world) => {
      for (const [file, expected] of steps) {
        world.run(recorded(world, runner, `${file}.json`), { words: [runner] });
        assert.equal(running(world), expected, file);
      }
      assert.equal(events(world), [], 'nothing overlapped, nothing began unasked');
    });
  });

test('qwen-code: an agent in the background is told by its id, and judged by its definition; an id that nobody knows is asked about', () => {
  const policy = 'version: 1\ndefault: allow\n';
  withHookWorld({ '.config/policy/policy.yaml': policy }, (world) => {
    const step = (name: string, change = (text: string) => text) =>
      world.run(change(recorded(world, 'qwen-code', `background-${name}.json`)), { words: ['qwen-code'] });
    for (const name of ['01-pre-agent', '02-substart', '03-post-agent', '04-pre-run_shell_command'])
      assert.is(step(name).exitCode, 0);
    const told = world.log().filter(({ kind, canonical }) => kind === 'decision' && canonical === 'Bash');
    assert.equal(
      told.map(({ agent }) => agent),
      ['general-purpose'],
    );
    step('05-substop');
    const late = step('04-pre-run_shell_command');
    assert.is(late.exitCode, 2);
    assert.match(late.stderr, /general-purpose-call_main_2_0/);
  });
});

/** Two starts of Claude Code's Agent tool in one session. */
function startTwo(world: HookWorld, more: Readonly<Record<string, unknown>> = {}) {
  const start = (id: string) =>
    world.run(payload(world, 'Agent', { description: 'd', prompt: 'p', subagent_type: id }, { tool_use_id: id, ...more }));
  return [start('first'), start('second')] as const;
}

test('a second start is refused in the words of the original, and the log has the warning', () => {
  withHookWorld(allowing(), (world) => {
    const [first, second] = startTwo(world);
    assert.is(verdictOf(first), 'allow');
    assert.is(second.exitCode, 2);
    assert.match(
      second.stderr,
      /^policy denied Agent: Concurrent execution detected: first is running, cannot start second\. Wait for the current agent to complete, or run `policy status` to check progress\. \(decision [0-9a-f-]+\)\n$/,
    );
    const warning = world.log().find(({ event }) => event === 'run.overlap');
    assert.is(warning?.message, '⚠ Cannot start second while first is still running. Use policy status to check progress.');
    const decision = world.log().find(({ kind, decision }) => kind === 'decision' && decision === 'deny');
    assert.equal([decision?.stage, decision?.reasons], ['budget', ['run/concurrent']]);
  });
});

test('a start that a person is asked about counts until it is answered or the turn is over', () => {
  withHookWorld({}, (world) => {
    const [first, second] = startTwo(world);
    assert.is(verdictOf(first), 'ask');
    assert.is(verdictOf(second), 'deny');
    world.run(recorded(world, 'claude-code', 'subagent.Stop.2.json').replace(/"session_id":"[^"]+"/, '"session_id":"0f4c"'));
    assert.equal(running(world), []);
  });
});

for (const [event, news] of [
  ['agentStop', { stopReason: 'end_turn', stop_hook_active: false }],
  ['userPromptSubmitted', { prompt: 'Go on.' }],
] as const)
  test(`copilot-cli: a start that a person refuses is over with the next ${event} of its session`, () => {
    withHookWorld({}, (world) => {
      const tell = (sessionId: string, more: object) =>
        world.run(JSON.stringify({ sessionId, timestamp: 1, cwd: world.project, ...more }), { words: ['copilot-cli'] });
      const start = (agent: string) =>
        tell('0f4c', {
          toolName: 'task',
          toolArgs: { agent_type: agent, description: 'd', prompt: 'p', name: agent, mode: 'sync' },
        });
      assert.is(verdictOf(start('first')), 'ask');
      assert.match(start('second').stderr, /first waits for an answer, so second cannot start yet/);
      tell('another', news);
      assert.equal(running(world), ['first'], 'another session says nothing about it');
      tell('0f4c', news);
      assert.equal(running(world), []);
      assert.is(verdictOf(start('second')), 'ask');
    });
  });

for (const event of ['PostToolBatch', 'UserPromptSubmit'])
  test(`a start that a person refuses is over with the next ${event}; one that runs goes on`, () => {
    withHookWorld({}, (world) => {
      const tell = (name: string, more: object = {}) =>
        world.run(JSON.stringify({ session_id: '0f4c', cwd: world.project, hook_event_name: name, ...more }));
      const [, second] = startTwo(world);
      assert.match(second.stderr, /first waits for an answer, so second cannot start yet/);
      tell(event, { agent_id: 'another' });
      assert.equal(running(world), ['first'], 'a batch of another agent says nothing about it');
      assert.ok(isMarked(world), 'the installed lines start a hook for it');
      tell(event);
      assert.equal(running(world), []);
      assert.not.ok(isMarked(world), 'and none once nobody waits');
      const [third] = startTwo(world, { tool_use_id: 'third' });
      assert.is(verdictOf(third), 'ask');
      assert.ok(isMarked(world));
      tell('SubagentStart', { agent_id: 'a1', agent_type: 'first' });
      assert.not.ok(isMarked(world), 'an agent that runs does not wait');
      tell(event);
      assert.equal(running(world), ['first']);
    });
  });

test('a start that the policy denies leaves nothing in the record', () => {
  withHookWorld({ '.config/policy/policy.yaml': 'version: 1\ndeny: [Agent]\n' }, (world) => {
    startTwo(world);
    assert.equal(running(world), []);
    assert.equal(events(world), []);
  });
});

test('observe mode blocks nothing, keeps the record, and says what would be', () => {
  withHookWorld(allowing('mode: observe\n'), (world) => {
    const [, second] = startTwo(world);
    assert.is(second.exitCode, 0);
    assert.match(second.stdout, /OBSERVE MODE, nothing is blocked: policy denied Agent: Concurrent execution detected/);
    assert.equal(running(world), ['first', 'second']);
  });
});

test('maxConcurrent: as many as it says', () => {
  withHookWorld(allowing(TWO), (world) => {
    assert.equal(startTwo(world).map(verdictOf), ['allow', 'allow']);
    const third = world.run(payload(world, 'Agent', { prompt: 'p', subagent_type: 'third' }));
    assert.is(verdictOf(third), 'deny');
  });
});

test('two sessions count for themselves', () => {
  withHookWorld(allowing(), (world) => {
    startTwo(world);
    const other = payload(world, 'Agent', { prompt: 'p', subagent_type: 'x' }, { session_id: 'other' });
    assert.is(verdictOf(world.run(other)), 'allow');
    assert.equal(
      runningAgents(world.state, world.project, 'other').map(({ agent }) => agent),
      ['x'],
    );
  });
});

const broken: readonly (readonly [what: string, how: (world: HookWorld, file: string) => void, says: RegExp])[] = [
  ['is garbage', (_, file) => writeFileSync(file, 'garbage\n'), /is damaged; remove it when no subagent is running$/m],
  [
    'lies behind a link',
    (_, file) => {
      renameSync(file, `${file}.moved`);
      symlinkSync(`${file}.moved`, file);
    },
    /is a symbolic link; remove it/,
  ],
  [
    'lies in a folder that is a link',
    (world) => {
      renameSync(join(world.state, 'runs'), join(world.state, 'elsewhere'));
      symlinkSync(join(world.state, 'elsewhere'), join(world.state, 'runs'));
    },
    /runs is a symbolic link; make it your own directory/,
  ],
  [
    'has a folder in its place',
    (_, file) => {
      renameSync(file, `${file}.moved`);
      mkdirSync(file);
    },
    /record of running agents .* remove it when no subagent is running/,
  ],
];
for (const [what, how, says] of broken)
  test(`a record that ${what}: no agent starts, other calls go on, events deny nothing`, () => {
    withHookWorld(allowing(), (world) => {
      startTwo(world);
      const [name = ''] = readdirSync(join(world.state, 'runs'));
      how(world, join(world.state, 'runs', name));
      const start = world.run(payload(world, 'Agent', { prompt: 'p', subagent_type: 'x' }));
      assert.is(start.exitCode, 2);
      assert.match(start.stderr, says);
      assert.is(start.stderr.trimEnd().split('\n').length, 1);
      assert.is(verdictOf(world.run(payload(world, 'Read', { file_path: join(world.project, 'README.md') }))), 'allow');
      const stop = world.run(
        recorded(world, 'claude-code', 'subagent.SubagentStop.subagent.json').replace(
          /"session_id":"[^"]+"/,
          '"session_id":"0f4c"',
        ),
      );
      assert.equal([stop.exitCode, stop.stdout], [0, ''], 'an exit code 2 would keep the subagent going');
      assert.match(stop.stderr, /could not write down what a subagent did/);
    });
  });

test('a policy that cannot be used denies no event: a subagent that has ended must be able to end', () => {
  withHookWorld({ '.config/policy/policy.yaml': 'version: 7\n' }, (world) => {
    for (const event of ['SubagentStart.subagent', 'SubagentStop.subagent', 'Stop', 'SessionEnd']) {
      const output = world.run(recorded(world, 'claude-code', `subagent.${event}.json`));
      assert.equal(output, { stdout: '', stderr: '', exitCode: 0 }, event);
    }
  });
});

test('the end of a session takes away what was left a month ago, and nothing newer', () => {
  withHookWorld(allowing(), (world) => {
    startTwo(world);
    const folder = join(world.state, 'runs');
    const [recent = ''] = readdirSync(folder);
    const old = '0123456789abcdef-0123456789abcdef.jsonl';
    writeFileSync(join(folder, old), '');
    utimesSync(join(folder, old), 1, 1);
    world.run(recorded(world, 'claude-code', 'subagent.SessionEnd.json').replace(/"session_id":"[^"]+"/, '"session_id":"other"'));
    assert.equal(readdirSync(folder), [recent]);
    assert.equal(running(world), ['first'], 'the end of another session');
  });
});

test('an agent that begins unasked is logged and counts', () => {
  withHookWorld(allowing(), (world) => {
    world.run(recorded(world, 'claude-code', 'subagent.SubagentStart.subagent.json'));
    assert.equal(events(world), ['run.unasked']);
    assert.equal(running(world), ['reviewer']);
    assert.is(verdictOf(world.run(recorded(world, 'claude-code', 'subagent.PreToolUse.Agent.2.json'))), 'deny');
  });
});

test('whoever waited for the answer was killed: the start is denied, and nothing counts as running', () => {
  withHookWorld(allowing(), (world) => {
    const first = recorded(world, 'claude-code', 'subagent.PreToolUse.Agent.json');
    for (const killed of ['before', 'meanwhile']) {
      let looks = 0;
      const isUnheard = () => {
        looks += 1;
        return killed === 'before' || looks > 1;
      };
      const { exitCode, stderr } = world.run(first, { isUnheard });
      assert.is(exitCode, 2);
      assert.match(stderr, /the hook's watcher was stopped/);
      assert.equal(running(world), []);
    }
    assert.is(verdictOf(world.run(first)), 'allow', 'the next one need not wait for the end of the turn');
  });
});

test('a log that cannot be written: the start is denied and not recorded as running', () => {
  withHookWorld(allowing(), (world) => {
    mkdirSync(world.state, { recursive: true, mode: 0o700 });
    writeFileSync(join(world.state, 'log'), 'in the way');
    const [first] = startTwo(world);
    assert.is(first.exitCode, 2);
    assert.equal(running(world), []);
  });
});

/** A definition of a reviewer whose model is this. */
const REVIEWER = (model: string) =>
  `---\nname: reviewer\ndescription: Reviews.\ntools: Read, Bash\nmodel: ${model}\n---\nReview.\n`;

test('every reason names the agent with its model, and so does the log: that of its definition, unless the runner names one (R042, R047)', () => {
  const files = { ...allowing('deny: ["Bash(rm *)"]\n'), 'project/.claude/agents/reviewer.md': REVIEWER('opus') };
  withHookWorld(files, (world) => {
    const call = (command: string, more: object = {}) =>
      world.run(payload(world, 'Bash', { command }, { agent_id: 'a1', agent_type: 'reviewer', ...more })).stderr;
    assert.match(call('rm notes.txt'), /^policy denied Bash: .* \(reviewer · model: opus; decision [0-9a-f-]+\)\n$/);
    assert.match(call('rm notes.txt', { model: 'haiku' }), / \(reviewer · model: haiku; decision /);
    call('touch a');
    world.run(payload(world, 'Bash', { command: 'touch a' }));
    assert.equal(
      world.log().map(({ agent, model }) => [agent, model]),
      [
        ['reviewer', 'opus'],
        ['reviewer', 'haiku'],
        ['reviewer', 'opus'],
        [null, null],
      ],
    );
  });
});

test('the start of an agent whose definition hides another one is told in the log (R150)', () => {
  const files = {
    ...allowing(),
    'project/.claude/agents/reviewer.md': REVIEWER('opus'),
    '.claude/agents/reviewer.md': REVIEWER('haiku'),
    '.claude/agents/writer.md': REVIEWER('haiku').replace('name: reviewer', 'name: writer'),
  };
  for (const [agent, expected] of [
    ['reviewer', ['agent.override']],
    ['writer', []],
  ] as const)
    withHookWorld(files, (world) => {
      world.run(payload(world, 'Agent', { subagent_type: agent, prompt: 'p' }));
      assert.equal(events(world), expected);
      for (const { kind, message } of world.log())
        if (kind === 'event')
          assert.match(
            String(message),
            /^reviewer: \.claude\/agents\/reviewer\.md hides .*\/reviewer\.md \(project override\)\.$/,
          );
    });
});

test.run();
