// The governed tools: what each call is allowed to do, and what it does.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gatewayOptions } from '../../src/gateway/options.js';
import { codebaseSearch, grep } from '../../src/gateway/serve/search.js';
import { scratch } from '../cli/spawned.js';
import { served, type World } from './served.js';

const test = suite('the tools of policy mcp serve');

const FILES = {
  'src/a.ts': 'export const one = 1;\nexport const two = 2;\n',
  'src/b.ts': 'import { one } from "./a.js";\n',
  'secret/s.txt': 'one secret\n',
  '.env': 'TOKEN=one\n',
  'link.ts': '-> src/a.ts',
  away: '-> /etc',
  linked: '-> src',
  'away.txt': '-> /etc/hostname',
};
const POLICY = `version: 1
preset: safe
allow: [Edit(src/**), Edit(made/**), "Bash(echo *)", "Bash(sleep *)"]
ask: [Bash(echo ask*)]
deny: [Read(secret/**), "codex_shell(echo no*)"]
`;

test('seven tools; three are safe (R228, R261)', async () => {
  const all = await served({ policy: POLICY }).listed();
  const safe = ['codex_read_file', 'codex_grep', 'codex_codebase_search'];
  assert.equal(all, [...safe, 'codex_apply_patch', 'codex_write_file', 'codex_delete_file', 'codex_shell']);
});

const agent = (tools: string) => ({ '.codex/agents/reviewer.yaml': `name: reviewer\ngoal: Review\ntools:\n${tools}` });
const LISTS: readonly (readonly [why: string, tools: string, listed: readonly string[]])[] = [
  [
    'those of its definition (R234)',
    '  mcp: [codex_read_file, codex_grep, codex_codebase_search]\n',
    ['read_file', 'grep', 'codebase_search'],
  ],
  ['a glob stands for all that are granted (R270)', '  mcp: [codex_*]\n', ['read_file', 'grep', 'codebase_search']],
  ['what writes needs fs.write (R229)', '  mcp: [codex_apply_patch]\n  fs: {write: [./src]}\n', ['apply_patch']],
  ['a shell needs its programs (R230)', '  mcp: [codex_shell, codex_grep]\n  shell: []\n', ['grep']],
  ['a shell with programs', '  mcp: [codex_shell]\n  shell: [echo]\n', ['shell']],
  [
    'links of a chain count, where each is listed (R269)',
    '  mcp: [codex_grep, codex_read_file, codex_grep → codex_read_file]\n',
    ['read_file', 'grep'],
  ],
  ['a link that is not listed makes the definition invalid (R269)', '  mcp: [codex_grep, codex_grep → codex_shell]\n', []],
  ['a custom tool that is not declared does, too (R268)', '  mcp: [codex_grep, "codex_custom:my_analyzer"]\n', []],
];
for (const [why, tools, listed] of LISTS)
  test(`an agent sees the tools that it may use: ${why}`, async () => {
    const { listed: list } = served({ policy: POLICY, files: agent(tools), agent: 'reviewer' });
    assert.equal(
      (await list()).map((name) => name.replace('codex_', '')),
      listed,
    );
  });

test('a tool that the definition does not name is refused in the words of the original (R240, R241, R251)', async () => {
  const world = served({ policy: POLICY, files: agent('  mcp: [codex_grep]\n'), agent: 'reviewer' });
  const { text, isError } = await world.call('codex_shell', { command: 'echo hi' });
  assert.ok(isError);
  assert.match(text, /^policy denied codex_shell: Codex MCP tool 'codex_shell' is not permitted for this agent[;(. ]/);
  const [decision, result] = world.records();
  assert.equal(
    [decision?.stage, decision?.decision, decision?.agent, decision?.tool],
    ['agent', 'deny', 'reviewer', 'codex_shell'],
  );
  assert.is(result?.result, 'denied');
});

const STAGES: readonly (readonly [stage: string, world: World, command: string])[] = [
  ['agent', { policy: `${POLICY}budget: {calls: 0}\n`, files: agent('  mcp: [codex_grep]\n'), agent: 'reviewer' }, 'rm -rf /'],
  ['policy', { policy: `${POLICY}budget: {calls: 0}\n` }, 'rm -rf /'],
  ['budget', { policy: `${POLICY}budget: {calls: 0}\n` }, 'echo hi'],
];
for (const [stage, world, command] of STAGES)
  test(`the first stage that denies is named: ${stage} (R250, R251, R252, R253)`, async () => {
    const tools = served(world);
    assert.ok((await tools.call('codex_shell', { command })).isError);
    assert.is(tools.records()[0]?.stage, stage);
  });

test('a chain grants nothing: each of its links is judged by itself (R269)', async () => {
  const mcp = '  mcp: [codex_grep, codex_apply_patch, codex_grep → codex_apply_patch]\n  fs: {write: [./src]}\n';
  const world = served({ policy: 'version: 1\npreset: safe\n', files: { ...FILES, ...agent(mcp) }, agent: 'reviewer' });
  assert.not((await world.call('codex_grep', { pattern: 'one', path: 'src' })).isError);
  const patch = '*** Begin Patch\n*** Delete File: src/b.ts\n*** End Patch';
  assert.match((await world.call('codex_apply_patch', { patch })).text, /^policy asks about codex_apply_patch/);
});

type Row = readonly [why: string, tool: string, input: object, says: RegExp, world?: World];
const ALLOWED: readonly Row[] = [
  ['a file of the project', 'codex_read_file', { path: 'src/b.ts' }, /^import \{ one \}/],
  ['by its whole path', 'codex_read_file', { path: './src/../src/b.ts' }, /^import/],
  ['some lines', 'codex_read_file', { path: 'src/a.ts', offset: 2, limit: 1 }, /^export const two = 2;\n$/],
  ['a link within the project', 'codex_read_file', { path: 'link.ts' }, /^export const one/],
  ['a search', 'codex_grep', { pattern: 'one\\b', path: 'src' }, /^src\/a\.ts:1:export const one = 1;\nsrc\/b\.ts:1:import/],
  ['files that may not be read do not come back', 'codex_grep', { pattern: 'one' }, /^src\/a\.ts:1:[^\n]*\nsrc\/b\.ts:1:[^\n]*$/],
  ['nor by their words', 'codex_codebase_search', { query: 'where is one' }, /^(?!.*(?:secret|env))src\/a\.ts/s],
  ['a file', 'codex_write_file', { path: 'made/deep/x.txt', content: 'x' }, /^Written/],
  ['a command', 'codex_shell', { command: 'echo hi' }, /^hi\n$/],
  ['what a person agrees to', 'codex_read_file', { path: '/etc/hostname' }, /./, { person: 'accept' }],
  ['a tool by its own name', 'codex_shell', { command: 'printf x' }, /^x$/, { policy: 'version: 1\nallow: [codex_shell]\n' }],
  ['what any agent may read without a policy', 'codex_read_file', { path: 'src/b.ts' }, /^import/, { policy: 'version: 1\n' }],
];
const REFUSED: readonly Row[] = [
  ['by a rule about Read', 'codex_read_file', { path: 'secret/s.txt' }, /^policy denied .*Read\(secret/],
  ['by a rule about the tool', 'codex_shell', { command: 'echo no' }, /^policy denied .*codex_shell\(echo no\*\)/],
  ['by a rule that asks about Bash', 'codex_shell', { command: 'echo ask' }, /^policy asks .*Bash\(echo ask\*\)/],
  ['secrets', 'codex_read_file', { path: '.env' }, /^policy asks .*may hold secrets/],
  ['files elsewhere', 'codex_read_file', { path: '../../etc/passwd' }, /^policy asks/],
  ['a link that leads elsewhere', 'codex_read_file', { path: 'away.txt' }, /^policy asks .*Read\(\/\/etc\/hostname\)/],
  ['a folder that leads elsewhere', 'codex_grep', { pattern: 'x', path: 'away' }, /^policy asks/],
  ['the environment of a process', 'codex_read_file', { path: '/proc/self/environ' }, /^policy asks/],
  ['a search in a secret folder', 'codex_grep', { pattern: 'x', path: 'secret' }, /^policy denied/],
  ['the policy itself', 'codex_write_file', { path: 'policy.yaml', content: 'x' }, /^policy denied .*protected/],
  [
    'a patch of it',
    'codex_apply_patch',
    { patch: '*** Begin Patch\n*** Add File: policy.yaml\n+x\n*** End Patch' },
    /^policy denied/,
  ],
  ['a wipe', 'codex_shell', { command: 'rm -rf /' }, /^policy denied/],
  ['what nobody has allowed', 'codex_delete_file', { path: 'README.md' }, /^policy asks/],
  [
    'what a person does not agree to',
    'codex_shell',
    { command: 'curl x' },
    /did not agree/,
    { policy: POLICY, person: 'decline' },
  ],
  [
    'without a shell, none of a server',
    'codex_shell',
    { command: 'echo' },
    /^policy denied/,
    { policy: 'version: 1\npreset: readOnly\n' },
  ],
  ['a tool that is not there', 'codex_nothing', {}, /^there is no tool codex_nothing$/, { person: 'accept' }],
  [
    'listing is not reading',
    'codex_grep',
    { pattern: 'one' },
    /^No line/,
    { policy: 'version: 1\ndefault: deny\nallow: ["Glob(**)"]\n' },
  ],
];
for (const [why, tool, input, says, world = { policy: POLICY }] of ALLOWED)
  test(`allowed: ${why}`, async () => {
    const told = await served({ files: FILES, ...world }).call(tool, input);
    assert.match(told.text, says);
    assert.not(told.isError, told.text);
  });
for (const [why, tool, input, says, world = { policy: POLICY }] of REFUSED)
  test(`refused: ${why}`, async () => {
    const tools = served({ files: FILES, ...world });
    const told = await tools.call(tool, input);
    assert.match(told.text, says);
    assert.is(told.isError, !/^No line/.test(told.text));
  });

const MISTAKES: readonly (readonly [tool: string, input: object, says: RegExp])[] = [
  ['codex_read_file', {}, /path is missing/],
  ['codex_grep', { path: 'src' }, /pattern is missing/],
  ['codex_codebase_search', { query: 'x', target_directories: 'src' }, /target_directories must be array/],
  ['codex_apply_patch', { patch: 1 }, /patch must be string/],
  ['codex_shell', { command: 'echo', cwd: '/' }, /must NOT have additional properties/],
  ['codex_custom:my_analyzer', {}, /is not a tool name/],
];
for (const [tool, input, says] of MISTAKES)
  test(`arguments have to fit, else -32602: ${tool} ${JSON.stringify(input)} (R231, R268)`, async () => {
    const { code, text } = await served({ policy: POLICY }).call(tool, input);
    assert.is(code, -32602);
    assert.match(text, says);
  });

test('each call is logged with its decision and its result (R255, R256, R257)', async () => {
  const tools = served({ policy: POLICY, files: FILES });
  await tools.call('codex_read_file', { path: 'src/a.ts' });
  await tools.call('codex_read_file', { path: 'src/missing.ts' });
  await tools.call('codex_read_file', { path: 'secret/s.txt' });
  assert.equal(
    tools.records().map(({ kind, tool, decision, result }) => [kind, tool, decision ?? result]),
    [
      ['decision', 'codex_read_file', 'allow'],
      ['result', 'codex_read_file', 'success'],
      ['decision', 'codex_read_file', 'allow'],
      ['result', 'codex_read_file', 'error'],
      ['decision', 'codex_read_file', 'deny'],
      ['result', 'codex_read_file', 'denied'],
    ],
  );
});

test('what is opened is what was judged: a file that becomes a link in between is not read, written or searched', async () => {
  const tools = served({ policy: POLICY, files: FILES });
  const swap = (path: string, target: string) => () => {
    rmSync(join(tools.project, path), { recursive: true });
    symlinkSync(target, join(tools.project, path));
  };
  const read = await tools.call('codex_read_file', { path: 'src/b.ts' }, swap('src/b.ts', '../secret/s.txt'));
  assert.match(read.text, /is a link/);
  await tools.call('codex_write_file', { path: 'made/x.txt', content: 'x' });
  const outside = join(tools.project, '..', 'outside');
  mkdirSync(outside);
  const written = await tools.call('codex_write_file', { path: 'made/x.txt', content: 'new' }, swap('made', outside));
  assert.ok(written.isError, written.text);
  assert.equal(readdirSync(outside), []);
  const through = await tools.call('codex_read_file', { path: 'src/a.ts' }, () => {
    renameSync(join(tools.project, 'src'), join(outside, 'src'));
    symlinkSync(join(outside, 'src'), join(tools.project, 'src'));
  });
  assert.match(through.text, /moved, or goes through a link/);
});

test('large, binary and odd files: refused, quickly', async () => {
  const tools = served({ policy: POLICY, files: { 'src/small': 'x' } });
  const file = (name: string) => join(tools.project, 'src', name);
  writeFileSync(file('huge'), '');
  truncateSync(file('huge'), 2 ** 30);
  writeFileSync(file('binary'), Buffer.from([0, 1, 2, 255]));
  writeFileSync(file('long'), 'a line\n'.repeat(100_000));
  spawnSync('mkfifo', [file('fifo')]);
  const begin = Date.now();
  assert.match((await tools.call('codex_read_file', { path: 'src/huge' })).text, /1073741824 bytes.*give offset and limit/);
  assert.match((await tools.call('codex_read_file', { path: 'src/huge', offset: 5 })).text, /read fewer|first 67108864 bytes/);
  assert.match((await tools.call('codex_read_file', { path: 'src/binary' })).text, /is not a text file/);
  assert.match((await tools.call('codex_read_file', { path: 'src/fifo' })).text, /is not a regular file/);
  assert.match((await tools.call('codex_read_file', { path: 'src' })).text, /is not a regular file/);
  assert.is((await tools.call('codex_read_file', { path: 'src/long', offset: 99_999, limit: 9 })).text, 'a line\na line\n');
  assert.match((await tools.call('codex_read_file', { path: 'src/long', offset: 200_000 })).text, /has 100001 lines/);
  assert.match((await tools.call('codex_grep', { pattern: 'line', path: 'src' })).text, /only the first 500 lines/);
  assert.ok(Date.now() - begin < 10_000);
});

test('an expression that would take for ever ends, and a wrong one is told', async () => {
  const tools = served({ policy: POLICY, files: { 'src/a.txt': `${'a'.repeat(60)}!\n` } });
  const begin = Date.now();
  assert.match((await tools.call('codex_grep', { pattern: '(a+)+$', path: 'src' })).text, /took too long/);
  assert.ok(Date.now() - begin < 20_000);
  assert.match((await tools.call('codex_grep', { pattern: '(' })).text, /not valid: .*Unterminated group/);
});

test('what the policy does not let an agent read is not even searched', async () => {
  const tools = served({ policy: POLICY, files: { 'secret/s.txt': `${'a'.repeat(60)}!\n`, 'src/a.txt': 'b\n' } });
  const begin = Date.now();
  assert.is((await tools.call('codex_grep', { pattern: '(a+)+$' })).text, 'No line matches.');
  assert.ok(Date.now() - begin < 5_000, 'how long a search takes tells nothing about it');
});

test('a search without a hit ends at its deadline, too', () => {
  const folder = scratch(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${at % 20}/a/b/c/${at}.txt`, 'text'])));
  for (const [what, look, judge] of [
    ['files that may not be shown', 1, 100],
    ['folders without an end', 1_000, Number.NaN],
  ] as const) {
    let now = 0;
    const wait = (milliseconds: number) => {
      assert.not(Number.isNaN(milliseconds), 'there was no time for it');
      now += milliseconds;
      return now;
    };
    const place = { project: folder, now: () => wait(look), mayShow: () => wait(judge) < 0 };
    const late = /took too long: not all files were searched/;
    assert.match(grep('nothing', folder, place), late, what);
    now = 0;
    assert.match(codebaseSearch('nothing', [folder], place), late, what);
  }
});

const hunk = (...lines: string[]) => `*** Begin Patch\n${lines.join('\n')}\n*** End Patch`;
const PATCHES: readonly (readonly [why: string, patch: string, file: string, after: string | RegExp])[] = [
  ['a new file', hunk('*** Add File: src/n.ts', '+a', '+b'), 'src/n.ts', 'a\nb\n'],
  [
    'an update',
    hunk('*** Update File: src/a.ts', '@@', ' export const one = 1;', '-export const two = 2;', '+export const two = 3;'),
    'src/a.ts',
    'export const one = 1;\nexport const two = 3;\n',
  ],
  [
    'without @@',
    hunk('*** Update File: src/a.ts', '-export const one = 1;', '+const one = 1;'),
    'src/a.ts',
    /^const one = 1;\nexport const two/,
  ],
  [
    'behind a line',
    hunk('*** Update File: src/a.ts', '@@ export const one = 1;', '+// here'),
    'src/a.ts',
    /one = 1;\n\/\/ here\nexport const two/,
  ],
  ['at the end', hunk('*** Update File: src/a.ts', '@@', '+// end'), 'src/a.ts', /two = 2;\n\/\/ end\n$/],
  [
    'blanks at the end of a line',
    hunk('*** Update File: src/a.ts', '@@', '-export const two = 2;   ', '+two'),
    'src/a.ts',
    /\ntwo\n$/,
  ],
  [
    'a move',
    hunk('*** Update File: src/b.ts', '*** Move to: src/c.ts', '@@', '-import { one } from "./a.js";', '+moved'),
    'src/c.ts',
    'moved\n',
  ],
  [
    'two hunks',
    hunk('*** Update File: src/a.ts', '@@', '-export const one = 1;', '+1', '@@', '-export const two = 2;', '+2'),
    'src/a.ts',
    '1\n2\n',
  ],
];
for (const [why, patch, file, after] of PATCHES)
  test(`a patch: ${why}`, async () => {
    const tools = served({ policy: `${POLICY}`, files: FILES, person: 'accept' });
    const told = await tools.call('codex_apply_patch', { patch });
    assert.not(told.isError, told.text);
    if (typeof after === 'string') assert.is(tools.read(file), after);
    else assert.match(tools.read(file), after);
  });

const BAD: readonly (readonly [why: string, says: RegExp, ...lines: string[]])[] = [
  ['a line that is not there', /does not have these lines/, '*** Update File: src/a.ts', '@@', '-nothing', '+x'],
  ['a file that is there', /exists already/, '*** Add File: src/b.ts', '+x'],
  ['a file that is not there', /does not exist/, '*** Update File: src/no.ts', '@@', '-x', '+y'],
  ['a file outside', /not in the project/, '*** Add File: /tmp/policy-serve-outside', '+x'],
  ['a path through a link', /goes through a link/, '*** Add File: linked/x', '+x'],
  [
    'a file given twice',
    /twice/,
    '*** Update File: src/a.ts',
    '@@',
    '-export const one = 1;',
    '+x',
    '*** Delete File: ./src/a.ts',
  ],
  ['a stray line', /an unexpected line/, '*** Update File: src/a.ts', '@@', '-export const one = 1;', '+x', 'stray'],
  ['a hunk that changes nothing', /changes nothing/, '*** Update File: src/a.ts', '@@', ' export const one = 1;'],
];
for (const [why, says, ...lines] of BAD)
  test(`a patch that does not fit changes nothing: ${why}`, async () => {
    const tools = served({ policy: POLICY, files: FILES, person: 'accept' });
    const told = await tools.call('codex_apply_patch', { patch: hunk('*** Add File: src/first.ts', '+x', ...lines) });
    assert.ok(told.isError);
    assert.match(told.text, says);
    assert.not(readdirSync(join(tools.project, 'src')).includes('first.ts'));
    assert.is(tools.read('src/a.ts'), FILES['src/a.ts']);
  });

test('files of the project are deleted, others and links are not', async () => {
  const tools = served({ policy: POLICY, files: FILES, person: 'accept' });
  assert.is((await tools.call('codex_delete_file', { path: 'src/b.ts' })).text, 'Deleted.');
  assert.match((await tools.call('codex_delete_file', { path: 'src/b.ts' })).text, /does not exist/);
  assert.match((await tools.call('codex_delete_file', { path: 'link.ts' })).text, /not a regular file/);
  assert.match((await tools.call('codex_delete_file', { path: '/etc/hostname' })).text, /not in the project/);
  assert.not(readdirSync(join(tools.project, 'src')).includes('b.ts'));
});

/** Runs a line that a person agrees to. */
const shell = (tools: ReturnType<typeof served>, command: string, more = {}) => tools.call('codex_shell', { command, ...more });
const agreed = () => served({ policy: POLICY, person: 'accept', environment: { SECRET_TOKEN: 'x', LANG: 'C.UTF-8' } });

test('a command: its output, its exit code, its variables', async () => {
  const tools = agreed();
  assert.equal(await shell(tools, 'echo out; echo err >&2; exit 3'), {
    text: 'out\nerr\n(exit code 3)',
    isError: true,
    code: null,
  });
  assert.is((await shell(tools, 'echo "$SECRET_TOKEN|$LANG"; pwd')).text, `|C.UTF-8\n${tools.project}\n`);
  assert.match((await shell(tools, 'cat')).text, /no output/, 'it reads nothing');
  const { text } = await shell(tools, 'seq 1 100000');
  assert.match(text, /^1\n2\n.*\(\d+ bytes left out\).*99999\n100000\n$/s);
  assert.ok(text.length < 140_000);
});

test('a command ends at its deadline, with whatever it has started (R233)', async () => {
  const tools = agreed();
  const mark = `4127${process.pid}`;
  const begin = Date.now();
  const slow = await shell(tools, `trap '' TERM; sleep ${mark} & while :; do sleep 0.1; done`, { timeout: 1 });
  assert.match(slow.text, /ended after 1 seconds/);
  const daemon = await shell(tools, `setsid sh -c 'setsid sleep ${mark} >/dev/null 2>&1 & sleep ${mark}' & echo started`);
  assert.match(daemon.text, /^started/);
  assert.ok(Date.now() - begin < 15_000);
  const left = spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes(mark));
  assert.equal(left, []);
});

test('a call that the client cancels ends', async () => {
  const tools = agreed();
  const begin = Date.now();
  setTimeout(() => tools.cancelLast(), 500);
  assert.match((await shell(tools, 'sleep 30')).text, /cancelled/);
  assert.ok(Date.now() - begin < 10_000);
});

test('--server codex needs no command: it starts codex mcp-server (R237)', () => {
  const started = (...words: readonly string[]) => {
    const options = gatewayOptions(['--server', 'codex', ...words]);
    if (typeof options === 'string') return options;
    return options.upstream.kind === 'command'
      ? [options.upstream.command, ...options.upstream.words]
      : 'href' in options.upstream.url
        ? options.upstream.url.href
        : options.upstream.url.variable;
  };
  assert.equal(started(), ['codex', 'mcp-server']);
  assert.equal(started('--', 'other', 'words'), ['other', 'words']);
  assert.equal(started('--url', 'http://localhost:1/mcp'), 'http://localhost:1/mcp');
  assert.equal(started('--url-from', 'A'), 'A');
  assert.type(gatewayOptions(['--server', 'files']), 'string');
});

const VERSIONS: readonly (readonly [method: string, params: object, holds: RegExp])[] = [
  ['initialize', { protocolVersion: '2025-06-18', capabilities: {} }, /"protocolVersion":"2025-06-18"/],
  ['initialize', { protocolVersion: '2099-01-01', capabilities: {} }, /"protocolVersion":"2025-11-25"/],
  ['server/discover', meta('2026-07-28'), /"resultType":"complete".*"supportedVersions":\["2026-07-28"\]/],
  ['tools/list', meta('2026-07-28'), /"cacheScope":"private".*codex_read_file/],
  ['tools/list', meta('2099-01-01'), /"code":-32022.*"supported":\["2026-07-28"\]/],
  ['ping', {}, /"result":\{\}/],
  ['resources/list', {}, /"code":-32601/],
];
function meta(version: string) {
  return { _meta: { 'io.modelcontextprotocol/protocolVersion': version } };
}
for (const [method, params, holds] of VERSIONS)
  test(`the protocol: ${method} ${JSON.stringify(params)}`, async () => {
    assert.match(JSON.stringify(await served({ policy: POLICY }).request(method, params)), holds);
  });

test.run();
