/** `policy run` without a goal: a person works with the client in the terminal. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as uvuTest } from 'uvu';
import * as assert from 'uvu/assert';
import { sessionRecords } from '../../src/enforce/launch/session-record.js';
import { hasTerminals, inTerminal, type Terminal } from './pty.js';
import { isRunning, type RunWorld, runWorld, until } from './run-world.js';
import { COMMAND, insideAgent } from './spawned.js';

const test = insideAgent || !hasTerminals() ? uvuTest.skip : uvuTest;

/** `policy run ARGS`, with the terminal's modes before and after it in files. */
function started(world: RunWorld, args: string, pause = ''): Terminal {
  const line = `stty -a > before; ${process.execPath} ${COMMAND} run ${args}; echo "code $?" > code; ${pause}stty -a > after`;
  return inTerminal(line, world.project, world.env);
}

const fileOf = (world: RunWorld, name: string) => readFileSync(join(world.project, name), 'utf8');

/** Its end: the exit code, and that the terminal and the turn are as before. */
async function endOf(world: RunWorld, terminal: Terminal): Promise<string> {
  await terminal.ended;
  assert.is(fileOf(world, 'after'), fileOf(world, 'before'));
  assert.equal(readdirSync(join(world.state, 'launched')), []);
  return fileOf(world, 'code').trim();
}

test('`--goal -` in a terminal says that it waits for the goal', async () => {
  const world = runWorld();
  const terminal = started(world, '--goal - --preset safe');
  await until('its question', () => terminal.text().includes('note: type the goal, then Ctrl-D on a new line'));
  terminal.type('say it was typed\r\u0004');
  assert.is(await endOf(world, terminal), 'code 0');
  assert.is(sessionRecords(world.state, null)[0]?.summary, 'it was typed');
});

test('what only a run with a goal obeys is refused at a terminal', async () => {
  const world = runWorld();
  for (const words of ['--budget 10', '--timeout 2s', '--retries 1', '--out answer.md']) {
    const terminal = started(world, `builder ${words}`);
    await terminal.ended;
    assert.is(fileOf(world, 'code').trim(), 'code 3', words);
    assert.match(terminal.text(), new RegExp(`${words.split(' ')[0]} needs a goal`));
  }
});

test('a server of the project that is forbidden keeps the run from starting; one that the policy does not allow is noted', async () => {
  const world = runWorld();
  const serve = (command: string, ...args: readonly string[]) =>
    writeFileSync(join(world.project, '.mcp.json'), JSON.stringify({ mcpServers: { probe: { command, args } } }));
  serve('rm', '-rf', '/');
  const refused = started(world, 'builder');
  assert.is(await endOf(world, refused), 'code 3');
  assert.match(refused.text(), /The MCP server probe in \S+\.mcp\.json:1 runs a command without asking/);
  assert.match(refused.text(), /fix: read the command, and remove it from \S+\.mcp\.json:1/);
  for (const [command, notes] of [
    ['./made-up', 1],
    ['ls', 0],
  ] as const) {
    serve(command);
    const terminal = started(world, 'builder');
    await until('its first words', () => terminal.text().includes('what is to be done?'));
    terminal.type('/exit\r');
    assert.is(await endOf(world, terminal), 'code 0', command);
    assert.is(terminal.text().split('The MCP server probe in').length - 1, notes, command);
  }
});

for (const [how, keys] of [
  ['/exit', '/exit\r'],
  ['Ctrl-D', '\u0004'],
] as const)
  test(`the client has the terminal, the hook judges, the client asks; ${how} ends both`, async () => {
    const world = runWorld();
    const terminal = started(world, 'builder');
    await until('its first words', () => terminal.text().includes('what is to be done?'));
    terminal.type('run ls -a\r');
    await until('an allowed call', () => terminal.text().includes('.claude'));
    terminal.type('run rm -rf /\r');
    await until('a denied one', () => /policy denied this call|denied/i.test(terminal.text()));
    terminal.type('run touch one; ./made-up\r');
    await until('a question', () => terminal.text().includes('may it run touch one; ./made-up?'));
    terminal.type('n');
    await until('its answer', () => terminal.text().includes('the person said no'));
    terminal.type('run echo a > two && ./made-up\r');
    await until('a second question', () => terminal.text().includes('may it run echo a > two && ./made-up?'));
    terminal.type('y');
    await until('what came of it', () => terminal.text().includes('not found'));
    terminal.type('\u0003');
    await until('Ctrl-C in the client', () => terminal.text().includes('interrupted'));
    terminal.type('say still here\r');
    await until('that it goes on', () => terminal.text().includes('still here'));
    terminal.type(keys);
    assert.is(await endOf(world, terminal), 'code 0');
    const [record] = sessionRecords(world.state, null);
    assert.equal([record?.outcome, record?.goal, record?.decisions], ['completed', null, { allow: 1, ask: 2, deny: 1 }]);
    assert.match(terminal.text(), /\u25a0 completed after .*calls: 1 allowed, 2 asked, 1 denied/);
    assert.equal(
      readdirSync(world.project).filter((name) => ['one', 'two'].includes(name)),
      ['two'],
    );
  });

test('a client that is killed leaves the terminal as it was, and so does a killed `policy run`', async () => {
  for (const kills of ['client', 'policy'] as const) {
    const world = runWorld();
    // What watches over the client ends it, and then gives the terminal its modes back.
    const terminal = started(world, 'builder', kills === 'policy' ? 'sleep 3; ' : '');
    await until('its first words', () => terminal.text().includes('what is to be done?'));
    const holder = sessionRecords(world.state, null)[0]?.holder?.pid ?? 0;
    if (kills === 'client') {
      terminal.type('die\r');
      assert.is(await endOf(world, terminal), 'code 1');
      assert.match(terminal.text(), /\u25a0 failed after .*\n.*the runner ended with SIGKILL/);
    } else {
      assert.ok(isRunning(holder));
      process.kill(holder, 'SIGKILL');
      await terminal.ended;
      assert.is(fileOf(world, 'code').trim(), 'code 137');
      assert.is(fileOf(world, 'after'), fileOf(world, 'before'));
    }
  }
});

test('SIGINT of the terminal is for the client alone; SIGTERM ends both', async () => {
  const world = runWorld();
  const terminal = started(world, 'builder');
  await until('its first words', () => terminal.text().includes('what is to be done?'));
  const holder = sessionRecords(world.state, null)[0]?.holder?.pid ?? 0;
  process.kill(holder, 'SIGINT');
  terminal.type('say still here\r');
  await until('that it goes on', () => terminal.text().includes('still here'));
  process.kill(holder, 'SIGTERM');
  assert.is(await endOf(world, terminal), 'code 130');
  assert.is(sessionRecords(world.state, null)[0]?.outcome, 'interrupted');
});

uvuTest.run();
