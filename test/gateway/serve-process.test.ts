// `policy mcp serve` as a process: what a client sees, what is logged, and what is left when it has gone.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAN_REPOSITORY, COMMAND, scratch } from '../cli/spawned.js';

const test = suite('policy mcp serve as a process');
const POLICY = 'version: 1\npreset: safe\nallow: ["Edit(reports/**)", "Bash(sleep *)"]\n';
const REVIEWER = `name: code-reviewer
goal: Review the code
tools:
  mcp: [codex_read_file, codex_grep, codex_codebase_search, codex_write_file]
  fs: {read: true, write: [./reports]}
`;

function start(words: readonly string[] = []) {
  const folder = realpathSync(scratch({ 'home/.config/policy/policy.yaml': POLICY }));
  const work = join(folder, 'work');
  const files = { ...CLEAN_REPOSITORY, 'src/a.ts': 'export const a = 1;\n', '.codex/agents/code-reviewer.yaml': REVIEWER };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, name)), { recursive: true });
    writeFileSync(join(work, name), text);
  }
  const child = spawn(process.execPath, [COMMAND, 'mcp', 'serve', ...words], {
    cwd: work,
    env: { PATH: process.env.PATH ?? '', HOME: join(folder, 'home') },
  });
  const waiting = new Map<number, (answer: string) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => waiting.get(JSON.parse(line).id)?.(line));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  let last = 0;
  const ask = (method: string, params: object = {}) => {
    last += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
    return new Promise<string>((done) => waiting.set(last, done));
  };
  const log = join(folder, 'home/.local/state/policy/log');
  return {
    ...{ child, work, ended, ask },
    call: (name: string, input: object) => ask('tools/call', { name, arguments: input }),
    records: () =>
      readdirSync(log)
        .flatMap((name) => (name.endsWith('.jsonl') ? readFileSync(join(log, name), 'utf8').trimEnd().split('\n') : []))
        .map((line) => JSON.parse(line)),
  };
}

test('a review through the tools: it reads, it searches, it writes its report (R264)', async () => {
  const { child, work, ended, ask, call, records } = start(['--agent', 'code-reviewer']);
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  assert.match(await ask('initialize', hello), /"serverInfo":\{"name":"policy"/);
  assert.not.match(await ask('tools/list'), /codex_shell|codex_apply_patch/);
  assert.match(await call('codex_read_file', { path: 'src/a.ts' }), /export const a = 1/);
  assert.match(await call('codex_grep', { pattern: 'const' }), /src\/a\.ts:1:/);
  assert.match(await call('codex_codebase_search', { query: 'which constants are exported' }), /src\/a\.ts/);
  assert.match(await call('codex_write_file', { path: 'reports/review.md', content: 'fine\n' }), /Written/);
  assert.match(await call('codex_shell', { command: 'ls' }), /Codex MCP tool 'codex_shell' is not permitted for this agent/);
  child.stdin.end();
  assert.is(await ended, 0);
  assert.is(readFileSync(join(work, 'reports/review.md'), 'utf8'), 'fine\n');
  assert.equal(
    records().map(({ kind, tool, agent, decision, result }) => [kind, tool.replace('codex_', ''), agent, decision ?? result]),
    ['read_file', 'grep', 'codebase_search', 'write_file', 'shell'].flatMap((tool) => {
      const [decision, result] = tool === 'shell' ? ['deny', 'denied'] : ['allow', 'success'];
      return [
        ['decision', tool, 'code-reviewer', decision],
        ['result', tool, 'code-reviewer', result],
      ];
    }),
  );
});

test('a question that nobody answers before the client leaves has its end in the log', async () => {
  const { child, ended, ask, records } = start();
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo: {} });
  const asked = new Promise<string>((done) => child.stdout.once('data', (chunk) => done(String(chunk))));
  void ask('tools/call', { name: 'codex_shell', arguments: { command: 'make' } });
  assert.match(await asked, /elicitation\/create/);
  child.stdin.end();
  assert.is(await ended, 0);
  assert.equal(
    records().map(({ tool, decision, result }) => [tool, decision ?? result]),
    [
      ['codex_shell', 'ask'],
      ['codex_shell', 'denied'],
    ],
  );
});

const MARK = `sleep 4219${process.pid}`;
const LEAVING: readonly (readonly [how: string, leave: (child: ChildProcessWithoutNullStreams) => void])[] = [
  ['sends SIGTERM', (child) => child.kill()],
  ['does not read any more, and sends SIGTERM', (child) => child.stdout.destroy() && child.kill()],
];
for (const [how, leave] of LEAVING)
  test(`no command is left when the client ${how}`, async () => {
    const { child, ended, call } = start();
    void call('codex_shell', { command: `${MARK} & ${MARK}` });
    while (!running().includes(MARK)) await new Promise((done) => setTimeout(done, 100));
    leave(child);
    await ended;
    assert.not(running().includes(MARK));
  });

test('a client that has said its last word still gets the answers', () => {
  const folder = scratch({ ...CLEAN_REPOSITORY, 'README.md': 'read me' });
  const line = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'codex_read_file', arguments: { path: 'README.md' } },
  });
  const { stdout, status } = spawnSync(process.execPath, [COMMAND, 'mcp', 'serve'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: scratch({}) },
    input: `${line}\n`,
    encoding: 'utf8',
  });
  assert.match(stdout, /"id":1,"result":.*read me/);
  assert.is(status, 0);
});

test('wrong usage is told in one line, whoever starts it', () => {
  for (const words of [['--agnet', 'x'], ['--runner', 'vim'], ['--deny-as', 'x'], ['x']]) {
    const { status, stderr } = spawnSync(process.execPath, [COMMAND, 'mcp', 'serve', ...words], { encoding: 'utf8' });
    assert.is(status, 3, stderr);
    assert.match(stderr, /^[^\n]+\n$/);
  }
});

function running(): string {
  return spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).stdout;
}

test.run();
