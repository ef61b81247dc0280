// MCP calls through `policy mcp gateway`, in turn with the same calls straight to the server, and with a program between that does nothing:
// each is decided, and logged twice. Then many sessions at once: every call has to be answered and to have its two records.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { overHttp, overPipes } from './mcp/clients.mjs';

/** Multiples of bare node, and of the same call without the gateway. */
const GATES = { start: 1.6, call: 1.5 };
const MOST_MEMORY = 120;
const SESSIONS = 100;
const ECHO = resolve('bench/mcp/echo.mjs');
const PUMP = resolve('bench/mcp/pump.mjs');
const ANSWER =
  '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}';
const HELLO =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}';

/**
 * Rows for the table: name, figure, details, verdict.
 * @param calls of each session in the load
 */
export async function gatewayTimes(calls = 100) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'policy-bench-gateway-')));
  try {
    const world = worldIn(folder);
    return [await startRow(world), await pipesRow(world), await httpRow(world), await loadRow(world, calls)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function worldIn(folder) {
  const [project, home] = ['work', 'home'].map((name) => join(folder, name));
  for (const name of ['objects', 'refs']) mkdirSync(join(project, '.git', name), { recursive: true });
  writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(project, '.git', 'config'), '[core]\n\tbare = false\n');
  mkdirSync(join(home, '.config', 'policy'), { recursive: true });
  writeFileSync(join(home, '.config', 'policy', 'policy.yaml'), 'version: 1\nallow: [mcp__echo__echo]\n');
  writeFileSync(join(folder, 'bare.cjs'), "require('node:fs').writeSync(1, '\\n');");
  // What changed this moment is never stored in a snapshot.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  const gateway = (...words) => ['bin/policy.js', 'mcp', 'gateway', '--server', 'echo', '--project', project, ...words];
  const log = join(home, '.local', 'state', 'policy', 'log');
  const records = () =>
    readdirSync(log)
      .map((name) => readFileSync(join(log, name), 'latin1'))
      .reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  return { bare: join(folder, 'bare.cjs'), gateway, records, options: { env: { HOME: home, PATH: process.env.PATH } } };
}

/** Until the answer to the first message is there, from a server that has it at once. */
async function startRow({ bare, gateway, options }, rounds = 30) {
  const words = gateway('--', '/bin/sh', '-c', `read line; echo '${ANSWER}'; cat >/dev/null`);
  const pairs = [];
  for (let round = -2; round < rounds; round += 1) {
    const pair = [await untilAnswer([bare], options), await untilAnswer(words, options)];
    if (round >= 0) pairs.push(pair);
  }
  const ratio = median(pairs.map(([base, other]) => other / base));
  const [base, other] = [0, 1].map((at) => median(pairs.map((pair) => pair[at])));
  return [
    'policy mcp gateway until its first answer',
    `${(other / 1000).toFixed(1)} ms`,
    `bare node ${(base / 1000).toFixed(1)} ms`,
    verdictOf(ratio, GATES.start),
  ];
}

function untilAnswer(words, options) {
  return new Promise((done, fail) => {
    const begin = now();
    const child = spawn(process.execPath, words, { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
    let time = null;
    child.stdin.on('error', () => {});
    child.stdin.write(`${HELLO}\n`);
    child.stdout.once('data', () => {
      time = now() - begin;
      child.stdin.end();
    });
    child.once('close', () => (time === null ? fail(new Error(`${words.join(' ')} said nothing`)) : done(time)));
  });
}

async function pipesRow({ gateway, options }) {
  const ways = [[ECHO], [PUMP, process.execPath, ECHO], gateway('--', process.execPath, ECHO)];
  const clients = [];
  for (const words of ways) clients.push(await overPipes(words, options));
  const row = await callRow('MCP call through the gateway, pipes', clients);
  for (const client of clients) await client.close();
  return row;
}

async function httpRow(world) {
  const programs = [await listening([ECHO, '--http'], world.options)];
  programs.push(await listening(listener(world, programs[0].address), world.options));
  const clients = [];
  for (const { address } of programs) clients.push(await overHttp(address));
  const row = await callRow('MCP call through the gateway, HTTP', clients);
  for (const client of clients) client.close();
  for (const program of programs.reverse()) await program.end();
  return row;
}

/** Calls in turn: the first client is straight, the last goes through the gateway; one between goes through a program that does nothing. */
async function callRow(name, clients, rounds = 3000) {
  const times = clients.map(() => []);
  for (const client of clients) await client.list();
  for (let round = -rounds / 2; round < rounds; round += 1)
    for (const [at, client] of clients.entries()) {
      const begin = now();
      const message = `call ${round}`;
      if ((await client.call(message)) !== message) throw new Error('another answer came back');
      if (round >= 0) times[at].push(now() - begin);
    }
  const [direct, ...others] = times;
  const ratio = median(others.at(-1).map((time, round) => time / direct[round]));
  const between = others.length > 1 ? `, through a pump ${median(others[0]).toFixed(0)} µs` : '';
  const details = `straight ${median(direct).toFixed(0)} µs${between}`;
  return [name, `${median(others.at(-1)).toFixed(0)} µs`, details, verdictOf(ratio, GATES.call)];
}

/** Sessions at once over HTTP, each with its own connections. */
async function loadRow(world, calls) {
  const server = await listening([ECHO, '--http'], world.options);
  const program = await listening(listener(world, server.address), world.options);
  const before = world.records();
  const begin = now();
  let errors = 0;
  await Promise.all(
    Array.from({ length: SESSIONS }, async (_, session) => {
      const client = await overHttp(program.address);
      for (let call = 0; call < calls; call += 1) {
        const message = `${session} ${call}`;
        const answer = await client.call(message).catch((error) => error);
        if (answer !== message) errors += 1;
      }
      client.close();
    }),
  );
  const seconds = (now() - begin) / 1e6;
  const megabytes = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8'))?.[1]) / 1024;
  for (const one of [program, server]) await one.end();
  const lost = 2 * SESSIONS * calls - (world.records() - before);
  const isMet = errors === 0 && lost === 0 && megabytes <= MOST_MEMORY;
  return [
    `MCP, ${SESSIONS} sessions × ${calls} calls over HTTP`,
    `${((SESSIONS * calls) / seconds).toFixed(0)} calls/s`,
    `${errors} errors, ${lost} records lost`,
    `${megabytes.toFixed(0)} MB, gate ${MOST_MEMORY} MB: ${isMet ? 'met' : 'MISSED'}`,
  ];
}

function listener({ gateway }, address) {
  return gateway('--listen', '127.0.0.1:0', '--no-token', '--url', address);
}

/** Starts a program that prints its address. */
async function listening(words, options) {
  const child = spawn(process.execPath, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = new Promise((done) => child.once('close', done));
  const address = await new Promise((done) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        const found = /http:\/\/\S+/.exec(text);
        if (found !== null) done(found[0]);
      });
  });
  return {
    address,
    pid: child.pid,
    end: () => {
      child.kill();
      return gone;
    },
  };
}

const now = () => Number(process.hrtime.bigint()) / 1000;
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const verdictOf = (ratio, gate) => `${ratio.toFixed(2)}×, gate ${gate}×: ${ratio <= gate ? 'met' : 'MISSED'}`;
