// `policy mcp gateway -- COMMAND` as a process: what the server has received is its own record, what was logged is the decision log.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAN_REPOSITORY, COMMAND, scratch } from '../cli/spawned.js';
import { SMUGGLED } from './smuggling.js';

const test = suite('the gateway on standard input and output');
const SERVER = resolve('test/fixtures/mcp/server.mjs');
const POLICY = `version: 1
allow: [mcp__files__read_file, mcp__files__write_file(notes.txt)]
deny: [mcp__files__move_file]
`;
const REVIEWER = `---
name: reviewer
description: Reads.
tools: mcp__files__read_file
---
Read.
`;

interface Client {
  /** Sends a line, and resolves to the answer with this id. */
  readonly ask: (text: string, id: number | string) => Promise<Record<string, unknown>>;
  readonly tell: (text: string) => void;
  readonly received: () => readonly string[];
  readonly records: () => readonly Record<string, unknown>[];
  /** Closes the input; resolves to the exit code. */
  readonly leave: () => Promise<number | null>;
  readonly child: ChildProcessWithoutNullStreams;
  /** Lets the hook of Claude Code judge a call of the session; returns what it prints. */
  readonly hook: (tool: string, input: object, id: string) => string;
  readonly errors: () => string;
}

function start(
  options: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  command = [process.execPath, SERVER],
): Client {
  const folder = realpathSync(
    scratch({ 'home/.config/policy/policy.yaml': POLICY, 'work/.claude/agents/reviewer.md': REVIEWER }),
  );
  for (const [name, text] of Object.entries(CLEAN_REPOSITORY)) put(join(folder, 'work', name), text);
  const record = join(folder, 'received');
  const words = ['mcp', 'gateway', '--server', 'files', ...options, '--', ...command, ...(command[1] === SERVER ? [record] : [])];
  const child = spawn(process.execPath, [COMMAND, ...words], {
    cwd: join(folder, 'work'),
    env: { PATH: process.env.PATH ?? '', HOME: join(folder, 'home'), ...env },
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const waiting = new Map<unknown, (answer: Record<string, unknown>) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line);
    waiting.get(answer.id)?.(answer);
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const log = join(folder, 'home/.local/state/policy/log');
  return {
    child,
    errors: () => errors,
    hook: (tool, input, id) => {
      const payload = { session_id: 's', cwd: join(folder, 'work'), hook_event_name: 'PreToolUse', permission_mode: 'default' };
      return spawnSync(process.execPath, [COMMAND, 'hook', 'claude-code'], {
        cwd: join(folder, 'work'),
        env: { PATH: process.env.PATH ?? '', HOME: join(folder, 'home') },
        input: JSON.stringify({ ...payload, tool_name: tool, tool_input: input, tool_use_id: id }),
        encoding: 'utf8',
      }).stdout;
    },
    tell: (text) => child.stdin.write(`${text}\n`),
    ask: (text, id) =>
      new Promise((done) => {
        waiting.set(id, done);
        child.stdin.write(`${text}\n`);
      }),
    received: () => (existsSync(record) ? readFileSync(record, 'utf8').split('\n').slice(0, -1) : []),
    records: () =>
      existsSync(log)
        ? readdirSync(log)
            .flatMap((name) => (name.endsWith('.jsonl') ? readFileSync(join(log, name), 'utf8').trimEnd().split('\n') : []))
            .map((line) => JSON.parse(line))
        : [],
    leave: () => {
      child.stdin.end();
      return ended;
    },
  };
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

let calls = 0;
const call = (name: string, input: object = { path: 'notes.txt' }, more = {}) => {
  calls += 1;
  return [
    JSON.stringify({ jsonrpc: '2.0', id: calls, method: 'tools/call', params: { name, arguments: input, ...more } }),
    calls,
  ] as const;
};
const HELLO = JSON.stringify({
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
});
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 'list', method: 'tools/list' });

test('the handshake passes, calls are judged, each is logged with its decision and its result (R224, R255, R257, R262)', async () => {
  const client = start();
  assert.match(JSON.stringify(await client.ask(HELLO, 'hello')), /"serverInfo":\{"name":"sample"/);
  assert.match(JSON.stringify(await client.ask(LIST, 'list')), /^(?!.*move_file).*read_file.*write_file/);
  assert.match(JSON.stringify(await client.ask(...call('read_file'))), /read_file ran/);
  assert.match(JSON.stringify(await client.ask(...call('read_file', { fail: true }))), /"isError":true/);
  assert.match(JSON.stringify(await client.ask(...call('move_file'))), /policy denied mcp__files__move_file.*isError/);
  assert.is(await client.leave(), 0);
  assert.equal(
    client.received().map((line) => JSON.parse(line).params?.name ?? JSON.parse(line).method),
    ['initialize', 'tools/list', 'read_file', 'read_file'],
  );
  assert.equal(
    client.records().map(({ kind, tool, decision, result }) => [kind, tool, decision ?? result]),
    [
      ['decision', 'mcp__files__read_file', 'allow'],
      ['result', 'mcp__files__read_file', 'success'],
      ['decision', 'mcp__files__read_file', 'allow'],
      ['result', 'mcp__files__read_file', 'error'],
      ['decision', 'mcp__files__move_file', 'deny'],
      ['result', 'mcp__files__move_file', 'denied'],
    ],
  );
});

test('a client that has said its last word still gets the answers', () => {
  const command = [process.execPath, SERVER];
  const { stdout, status } = spawnSync(process.execPath, [COMMAND, 'mcp', 'gateway', '--', ...command], {
    cwd: scratch(CLEAN_REPOSITORY),
    env: { PATH: process.env.PATH ?? '', HOME: scratch({}) },
    input: `${HELLO}\n${LIST}\n`,
    encoding: 'utf8',
  });
  assert.match(stdout, /serverInfo.*\n.*write_file/);
  assert.is(status, 0);
});

test('a call that the hook has asked about is not asked about again, once for each answer', async () => {
  const input = { path: 'other.txt' };
  const client = start();
  const isMade = async (given: object, id: string | null) => {
    const meta = id === null ? {} : { _meta: { 'claudecode/toolUseId': id } };
    return JSON.stringify(await client.ask(...call('write_file', given, meta))).includes('write_file ran');
  };
  assert.is(await isMade(input, 'toolu_1'), false, 'nobody was asked');
  assert.match(client.hook('mcp__files__write_file', input, 'toolu_1'), /"permissionDecision":"ask"/);
  assert.is(await isMade({ path: 'third.txt' }, 'toolu_1'), false, 'other arguments');
  assert.is(await isMade(input, 'toolu_2'), false, 'another call');
  assert.is(await isMade(input, 'toolu_1'), true, 'the person agreed');
  assert.is(await isMade(input, 'toolu_1'), false, 'that was one answer');
  client.hook('mcp__files__write_file', input, 'toolu_3');
  assert.is(await isMade(input, null), false, 'a client that tells no id');
  await client.leave();
});

test('an agent has the tools of its definition, whatever a request claims (R234, R246)', async () => {
  const client = start(['--agent', 'reviewer']);
  assert.match(JSON.stringify(await client.ask(LIST, 'list')), /"tools":\[\{"name":"read_file"[^\]]*\]/);
  assert.match(JSON.stringify(await client.ask(...call('read_file'))), /read_file ran/);
  for (const more of [{}, { _meta: { agent: 'main' } }, { _meta: { 'policy/agent': null } }])
    assert.match(JSON.stringify(await client.ask(...call('write_file', { path: 'notes.txt' }, more))), /isError":true/);
  assert.is(await client.leave(), 0);
  assert.is(client.received().filter((line) => line.includes('write_file')).length, 0);
  assert.ok(client.records().every(({ agent }) => agent === 'reviewer'));
});

test('no smuggled message reaches the server but as what was judged', async () => {
  const client = start();
  await client.ask(HELLO, 'hello');
  for (const { text } of SMUGGLED) client.tell(text);
  await client.ask(JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'ping' }), 'last');
  assert.is(await client.leave(), 0);
  const judged = client.records().filter(({ kind, decision }) => kind === 'decision' && decision === 'allow');
  const forwarded = client.received().map((line) => JSON.parse(line));
  for (const { method, params } of forwarded)
    assert.ok(
      ['initialize', 'ping', 'notifications/progress', 'notifications/initialized'].includes(method) ||
        (method === 'tools/call' && params.name === 'read_file'),
      JSON.stringify({ method, params }),
    );
  assert.is(forwarded.filter(({ method }) => method === 'tools/call').length, judged.length);
});

test('the server gets no variables but those of any program and those that are named', async () => {
  const client = start(['--env', 'NAMED'], { SECRET_TOKEN: 'x', NAMED: 'y', LANG: 'C.UTF-8' });
  const seen = async (variable: string) => JSON.stringify(await client.ask(...call('read_file', { variable })));
  assert.match(await seen('SECRET_TOKEN'), /"undefined"/);
  assert.match(await seen('NAMED'), /"y"/);
  assert.match(await seen('LANG'), /"C\.UTF-8"/);
  await client.leave();
});

test('a server that ends: whoever waits is told, and the exit code is 1', async () => {
  const client = start();
  const ended = new Promise((done) => client.child.once('close', done));
  assert.match(JSON.stringify(await client.ask(...call('read_file', { exit: 3 }))), /"error".*the server ended with exit code 3/);
  assert.is(await ended, 1);
  assert.is(client.records().at(-1)?.result, 'error');
});

test('a server that cannot be started is an error in one line', async () => {
  const client = start([], {}, ['/nonexistent/server']);
  assert.is(await client.leave(), 1);
  assert.match(client.errors(), /^policy mcp gateway files: the server could not be started: .*ENOENT\n$/);
});

test('where nothing can be logged, nothing is called', async () => {
  const client = start(['--state-dir', SERVER]);
  assert.match(JSON.stringify(await client.ask(...call('read_file'))), /policy denied this call.*isError/);
  assert.is(await client.leave(), 0);
  assert.equal(client.received(), []);
});

test('a server that does not read holds up the client', async () => {
  const client = start([], {}, [process.execPath, '-e', 'setInterval(() => {}, 1000)']);
  const message = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { data: 'x'.repeat(1e6) } });
  client.child.stdin.on('error', () => {});
  let written = 0;
  const more = () => {
    while (written < 600) {
      written += 1;
      if (!client.child.stdin.write(`${message}\n`)) return client.child.stdin.once('drain', more);
    }
    return null;
  };
  more();
  await new Promise((done) => setTimeout(done, 3_000));
  const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${client.child.pid}/status`, 'utf8'))?.[1]);
  assert.ok(written < 100 && resident < 250_000, `${written} MB written, ${resident} kB`);
  client.child.kill();
  await client.leave();
});

/** Servers that do not end as they should; each runs `sleep MARK`, by which what is left of it is found. */
const STUBBORN: readonly (readonly [what: string, script: string, isOutside?: true])[] = [
  ['ignores its end', `trap '' TERM HUP INT; sleep MARK & while :; do sleep 0.2; done`],
  ['leaves a child that holds its output', 'sleep MARK & exec cat >/dev/null'],
  ['ends before the client, and leaves a child', 'sleep MARK & read line; exit 3'],
  ['starts a child outside its group', 'setsid sleep MARK & exec cat >/dev/null', true],
];
const LEAVING: readonly (readonly [how: string, leave: (child: ChildProcessWithoutNullStreams) => void])[] = [
  ['closes its end', (child) => child.stdin.end()],
  ['sends SIGTERM', (child) => child.kill()],
  [
    'sends SIGTERM twice',
    (child) => {
      child.kill();
      setTimeout(() => child.kill(), 300);
    },
  ],
];
for (const [what, script, isOutside] of STUBBORN)
  for (const [how, leave] of LEAVING)
    test(`a server that ${what}, a client that ${how}: both are gone (R233)`, async () => {
      calls += 1;
      const mark = `3219${process.pid}${calls}`;
      const client = start([], {}, ['/bin/sh', '-c', script.replace('MARK', mark)]);
      client.child.stdin.on('error', () => {});
      const ended = new Promise((done) => client.child.once('exit', () => done(true)));
      client.tell(HELLO);
      await new Promise((done) => setTimeout(done, 700));
      leave(client.child);
      const patience = new Promise((done) => setTimeout(() => done(false), 9_000).unref());
      const isGone = await Promise.race([ended, patience]);
      if (isGone !== true) client.child.kill('SIGKILL');
      const left = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(`sleep\0${mark}`));
      // What left the group of the server is out of reach; the gateway must not wait for it.
      for (const pid of left) process.kill(Number(pid), 'SIGKILL');
      assert.ok(isGone, 'the gateway goes on');
      assert.is(left.length, isOutside ? 1 : 0);
    });

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

test.run();
