/** One suite for every runner: each recorded payload parses, garbage does not, and every answer has the form that was obeyed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { RUNNERS } from '../../src/call/tool-call.js';
import { byExitCode, type HookAnswer, type HookEvent, hookVerdict } from '../../src/runner/hook/runner.js';
import { allRunners, runnerNamed } from '../../src/runner/runners.js';

const PAYLOADS = 'test/fixtures/payloads';
const CWD = '/home/user/project';

/** A recorded payload; the plugin of OpenCode adds the directory, which the recorder did not. */
function recorded(runner: string, file: string): unknown {
  const payload = JSON.parse(readFileSync(join(PAYLOADS, runner, file), 'utf8')) as Record<string, unknown>;
  return runner === 'opencode' ? { ...payload, cwd: CWD } : payload;
}

/** What the name of a recording says that it is. */
function kindOf(runner: string, file: string): HookEvent['kind'] {
  if (runner === 'claude-code')
    return /PreToolUse|PreSkillShell/.test(file) ? 'before-call' : /PostToolUse/.test(file) ? 'after-call' : 'other';
  if (runner === 'opencode') return file.includes('_before') ? 'before-call' : 'after-call';
  return /-\d+-pre-/.test(file) ? 'before-call' : /-\d+-post-/.test(file) ? 'after-call' : 'other';
}

const runners = allRunners();

test('every runner that the words name has its file', () => {
  assert.equal([...RUNNERS].sort(), [...RUNNERS].sort());
});

for (const runner of runners) {
  const folder = join(PAYLOADS, runner.id);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  test(`${runner.id}: evidence that is called recorded is there`, () => {
    assert.is(runner.evidence.payloads, files.length > 0 ? 'recorded' : 'documentation');
  });

  for (const file of files) {
    test(`${runner.id}: ${file} is ${kindOf(runner.id, file)}`, () => {
      const event = runner.parse(recorded(runner.id, file), 'union');
      assert.is(event.kind, kindOf(runner.id, file), JSON.stringify(event));
      if (event.kind !== 'before-call' && event.kind !== 'after-call') return;
      assert.is(event.call.runner, runner.id);
      assert.is(event.call.cwd, (recorded(runner.id, file) as { cwd: string }).cwd);
      assert.ok(event.call.tool.length > 0);
      assert.ok(event.session, 'the session is known');
    });
  }

  test(`${runner.id}: what is no payload of it is unreadable, never a call and never an error`, () => {
    const others: readonly unknown[] = [null, 7, 'x', [], {}, { hook_event_name: 7 }, { event: {} }, { hook: 'x' }];
    for (const payload of others) assert.is(runner.parse(payload, 'union').kind, 'unreadable', JSON.stringify(payload));
  });

  test(`${runner.id}: no payload made up at random makes it throw`, () => {
    fc.assert(
      fc.property(fc.jsonValue(), (payload) => {
        runner.parse(payload, 'union');
      }),
      { numRuns: 200 },
    );
  });

  test(`${runner.id}: a recorded payload with a field changed at random never throws, and never becomes a call without its parts`, () => {
    const before = files.filter((file) => kindOf(runner.id, file) === 'before-call');
    if (before.length === 0) return;
    fc.assert(
      fc.property(fc.constantFrom(...before), fc.nat(30), fc.jsonValue(), (file, at, value) => {
        const payload = recorded(runner.id, file) as Record<string, unknown>;
        const names = Object.keys(payload);
        const event = runner.parse({ ...payload, [names[at % names.length] ?? '']: value }, 'union');
        if (event.kind === 'before-call') {
          assert.type(event.call.tool, 'string');
          assert.type(event.call.cwd, 'string');
          assert.type(event.call.input, 'object');
        }
      }),
      { numRuns: 300 },
    );
  });

  for (const answer of answers()) {
    test(`${runner.id}: answers ${answer.effect}${answer.grant ? ' with a grant' : ''}${answer.notice ? ' and a notice' : ''}`, () => {
      const output = runner.answer(answer);
      if (answer.effect === 'deny') {
        assert.is(byExitCode(output).exitCode, 2);
        assert.is(byExitCode(output).stderr, 'why (decision 1)\n');
        // Three clients obey a JSON denial alone, and block, too, when exit code 2 comes after it; to them that code is a failure (e2e).
        const said = { permissionDecision: 'deny', permissionDecisionReason: 'why (decision 1)' };
        const hookSpecificOutput = { hookEventName: 'PreToolUse', ...said };
        const gemini = { decision: 'deny', reason: 'why (decision 1)', systemMessage: 'why (decision 1)' };
        const spoken = {
          'claude-code': { hookSpecificOutput },
          'copilot-cli': { ...said, hookSpecificOutput },
          'gemini-cli': gemini,
        };
        const own = Object.entries(spoken).find(([id]) => id === runner.id)?.[1];
        assert.is(byExitCode(output).stdout, own === undefined ? '' : JSON.stringify(own));
        assert.equal(
          [output.stdout, output.exitCode, output.denies],
          own === undefined ? ['', 2, undefined] : [JSON.stringify(own), 0, 'why (decision 1)'],
        );
        return;
      }
      const isDenial = byExitCode(output).exitCode === 2;
      assert.is(isDenial, hookVerdict(runner, answer) === 'deny', 'asks, or denies where it cannot');
      if (isDenial) return;
      assert.is(/"allow"/.test(output.stdout), hookVerdict(runner, answer) === 'allow', 'a grant where its protocol has one');
      assert.is(output.stderr, '');
      if (output.stdout !== '') JSON.parse(output.stdout);
      if (answer.effect === 'allow' && !answer.grant) assert.not.match(output.stdout, /"allow"/, 'no objection grants nothing');
    });
  }

  test(`${runner.id}: its settings hold the command line, and nothing else runs`, () => {
    const command = `/usr/bin/env -i 'a b' "c" $r \\ ; exit 2`;
    const { file, text } = runner.settings(command);
    assert.not.match(file, /^\/|\.\./);
    assert.ok(text.includes(JSON.stringify(command).slice(1, -1)), text);
    if (file.endsWith('.json')) JSON.parse(text);
  });
}

function answers(): HookAnswer[] {
  const message = 'why (decision 1)';
  return [
    { effect: 'allow', grant: false, message, notice: null },
    { effect: 'allow', grant: true, message, notice: null },
    { effect: 'allow', grant: false, message, notice: 'OBSERVE MODE' },
    { effect: 'ask', grant: false, message, notice: null },
    { effect: 'deny', grant: false, message, notice: null },
  ];
}

/** How each form that we answer with was seen to be obeyed by the real clients. */
const OBEYED: readonly (readonly [runner: string, behaviour: string, runs: boolean, why: string])[] = [
  ['codex', 'exit2', false, 'a denial'],
  ['codex', 'none', true, 'no objection'],
  ['codex', 'ask', true, 'an ask runs: therefore we deny'],
  ['codex', 'exit2-json', true, 'a hook that ended after its JSON: therefore no denial is JSON alone'],
  ['gemini-cli', 'exit2', false, 'a hook that failed'],
  ['gemini-cli', 'deny', false, 'a denial'],
  ['gemini-cli', 'none', true, 'no objection'],
  ['copilot-cli', 'exit2', false, 'a hook that failed'],
  ['copilot-cli', 'none', true, 'no objection'],
  ['copilot-cli', 'cp-ask', false, 'a question that nobody can answer'],
  ['copilot-cli', 'cp-deny-extra', false, 'a denial with a further field counts'],
  ['copilot-cli', 'cp-allow', true, 'a grant'],
  ['qwen-code', 'exit2', false, 'a denial'],
  ['qwen-code', 'none', true, 'no objection'],
];

for (const [runner, behaviour, runs, why] of OBEYED) {
  test(`recorded: ${runner} ${runs ? 'runs' : 'does not run'} a call after "${behaviour}" (${why})`, () => {
    const { rows } = JSON.parse(readFileSync(`test/fixtures/vectors/hook-outcomes-${runner}.json`, 'utf8')) as {
      rows: { hook_behaviour: string; tool_executed: boolean }[];
    };
    assert.is(rows.find(({ hook_behaviour }) => hook_behaviour === behaviour)?.tool_executed, runs);
  });
}

/** Claude Code drops a hook's question in one of its modes. */
for (const [mode, drops] of [
  ['bypassPermissions', true],
  ['default', false],
  ['acceptEdits', false],
  ['plan', false],
  ['dontAsk', false],
] as const)
  test(`claude-code in mode ${mode}: a question ${drops ? 'becomes a denial' : 'is asked'}`, () => {
    const payload = JSON.parse(readFileSync('test/fixtures/payloads/claude-code/main.PreToolUse.Bash.json', 'utf8')) as object;
    const event = runnerNamed('claude-code')?.parse({ ...payload, permission_mode: mode }, 'bash');
    assert.is(event?.kind, 'before-call');
    assert.is(event?.kind === 'before-call' && event.call.bypass === true, drops);
  });

/** [who loads the skill; whether a question about its line counts as answered; whose call it is] */
const LOADED: readonly (readonly [by: string | undefined, answered: boolean, agent: string | undefined])[] = [
  ['user', true, undefined],
  ['claude', false, 'one'],
  ['other', false, undefined],
  [undefined, false, undefined],
];
for (const [by, answered, agent] of LOADED)
  test(`claude-code: a line of a skill that ${by ?? 'nobody known'} loads: a question ${answered ? 'was answered' : 'is a denial'}`, () => {
    const payload = recorded('claude-code', 'main-2.1.332.PreSkillShellCommand.typed.json') as object;
    const event = runnerNamed('claude-code')?.parse({ ...payload, invoked_by: by, agent_id: 'a', agent_type: 'one' }, 'bash');
    assert.is(event?.kind, 'before-call');
    if (event?.kind !== 'before-call') return;
    assert.equal([event.answered ?? false, event.call.headless, event.call.agent], [answered, !answered, agent]);
  });

/** Identity, directories and MCP names as the runners write them. */
const READ: readonly (readonly [runner: string, file: string, expected: Readonly<Record<string, unknown>>])[] = [
  ['codex', 'subagent-v1-08-pre-Bash.json', { agent: 'reviewer', tool: 'Bash', headless: true }],
  ['codex', 'basic-03-pre-Bash.json', { agent: undefined }],
  ['copilot-cli', 'subagent-04-pre-bash.json', { agent: 'reviewer', tool: 'bash', headless: false }],
  ['copilot-cli', 'pascalcase-01-pre-Bash.json', { agent: undefined, tool: 'Bash' }],
  ['gemini-cli', 'policy-12-pre-mcp_srv_echo.json', { tool: 'mcp__srv__echo', headless: true }],
  ['qwen-code', 'perm-07-pre-monitor.json', { tool: 'monitor' }],
  ['opencode', 'subagent-01-tool_execute_before-task.json', { tool: 'task' }],
];

for (const [runner, file, expected] of READ) {
  test(`${runner}: ${file} is read as ${JSON.stringify(expected)}`, () => {
    const event = runnerNamed(runner)?.parse(recorded(runner, file), 'union');
    assert.is(event?.kind, 'before-call');
    const call: Readonly<Record<string, unknown>> = event?.kind === 'before-call' ? { ...event.call } : {};
    for (const [name, value] of Object.entries(expected)) assert.is(call[name], value, name);
  });
}

/** [what, what is added to a call of Copilot CLI, what that makes of it] */
const marks: readonly (readonly [what: string, added: object, kind: HookEvent['kind']])[] = [
  ['nothing', {}, 'before-call'],
  ['a result', { toolResult: { resultType: 'success' } }, 'after-call'],
  ['a failure', { toolResult: { resultType: 'failure' } }, 'after-call'],
  ['no result yet', { toolResult: null }, 'before-call'],
  ['a result of another form', { toolResult: 'success' }, 'before-call'],
  ['its own event', { hookName: 'preToolUse' }, 'before-call'],
  ['the question to the person, asked later', { hookName: 'permissionRequest' }, 'other'],
  ['an event that is not known', { hookName: 'preToolUse2' }, 'before-call'],
];
for (const [what, added, kind] of marks)
  test(`copilot-cli: a call with ${what} is ${kind}`, () => {
    const call = { sessionId: 's', timestamp: 0, cwd: CWD, toolName: 'bash', toolArgs: { command: 'rm -rf /' } };
    assert.is(runnerNamed('copilot-cli')?.parse({ ...call, ...added }, 'union').kind, kind);
  });

/** How the folders of a runner are called. */
const FOLDERS: Readonly<Record<string, RegExp>> = {
  'claude-code': /claude/,
  codex: /codex/,
  'gemini-cli': /gemini/,
  // It reads the hooks of Claude Code, too.
  'copilot-cli': /copilot|^\.github\/|^\.claude\//,
  opencode: /opencode/,
  'qwen-code': /qwen/,
  cursor: /cursor/,
  'agent-code': /\.agent|agent-code/,
};
for (const { id, places, switches = [], sandboxes = [] } of allRunners())
  test(`${id}: each file that is read for its hook or sandbox lies in a folder of its own`, () => {
    const files = [...Object.values(places), ...switches, ...sandboxes].flatMap((one) => one?.path ?? []);
    assert.ok(files.length > 0);
    for (const file of files) assert.match(file, FOLDERS[id] ?? /^(?!)/);
  });

test.run();
