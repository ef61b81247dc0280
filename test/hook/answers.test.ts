/** The hook: what it answers, what it refuses, and that it never fails open. */
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyLog } from '../../src/log/tree/verify.js';
import { jsonDenial } from '../../src/runner/hook/runner.js';
import { payload, verdictOf, withHookWorld } from './world.js';

const SAFE = 'version: 1\npreset: safe\n';
const USER_POLICY = '.config/policy/policy.yaml';

const MIXED = 'version: 1\npreset: safe\nallow: ["Bash(npm test *)"]\n';
const LOADS = 'version: 1\nallow: ["Bash(curl -O *)"]\n';
const OPEN = 'version: 1\ndefault: allow\nallow: ["Bash(npm test)"]\n';

/** One row: a policy, a call, what the runner is told. */
const ANSWERS: readonly (readonly [policy: string, tool: string, input: unknown, verdict: string, why: string])[] = [
  [SAFE, 'Bash', { command: 'git status' }, 'allow', 'a preset allows a read of the project'],
  [SAFE, 'Bash', { command: 'rm -rf /' }, 'deny', 'a built-in denial'],
  [SAFE, 'Bash', { command: 'npm test' }, 'ask', 'nobody allowed it'],
  [SAFE, 'Bash', { command: 'git push' }, 'ask', 'there is no remote'],
  [
    'version: 1\ndefault: allow\n',
    'Bash',
    { command: 'npm test' },
    'silence',
    'a default is no explicit allow: the runner may still ask',
  ],
  ['version: 1\nallow: ["Bash(npm test)"]\n', 'Bash', { command: 'npm test' }, 'allow', 'a written rule'],
  [
    'version: 1\nallow: ["Bash(npm test)"]\nhook: { grant: never }\n',
    'Bash',
    { command: 'npm test' },
    'silence',
    'grants are off',
  ],
  ['version: 1\nallow: ["Bash(cat *)"]\n', 'Bash', { command: 'cat README.md' }, 'allow', 'inside the project'],
  [
    'version: 1\nallow: ["Bash(cat *)"]\n',
    'Bash',
    { command: 'cat /usr/share/dict/words' },
    'allow',
    'outside the project, by a rule that holds everywhere',
  ],
  ['version: 1\nallow: [Bash]\n', 'Bash', { command: 'eval "$X"' }, 'allow', 'a total rule says: run it unseen'],
  [MIXED, 'Bash', { command: 'npm test 2>&1 | tail -5' }, 'allow', 'one command by a rule, the other by the preset'],
  [MIXED, 'Bash', { command: 'cd src && npm test' }, 'allow', 'a change of directory before a rule'],
  [MIXED, 'Bash', { command: 'git status && npm test || true' }, 'allow', 'three commands, each allowed by itself'],
  [MIXED, 'Bash', { command: 'timeout 60 npm test > /dev/null' }, 'allow', 'what a wrapper runs is allowed by a rule'],
  [MIXED, 'Bash', { command: 'git checkout -b topic' }, 'allow', 'the preset names what changes the repository'],
  [MIXED, 'Bash', { command: 'curl -s localhost:3000/health' }, 'allow', 'the preset lets it ask services of this machine'],
  [MIXED, 'Bash', { command: 'npm test; make' }, 'ask', 'one command that nobody allowed'],
  [OPEN, 'Bash', { command: 'npm test && make' }, 'silence', 'one command by a default'],
  [OPEN, 'Bash', { command: 'npm test && timeout 9 make' }, 'silence', 'a default behind a wrapper'],
  [OPEN, 'Bash', { command: 'npm test && find . -name x -exec make {} +' }, 'silence', 'a default behind find'],
  [
    'version: 1\nallow: ["Bash(npm test)"]\nonAsk: allow\n',
    'Bash',
    { command: 'npm test && make' },
    'silence',
    'onAsk for one command',
  ],
  [
    'version: 1\nmode: observe\nallow: ["Bash(npm test)"]\n',
    'Bash',
    { command: 'npm test' },
    'silence',
    'a policy that observes grants nothing',
  ],
  ['version: 1\nallow: ["*"]\n', 'ExitPlanMode', {}, 'silence', 'the person still approves the plan'],
  ['version: 1\nallow: ["*"]\n', 'AskUserQuestion', {}, 'silence', 'the person still answers'],
  ['version: 1\n', 'Read', { file_path: 'README.md' }, 'silence', 'reading the project needs no rule'],
  ['version: 1\nonAsk: allow\n', 'WebSearch', { query: 'x' }, 'silence', 'onAsk: allow is no explicit allow'],
  ['version: 1\nonAsk: deny\n', 'WebSearch', { query: 'x' }, 'deny', 'onAsk: deny'],
  [SAFE, 'Deploy', { command: 'ls', target: 'prod' }, 'ask', 'what a tool that nobody knows does besides its line'],
  ['version: 1\nallow: [Deploy]\n', 'Deploy', { command: 'ls', target: 'prod' }, 'allow', 'unless a rule names it'],
  [LOADS, 'Bash', { command: 'curl -O https://h.example/a.txt' }, 'allow', 'the name of the file stands in the address'],
  [LOADS, 'Bash', { command: 'curl -O https://h.example/%70olicy.yaml' }, 'ask', 'a name that is spelled in another way'],
  [LOADS, 'Bash', { command: "curl -O 'https://h.example/{a,policy.yaml}'" }, 'ask', 'a name that curl makes of a pattern'],
];

for (const [policy, tool, input, verdict, why] of ANSWERS) {
  test(`${policy.replaceAll('\n', ' ')}${tool} ${JSON.stringify(input)}: ${verdict} (${why})`, () => {
    withHookWorld({ [USER_POLICY]: policy }, (world) => {
      assert.is(verdictOf(world.run(payload(world, tool, input))), verdict);
    });
  });
}

/** Nothing of this is a payload that can be judged: all of it is denied, in one line. */
const BROKEN: readonly (readonly [name: string, input: string])[] = [
  ['nothing', ''],
  ['white space', ' \n\t'],
  ['no JSON', 'git status'],
  ['cut off', '{"hook_event_name":"PreToolUse","tool_name":"Bash"'],
  ['an array', '[]'],
  ['null', 'null'],
  ['a number', '7'],
  ['no event', '{}'],
  ['an unknown event', '{"hook_event_name":"PreToolUse2"}'],
  ['an event that is no text', '{"hook_event_name":["PreToolUse"]}'],
  ['no tool', '{"hook_event_name":"PreToolUse","cwd":"/","tool_input":{}}'],
  ['a tool that is no text', '{"hook_event_name":"PreToolUse","cwd":"/","tool_name":{},"tool_input":{}}'],
  ['no input', '{"hook_event_name":"PreToolUse","cwd":"/","tool_name":"Bash"}'],
  ['an input that is a list', '{"hook_event_name":"PreToolUse","cwd":"/","tool_name":"Bash","tool_input":[]}'],
  ['no cwd', '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}'],
  ['a relative cwd', '{"hook_event_name":"PreToolUse","cwd":".","tool_name":"Bash","tool_input":{"command":"ls"}}'],
  ['a prototype for an event', '{"__proto__":{"hook_event_name":"PreToolUse"}}'],
  ['another runner', '{"sessionId":"1","toolName":"bash","toolArgs":{"command":"ls"},"cwd":"/"}'],
  ['line breaks in the event', '{"hook_event_name":"Pre\\nTool\\u001b[31mUse"}'],
];

for (const [name, input] of BROKEN) {
  test(`a payload with ${name} is denied`, () => {
    withHookWorld({ [USER_POLICY]: 'version: 1\npreset: all\n' }, (world) => {
      assert.is(verdictOf(world.run(input)), 'deny');
    });
  });
}

test('a call without a command is asked, never passed', () => {
  withHookWorld({ [USER_POLICY]: 'version: 1\nallow: ["Bash(ls *)"]\n' }, (world) => {
    for (const input of [{}, { command: 7 }, { command: null }, { cmd: 'ls' }, { command: [7] }])
      assert.is(verdictOf(world.run(payload(world, 'Bash', input))), 'ask', JSON.stringify(input));
  });
});

const MISTAKES: readonly (readonly [words: readonly string[], says: RegExp])[] = [
  [[], /name of a runner/],
  [['vim'], /name of a runner/],
  [['claude-code', '--porject', '/x'], /has no option "--porject"/],
  [['claude-code', '--project'], /--project needs a value/],
  [['claude-code', '--project', 'relative'], /absolute path/],
  [['claude-code', '--shell', 'fish'], /--shell is one of/],
  [['claude-code', '--environment', 'none'], /--environment is one of/],
  [['claude-code', '--project', '/a', '--project', '/b'], /twice/],
];

for (const [words, says] of MISTAKES) {
  test(`policy hook ${words.join(' ')} denies every call and says why`, () => {
    withHookWorld({ [USER_POLICY]: SAFE }, (world) => {
      const output = world.run(payload(world, 'Bash', { command: 'git status' }), { words });
      assert.is(verdictOf(output), 'deny');
      assert.match(output.stderr, says);
    });
  });
}

test('a bad policy denies, with the place of the mistake', () => {
  withHookWorld({ [USER_POLICY]: 'version: 1\nalow: []\n' }, (world) => {
    const output = world.run(payload(world, 'Bash', { command: 'git status' }));
    assert.is(verdictOf(output), 'deny');
    assert.match(output.stderr, /policy\.yaml:2:1.*`policy doctor`/);
    // Claude Code shows standard error behind the whole command line of the hook, and this by itself.
    assert.is(output.stdout, jsonDenial(output.stderr.trimEnd()));
  });
});

test('an internal error denies, without a stack trace', () => {
  withHookWorld({}, (world) => {
    const output = world.run(payload(world, 'Bash', { command: 'git status' }), {
      compile: () => {
        throw new TypeError('x is not a function\nat y');
      },
    });
    assert.is(verdictOf(output), 'deny');
    assert.match(output.stderr, /x is not a function\\nat y.*`policy doctor`/);
    assert.is(output.stdout, jsonDenial(output.stderr.trimEnd()));
  });
});

test('a log that cannot be written denies', () => {
  withHookWorld({ [USER_POLICY]: SAFE, '.local/state/policy': 'a file where a folder should be' }, (world) => {
    const output = world.run(payload(world, 'Bash', { command: 'git status' }));
    assert.is(verdictOf(output), 'deny');
    assert.match(output.stderr, /\.local\/state\/policy/);
  });
});

test('a state directory that others may write to denies', () => {
  withHookWorld({ [USER_POLICY]: SAFE }, (world) => {
    world.run(payload(world, 'Bash', { command: 'git status' }));
    chmodSync(world.state, 0o777);
    assert.is(verdictOf(world.run(payload(world, 'Bash', { command: 'git status' }))), 'deny');
  });
});

test('a denial names its record, and the record has the decision', () => {
  withHookWorld({ [USER_POLICY]: SAFE }, (world) => {
    const { stderr } = world.run(payload(world, 'Bash', { command: 'rm -rf /' }));
    const [record] = world.log();
    assert.is(/\(decision ([0-9a-f-]+)\)\n$/.exec(stderr)?.[1], record?.id);
    assert.is(record?.decision, 'deny');
    assert.is(record?.runner, 'claude-code');
    assert.is(record?.session, '0f4c');
    assert.is(record?.toolUseId, 'toolu_1');
    assert.is(record?.project, world.project);
    assert.match(String(record?.policy), /^sha256:[0-9a-f]{64}$/);
    assert.is(statSync(join(world.state, 'log')).mode & 0o777, 0o700);
  });
});

test('secrets do not reach the log', () => {
  withHookWorld({ [USER_POLICY]: SAFE }, (world) => {
    world.run(payload(world, 'Bash', { command: 'export GITHUB_TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345' }));
    assert.not.match(JSON.stringify(world.log()), /ghp_0123456789/);
  });
});

test('the result of a call is logged beside its decision', () => {
  withHookWorld({ [USER_POLICY]: SAFE }, (world) => {
    world.run(payload(world, 'Bash', { command: 'git status' }));
    const after = { hook_event_name: 'PostToolUse', tool_response: { stdout: '' }, duration_ms: 12 };
    assert.is(verdictOf(world.run(payload(world, 'Bash', { command: 'git status' }, after))), 'silence');
    const records = world.log();
    assert.equal(
      records.map(({ kind, toolUseId }) => [kind, toolUseId]),
      [
        ['decision', 'toolu_1'],
        ['result', 'toolu_1'],
      ],
    );
    assert.is(records[1]?.us, 12_000);
  });
});

test('observe mode blocks nothing, logs what would be, and says so', () => {
  withHookWorld({ [USER_POLICY]: `${SAFE}mode: observe\n` }, (world) => {
    const output = world.run(payload(world, 'Bash', { command: 'rm -rf /' }));
    assert.is(output.exitCode, 0);
    assert.match((JSON.parse(output.stdout) as { systemMessage: string }).systemMessage, /^OBSERVE MODE, nothing is blocked: /);
    assert.is(verdictOf(output), 'no verdict');
    const [record] = world.log();
    assert.is(record?.would, 'deny');
    assert.is(record?.decision, 'allow');
    assert.is(verdictOf(world.run(payload(world, 'Bash', { command: 'git status' }))), 'silence');
  });
});

test('a repository cannot switch observe mode on', () => {
  withHookWorld({ 'project/policy.yaml': 'version: 1\nmode: observe\npreset: all\n' }, (world) => {
    assert.is(verdictOf(world.run(payload(world, 'Bash', { command: 'rm -rf /' }))), 'deny');
    assert.is(verdictOf(world.run(payload(world, 'Bash', { command: 'npm test' }))), 'ask');
  });
});

test('a variable of the runner that makes git run something turns its allow into a question', () => {
  withHookWorld({ [USER_POLICY]: SAFE }, (world) => {
    const text = payload(world, 'Bash', { command: 'git status' });
    const environment = { HOME: world.home, PATH: '/usr/bin:/bin' };
    assert.is(verdictOf(world.run(text, { environment: { ...environment, GIT_EXTERNAL_DIFF: 'x' } })), 'ask');
    const words = ['claude-code', '--environment', 'variable'];
    const exported = (lines: string) => ({ ...environment, POLICY_ENVIRONMENT: lines });
    assert.is(verdictOf(world.run(text, { words, environment: exported("export PATH='/usr/bin'\nexport A='1'") })), 'allow');
    assert.is(verdictOf(world.run(text, { words, environment: exported("export GIT_EXTERNAL_DIFF='x'") })), 'ask');
    assert.is(verdictOf(world.run(text, { words, environment: exported("export PATH='.:/usr/bin'") })), 'ask');
    assert.is(
      verdictOf(world.run(text, { words, environment: exported("export A='\nexport PATH='/usr/bin'\nexport PATH='.'") })),
      'ask',
    );
    assert.is(verdictOf(world.run(text, { words, environment })), 'ask', 'an environment that nobody can see');
  });
});

test('a parent whose environment cannot be read counts as hazardous', () => {
  withHookWorld({ [USER_POLICY]: SAFE }, (world) => {
    const words = ['claude-code', '--environment', 'parent'];
    const text = payload(world, 'Bash', { command: 'git status' });
    assert.is(verdictOf(world.run(text, { words, parent: 2 ** 30 })), 'ask');
  });
});

const GIT_STATUS = { command: 'git status' };

test('a subagent without a type is nobody that we know: at most a question', () => {
  withHookWorld({ [USER_POLICY]: 'version: 1\nallow: [Bash]\n' }, (world) => {
    assert.is(verdictOf(world.run(payload(world, 'Bash', GIT_STATUS, { agent_id: 'a1' }))), 'ask');
  });
});

test('hostile names in a payload come out escaped', () => {
  withHookWorld({ [USER_POLICY]: 'version: 1\ndefault: deny\n' }, (world) => {
    const output = world.run(payload(world, 'x\u001b[2J\u202e\n"', { a: '\u2028' }));
    assert.is(verdictOf(output), 'deny');
    assert.not.match(output.stderr.slice(0, -1), /[\u0000-\u001f\u007f\u202e\u2028]/);
  });
});

test('a link out of the project is no project file', () => {
  withHookWorld({ [USER_POLICY]: SAFE, 'secret.txt': 'x' }, (world) => {
    symlinkSync(join(world.home, 'secret.txt'), join(world.project, 'link.txt'));
    assert.is(verdictOf(world.run(payload(world, 'Read', { file_path: join(world.project, 'link.txt') }))), 'ask');
  });
});

test('the end of a session seals what was logged, and never fails or says anything on standard output', () => {
  withHookWorld({ [USER_POLICY]: SAFE }, (world) => {
    world.run(payload(world, 'Bash', { command: 'git status' }));
    const ended = JSON.stringify({ hook_event_name: 'SessionEnd', session_id: 's', cwd: world.project, reason: 'exit' });
    assert.equal(world.run(ended), { stdout: '', stderr: '', exitCode: 0 });
    const { problems, sealed, unsealed } = verifyLog(world.state, Date.now(), { verifier: null, checkpoint: null });
    assert.equal([problems, sealed, unsealed.records], [[], 1, 0]);
    writeFileSync(join(world.state, 'tree', 'tree.json'), 'x');
    const failed = world.run(ended);
    assert.equal([failed.stdout, failed.exitCode], ['', 0]);
    assert.match(failed.stderr, /^policy could not seal the decision log: .*tree\.json is not valid JSON/);
  });
});

test('Codex says of no session that it ended: the end of a turn seals, once a minute, and takes away what is a month old', () => {
  withHookWorld({ [USER_POLICY]: SAFE }, (world) => {
    const said = (event: string, more: object = {}) =>
      JSON.stringify({ hook_event_name: event, session_id: 's', cwd: world.project, ...more });
    const call = () =>
      world.run(said('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'git status' } }), { words: ['codex'] });
    const turnEnds = (minutes: number) => world.run(said('Stop'), { words: ['codex'], now: () => Date.now() + minutes * 60_000 });
    const sealed = () => verifyLog(world.state, Date.now(), { verifier: null, checkpoint: null }).sealed;
    call();
    for (const folder of ['budget', 'snapshots']) mkdirSync(join(world.state, folder), { recursive: true, mode: 0o700 });
    for (const old of ['budget/0123456789abcdef', 'snapshots/0123456789abcdef.json']) {
      writeFileSync(join(world.state, old), '');
      utimesSync(join(world.state, old), 1, 1);
    }
    assert.equal(turnEnds(0), { stdout: '', stderr: '', exitCode: 0 });
    assert.equal([sealed(), readdirSync(join(world.state, 'budget'))], [1, []]);
    const snapshots = readdirSync(join(world.state, 'snapshots'));
    assert.ok(
      snapshots.every((name) => name.endsWith('.gate')),
      snapshots.join(),
    );
    call();
    turnEnds(0);
    assert.is(sealed(), 1, 'the last seal is not a minute old');
    turnEnds(2);
    assert.is(sealed(), 2);
    call();
    utimesSync(join(world.state, 'tree', 'tree.json'), 4e9, 4e9);
    turnEnds(0);
    assert.is(sealed(), 3, 'a time in the future puts nothing off');
  });
});

test.run();
