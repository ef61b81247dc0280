// `policy check` as people and scripts meet it: the acceptance rows, exit codes, streams and forms of output.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { validateDecision } from '../../src/generated/validators/decision.js';
import { SEARCH_ONLY } from '../agent/search-only.js';
import { type Answer, CLEAN_REPOSITORY, COMMAND, home, policy, policyEach, scratch } from './spawned.js';

const test = suite('policy check');
/** Stands for an answer that never came; no test accepts it. */
const NONE: Answer = { status: null, stdout: '', stderr: 'no answer' };
const repository = scratch(CLEAN_REPOSITORY);
const withAgent = scratch({ ...CLEAN_REPOSITORY, '.agent/agents/search-only.md': SEARCH_ONLY });

/** Codex applies such a line as a patch by itself. */
const PATCH = (path: string) => `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\nEOF`;

const answers: readonly (readonly [args: readonly string[], status: number, says: RegExp])[] = [
  [['--preset', 'safe', 'Bash', 'git push'], 0, /^allow {2}Bash git push/],
  [['--preset', 'readOnly', 'Bash', 'git push'], 1, /^deny {2}.*readOnly/],
  [['Bash', 'git push'], 2, /^ask {2}/],
  [['--preset', 'safe', 'Bash', 'git status; rm -rf /'], 1, /^deny {2}/],
  [['--headless', 'Bash', 'git push'], 1, /^deny {2}.*nobody|^deny/],
  [['Read', 'src/a.ts'], 0, /^allow {2}Read src\/a\.ts/],
  [['--preset', 'readOnly', 'WebFetch', 'https://example.com'], 1, /^deny/],
  [['--preset', 'safe', '--', 'Bash', 'git push'], 0, /^allow {2}Bash git push/],
  [['--preset', 'safe', 'Bash', '--', '-x'], 2, /^ask {2}Bash -x/],
  [['--input-json', '{"command":"git push"}', '--preset', 'safe', 'Bash'], 0, /^allow/],
  [['--runner', 'codex', '--preset', 'safe', 'Bash', PATCH('src/a.ts')], 0, /^allow/],
  [['--runner', 'codex', '--preset', 'safe', 'exec_command', PATCH('.codex/config.toml')], 1, /^deny/],
  [['--runner', 'claude-code', '--preset', 'safe', 'Bash', PATCH('src/a.ts')], 2, /^ask/],
];
const answered = policyEach(answers.map(([args]) => ({ args: ['check', ...args], cwd: repository })));
for (const [index, [args, status, says]] of answers.entries())
  test(`in a clean repository: check ${args.join(' ')} → ${status}`, () => {
    const answer = answered[index] ?? NONE;
    assert.is(answer.status, status, answer.stdout + answer.stderr);
    assert.match(answer.stdout, says);
    assert.match(answer.stdout, /^[^\n]+\n(?:$|to allow it: |No )/, 'the decision is one line, the remedy follows');
  });

/** Made up, in the forms of real ones. */
const SECRET = 'sk-live-abcdef0123456789';
const withSecret: readonly (readonly string[])[] = [
  ['Bash', `curl -H "Authorization: Bearer ${SECRET}" https://example.com`],
  ['Bash', `foo --token ${SECRET}`],
  ['Bash', `cat /tmp/$(echo ${SECRET})`],
  ['Read', `/tmp/token=${SECRET}`],
  ['WebFetch', `https://example.com/?token=${SECRET}`],
];
const forms = withSecret.flatMap((call) => [[], ['--explain'], ['--json']].map((form) => [...form, ...call]));
const covered = policyEach(forms.map((args) => ({ args: ['check', ...args], cwd: repository })));
for (const [index, args] of forms.entries())
  test(`a secret is neither shown nor offered in a rule: check ${args.join(' ')}`, () => {
    const { status, stdout, stderr } = covered[index] ?? NONE;
    assert.is(status, 2, stderr);
    assert.not.match(stdout + stderr, new RegExp(SECRET));
  });

const notAllowed = [
  'git statusx',
  'git log --output=x',
  'git fetch --upload-pack=x .',
  'git -c core.pager=x log',
  'git push --force',
];
const refusedCommands = policyEach(
  notAllowed.map((command) => ({ args: ['check', '--preset', 'safe', 'Bash', command], cwd: repository })),
);
for (const [index, command] of notAllowed.entries())
  test(`the safe preset does not allow: ${command}`, () => {
    const answer = refusedCommands[index] ?? NONE;
    assert.ok(answer.status === 1 || answer.status === 2, answer.stdout + answer.stderr);
  });

const searchOnly: readonly (readonly [tool: string, input: string | null, status: number])[] = [
  ['Grep', null, 0],
  ['FileRead', 'src/a.ts', 0],
  ['FileRead', '/etc/passwd', 1],
  ['Bash', 'rm x', 1],
  ['Bash', 'git status', 2],
];
const searched = policyEach(
  searchOnly.map(([tool, input]) => ({
    args: ['check', '--agent', 'search-only', tool, ...(input === null ? [] : [input])],
    cwd: withAgent,
  })),
);
for (const [index, [tool, input, status]] of searchOnly.entries())
  test(`agent search-only, no policy file: ${tool} ${input ?? ''} → ${status}`, () => {
    const answer = searched[index] ?? NONE;
    assert.is(answer.status, status, answer.stdout + answer.stderr);
  });

const badFiles: readonly (readonly [what: string, name: string, text: string, place: string])[] = [
  ['an unknown key', 'policy.yaml', 'version: 1\npreset: safe\nalow:\n  - Read\n', 'policy.yaml:3:1: '],
  ['a wrong value', 'policy.json', '{\n  "version": 1,\n  "default": "perhaps"\n}\n', 'policy.json:3:'],
  ['a duplicate key', 'policy.toml', 'version = 1\ndefault = "ask"\ndefault = "deny"\n', 'policy.toml:3:'],
  ['text that is no YAML', 'policy.yaml', 'version: 1\nallow: [\n', 'policy.yaml:'],
  [
    'an example that does not hold',
    'policy.yaml',
    'version: 1\ndeny:\n  - rule: Bash(rm *)\n    match: [ls]\n',
    'policy.yaml:3:',
  ],
];
const located = policyEach(badFiles.map(([, name, text]) => ({ args: ['check', 'Bash', 'ls'], cwd: scratch({ [name]: text }) })));
for (const [index, [what, , , place]] of badFiles.entries())
  test(`a policy file with ${what} exits 3 and says where`, () => {
    const answer = located[index] ?? NONE;
    assert.is(answer.status, 3);
    assert.is(answer.stdout, '');
    assert.ok(answer.stderr.startsWith(place), answer.stderr);
    noStackTrace(answer);
  });

const wrongUsage: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [[], /Name a command/],
  [['chekc', 'Bash', 'ls'], /did you mean check\?/],
  [['check'], /Name a tool/],
  [['check', ''], /Name a tool/],
  [['check', 'Bash', 'git', 'push'], /Unknown argument: push/],
  [['check', 'Bash', 'ls', '--', 'rm'], /Unknown argument: rm/],
  [['check', 'Bash', 'ls', '--prest', 'safe'], /did you mean --preset\?/],
  [['check', 'Bash', 'ls', '--preset'], /preset/],
  [['check', 'Bash', 'ls', '--preset', 'sure'], /readOnly, inspect, safe, develop, all/],
  [['check', 'Bash', 'ls', '--preset', 'safe', '--preset', 'all'], /given 2 times/],
  [['check', 'Bash', 'ls', '--preset', 'all'], /trust/],
  [['check', 'Bash', 'ls', '--runner', 'emacs'], /claude-code/],
  [['check', 'Bash', 'ls', '--shell', 'fish'], /zsh/],
  [['check', 'Bash', 'ls', '--input-json', '{}'], /not both/],
  [['check', 'Bash', '--input-json', '['], /not valid JSON/],
  [['check', 'Bash', '--input-json', '[]'], /JSON object/],
  [['check', 'Bash', 'ls', '--overlay-mode', 'replace'], /--permissions-overlay/],
  [['check', 'Bash', 'ls', '--cwd', 'nowhere'], /not a directory/],
  [['check', 'Bash', 'ls', '--policy', 'nowhere.yaml'], /nowhere\.yaml/],
  [['check', '--batch', 'Bash'], /leave out tool/],
];
const misused = policyEach(wrongUsage.map(([args]) => ({ args, cwd: repository })));
for (const [index, [args, says]] of wrongUsage.entries())
  test(`wrong usage exits 3 with one sentence: policy ${args.join(' ')}`, () => {
    const answer = misused[index] ?? NONE;
    assert.is(answer.status, 3, answer.stdout + answer.stderr);
    assert.match(answer.stderr, says);
    assert.is(answer.stdout, '');
    noStackTrace(answer);
  });

test('an overlay that cannot be read is an error, never a fall back to the policy alone (R214)', () => {
  const folder = scratch({ ...CLEAN_REPOSITORY, 'overlay.toml': '[permissions\nnot toml' });
  const answer = policy(['check', 'Read', 'src/a.ts', '--permissions-overlay', 'overlay.toml'], { cwd: folder });
  assert.is(answer.status, 3);
  assert.match(answer.stderr, /overlay\.toml:\d+:\d+: /);
  const missing = policy(['check', 'Read', 'src/a.ts', '--permissions-overlay', 'missing.toml'], { cwd: folder });
  assert.is(missing.status, 3);
});

test('a base that is missing is named with the line that extends it', () => {
  const folder = scratch({ ...CLEAN_REPOSITORY, 'policy.yaml': 'version: 1\nextends: nope.yaml\n' });
  const answer = policy(['check', 'Bash', 'ls'], { cwd: folder });
  assert.is(answer.status, 3);
  assert.match(answer.stderr, /^policy\.yaml:2:10: extends nope\.yaml, which does not exist$/m);
});

test('the help names every flag of the issue, the overlay too (R213)', () => {
  const { stdout, status } = policy(['check', '--help'], { cwd: repository });
  assert.is(status, 0);
  for (const flag of 'agent runner preset policy permissions-overlay overlay-mode headless explain json input-json batch trust-project shell cwd'.split(
    ' ',
  ))
    assert.ok(stdout.includes(`--${flag}`), flag);
});

test('--json prints one Decision that its schema accepts', () => {
  const { stdout } = policy(['check', '--json', '--preset', 'safe', 'Bash', 'git status; rm -rf /'], { cwd: repository });
  assert.is(stdout.trimEnd().split('\n').length, 1);
  const decision: unknown = JSON.parse(stdout);
  assert.ok(validateDecision(decision), JSON.stringify(validateDecision.errors));
});

test('--explain shows the stages, the commands and the rule with its place, within 80 columns', () => {
  const folder = scratch({ ...CLEAN_REPOSITORY, 'policy.yaml': 'version: 1\ndeny:\n  - Bash(rm *)\n' });
  const { stdout } = policy(['check', '--explain', 'Bash', 'git status && timeout 5 rm notes.txt'], { cwd: folder });
  assert.match(stdout, /^DENY {3}Bash git status && timeout 5 rm notes\.txt$/m);
  assert.match(stdout, /▸ policy {2}deny/);
  assert.match(stdout, /[├└]─ (ask|allow) +git status/);
  assert.match(stdout, /[├└]─ deny +timeout 5 rm notes\.txt/);
  assert.match(stdout, /Bash\(rm \*\) {2}policy\.yaml:3:\d+ \(project\)/);
  assert.equal(
    stdout.split('\n').filter((line) => line.length > 80),
    [],
  );
});

test('nothing a terminal would obey is printed, whatever the command holds', () => {
  const hostile = 'echo \u001b]0;owned\u0007 \u202e \u0085 \u2028';
  for (const form of [[], ['--explain'], ['--json']]) {
    const { stdout, stderr } = policy(['check', ...form, 'Bash', hostile], { cwd: repository });
    assert.not.match(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/);
  }
});

test('a misspelt agent is told about, and its call is not allowed', () => {
  const answer = policy(['check', '--agent', 'serch-only', 'Read', 'src/a.ts'], { cwd: withAgent });
  assert.is(answer.status, 2);
  assert.match(answer.stderr, /^No subagent named 'serch-only'\. Run `policy agents list`\.$/m);
});

const lists = scratch({
  ...CLEAN_REPOSITORY,
  '.codex/agents/test-agent.md': '---\nname: test-agent\ndescription: d\ntools: [git, npm]\n---\n\nBody.\n',
  '.codex/agents/no-tools.md': '---\nname: no-tools\ndescription: d\n---\n\nBody.\n',
});
test('R055: a tool outside the list of the agent, in the words of the original', () => {
  const answer = policy(['check', '--agent', 'test-agent', 'docker'], { cwd: lists });
  assert.is(answer.status, 1);
  assert.is(
    answer.stderr,
    "🚫 Agent 'test-agent' is not allowed to use tool 'docker'. Allowed tools: [git, npm]. Update the agent's 'tools' field to grant access.\n",
  );
});
test('R056: an agent without tools, in the words of the original', () => {
  const answer = policy(['check', '--agent', 'no-tools', 'docker'], { cwd: lists });
  assert.is(answer.status, 1);
  assert.is(
    answer.stderr,
    "🚫 Agent 'no-tools' has no tools allowlisted. Add a 'tools' field to the agent definition to grant tool access.\n",
  );
});

test('nothing is written to the home folder (R183)', () => {
  assert.equal(readdirSync(home), []);
});

const payload = '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}';
test('a hook payload on standard input is noticed', () => {
  // What lies ready is looked at, nothing is waited for: so the check begins when the payload has come.
  const line = 'read -r come; exec "$0" "$1" check Read src/a.ts';
  const answer = spawnSync('sh', ['-c', line, process.execPath, COMMAND], {
    cwd: repository,
    env: { HOME: home },
    input: `come\n${payload}`,
    encoding: 'utf8',
  });
  assert.is(answer.status, 0);
  assert.match(answer.stderr, /stdin looks like a hook payload; did you mean `policy hook claude-code`\?/);
});

test('other input on standard input is not remarked on', () => {
  assert.is(policy(['check', 'Read', 'src/a.ts'], { cwd: repository, input: '{"a":1}' }).stderr, '');
});

for (const [what, script] of [
  ['a pipe', 'printf "src/a.ts\\nsrc/b.ts\\nsrc/c.ts\\n" | while read f; do node "$POLICY" check Read "$f"; done'],
  ['a file', 'while read f; do node "$POLICY" check Read "$f"; done < lines.txt'],
] as const)
  test(`a loop over ${what} keeps its lines: a check takes no input that others read`, () => {
    const folder = scratch({ ...CLEAN_REPOSITORY, 'lines.txt': 'src/a.ts\nsrc/b.ts\nsrc/c.ts\n' });
    const env = { PATH: process.env.PATH ?? '', HOME: home, POLICY: COMMAND };
    const { stdout } = spawnSync('sh', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
    assert.is(stdout.trimEnd().split('\n').length, 3, stdout);
  });

test('a standard input that stays open and empty does not hold the check up', async () => {
  const child = spawn(process.execPath, [COMMAND, 'check', 'Read', 'src/a.ts'], { cwd: repository, env: { HOME: home } });
  assert.is(await exitOf(child), 0);
});

test('a reader that goes away ends a batch quietly', async () => {
  const child = spawn(process.execPath, [COMMAND, 'check', '--batch'], { cwd: repository, env: { HOME: home } });
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => {
    stderr += text.toString();
  });
  child.stdin.on('error', () => undefined);
  child.stdout.destroy();
  child.stdin.end('{"tool":"Bash","input":{"command":"ls"}}\n'.repeat(2000));
  await exitOf(child);
  assert.is(stderr, '');
});

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.on('close', resolve);
  });
}

function noStackTrace({ stderr }: Answer): void {
  assert.not.match(stderr, /^\s+at |node:internal|internal error/m);
}

test.run();
