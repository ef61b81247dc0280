// `policy mcp gateway` with HTTP on either side, as a process: what the server has received is its own record.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMAND } from '../cli/spawned.js';
import {
  type Answering,
  call,
  endGateways,
  folder,
  type Gateway,
  HELLO,
  json,
  listening,
  META,
  type Members,
  message,
  plainly,
  remote,
  repeated,
  resultOf,
  send,
  session,
} from './over-http.js';
import { SMUGGLED } from './smuggling.js';

const test = suite('the gateway over HTTP');
/** What a strict reader may pass: nothing that calls `move_file`, or that is no method of the protocol. */
function assertHarmless(received: readonly (Members | string)[], allowed: number): void {
  const messages = received.filter((one): one is Members => typeof one !== 'string');
  for (const { method, params } of messages)
    assert.ok(
      /^(?:initialize|ping|notifications\/\w+)$/.test(String(method)) ||
        (method === 'tools/call' && (params as Members).name === 'read_file'),
      JSON.stringify({ method, params }),
    );
  assert.is(messages.filter(({ method }) => method === 'tools/call').length, allowed);
}

const allowedBy = (records: readonly Members[]) =>
  records.filter(({ kind, decision }) => kind === 'decision' && decision === 'allow').length;

for (const upstream of ['a command', 'an address'])
  test(`no smuggled message reaches ${upstream} but as what was judged`, async () => {
    const server = upstream === 'an address' ? await remote() : null;
    const gateway = await listening(['--no-token'], server?.url ?? null);
    const known = await session(gateway.port);
    for (const { text, kind } of SMUGGLED) {
      const { status } = await send(gateway.port, text, known);
      assert.ok([200, 202, 400, 413].includes(status), `${kind}: ${status}`);
      // Without a session, as from 2026-07-28.
      await send(gateway.port, text, repeated('read_file'));
      await send(gateway.port, text, repeated('move_file'));
    }
    assertHarmless(server?.received ?? gateway.received(), allowedBy(gateway.records()));
    assert.is(await gateway.end(), 0);
    server?.end();
  });

test('a call over HTTP is judged, logged with its result, and answered', async () => {
  const gateway = await listening();
  const known = await session(gateway.port);
  const list = await send(gateway.port, message(1, 'tools/list'), known);
  assert.match(list.text, /^(?!.*move_file).*read_file.*write_file/s);
  assert.match((await send(gateway.port, call(2, 'read_file'), known)).text, /read_file ran/);
  assert.match(
    (await send(gateway.port, call(3, 'move_file'), known)).text,
    /policy denied mcp__files__move_file.*"isError":true/,
  );
  assert.is((await send(gateway.port, call(4, 'write_file', { arguments: { path: 7 } }), known)).messages[0]?.id, 4);
  assert.equal(
    gateway.records().map(({ tool, decision, result }) => [tool, decision ?? result]),
    [
      ['mcp__files__read_file', 'allow'],
      ['mcp__files__read_file', 'success'],
      ['mcp__files__move_file', 'deny'],
      ['mcp__files__move_file', 'denied'],
    ],
  );
  await gateway.end();
});

test('a tool that only some rule with a pattern allows is listed, the others are not', async () => {
  for (const allow of ['mcp__files__write_file(notes.txt)', 'mcp__files__write_file(path: notes*)', 'mcp__files__write_file']) {
    const gateway = await listening(['--no-token'], null, {}, `version: 1\ndefault: deny\nallow: ['${allow}']\n`);
    const known = await session(gateway.port);
    const { text } = await send(gateway.port, message(1, 'tools/list'), known);
    assert.match(text, /^(?!.*(?:move|read)_file).*write_file/s, allow);
    assert.match((await send(gateway.port, call(2, 'write_file'), known)).text, /write_file ran/);
    const other = call(3, 'write_file', { arguments: { path: 'other' } });
    assert.is(/write_file ran/.test((await send(gateway.port, other, known)).text), !allow.includes('('), allow);
    await gateway.end();
  }
});

const FOREIGN: readonly (readonly [what: string, headers: Readonly<Record<string, string>>])[] = [
  ['another host name', { host: 'evil.example' }],
  ['another host name with the port', { host: 'localhost.evil.example:80' }],
  ['an address of the network', { host: '192.168.1.7:80' }],
  ['another origin', { origin: 'https://evil.example' }],
  ['an origin that is none', { origin: 'null' }],
  ['a page on another port of this machine', { origin: 'http://localhost:1' }],
];
test('a web page reaches nothing (DNS rebinding)', async () => {
  const gateway = await listening();
  for (const [what, headers] of FOREIGN) assert.is((await send(gateway.port, HELLO, headers)).status, 403, what);
  assert.equal(gateway.received(), []);
  for (const host of ['localhost', '127.0.0.1', 'LOCALHOST'])
    assert.is(
      (await send(gateway.port, HELLO, { host: `${host}:${gateway.port}`, origin: `http://${host}:${gateway.port}` })).status,
      200,
      host,
    );
  await gateway.end();
});

test('with --token every request has to bring it', async () => {
  const gateway = await listening(['--token', 'GATE'], null, { GATE: 'geheim-1' });
  for (const authorization of [
    null,
    'Bearer',
    'Bearer geheim-',
    'Bearer geheim-12',
    'bearer geheim-1',
    'geheim-1',
    'Basic geheim-1',
  ])
    for (const method of ['POST', 'GET', 'DELETE'])
      assert.is(
        (await send(gateway.port, method === 'POST' ? HELLO : null, { authorization }, method)).status,
        401,
        `${method} ${authorization}`,
      );
  assert.equal(gateway.received(), []);
  const known = await session(gateway.port, { authorization: 'Bearer geheim-1' });
  assert.match((await send(gateway.port, call(1, 'read_file'), known)).text, /read_file ran/);
  assert.is((await send(gateway.port, call(1, 'read_file'), { ...known, authorization: null })).status, 401);
  await gateway.end();
});

test('each session has its own server, and ends with it', async () => {
  const gateway = await listening();
  const [one, two] = [await session(gateway.port), await session(gateway.port)];
  assert.is.not(one['mcp-session-id'], two['mcp-session-id']);
  assert.is((await send(gateway.port, null, one, 'DELETE')).status, 200);
  assert.is((await send(gateway.port, call(1, 'read_file'), one)).status, 404);
  assert.match((await send(gateway.port, call(1, 'read_file'), two)).text, /read_file ran/);
  assert.match(
    (await send(gateway.port, call(2, 'read_file', { arguments: { exit: 3 } }), two)).text,
    /the server ended with exit code 3/,
  );
  assert.is((await send(gateway.port, call(3, 'read_file'), two)).status, 404);
  assert.is((await send(gateway.port, call(3, 'read_file'))).status, 400, 'no session at all');
  await gateway.end();
  const left = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isServerOf(pid, gateway));
  assert.equal(left, [], 'no server is left');
});

function isServerOf(pid: string, { child }: Gateway): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(child.pid);
  } catch {
    return false;
  }
}

test('clients without sessions get their own answers, whatever ids they choose', async () => {
  const gateway = await listening();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      send(
        gateway.port,
        call('same', 'read_file', { arguments: { path: `${at}`, say: `${at}` }, _meta: META }),
        repeated('read_file'),
      ),
    ),
  );
  for (const { status, messages } of answers) {
    assert.is(status, 200);
    assert.equal(
      messages.map(({ id }) => id),
      ['same'],
    );
  }
  const ids = gateway.received().map(({ id }) => id);
  assert.is(new Set(ids).size, 20);
  await gateway.end();
});

/** Headers that contradict the message in which `read_file` is called; the message decides, and nothing reaches the server. */
const CONTRADICTIONS: readonly Readonly<Record<string, string | null>>[] = [
  ...['move_file', 'Read_file', 'read_file,read_file', '=?base64?bW92ZV9maWxl?=', '=?base64?%%%?=', '', ' '].map((name) => ({
    'mcp-name': name,
  })),
  ...['tools/list', 'TOOLS/CALL', 'tools/call, ping', 'ping'].map((method) => ({ 'mcp-method': method })),
  ...['2025-11-25', '2026-07-29', '2026-07-28, 2025-11-25'].map((version) => ({ 'mcp-protocol-version': version })),
  ...['mcp-name', 'mcp-method', 'mcp-protocol-version'].map((name) => ({ [name]: null })),
];
test('headers that say something else than the message are refused', async () => {
  const server = await remote();
  const gateway = await listening(['--no-token'], server.url);
  for (const headers of CONTRADICTIONS) {
    const { status, text } = await send(gateway.port, call(1, 'read_file', { _meta: META }), {
      ...repeated('read_file'),
      ...headers,
    });
    assert.is(status, 400, JSON.stringify(headers));
    assert.match(text, /"code":-32(?:020|602|000)/);
  }
  assert.equal(server.received, []);
  for (const name of ['read_file', '=?base64?cmVhZF9maWxl?='])
    assert.is((await send(gateway.port, call(1, 'read_file', { _meta: META }), repeated(name))).status, 200, name);
  assert.equal(
    server.headers.map((one) => [one['mcp-name'], one['mcp-method']]),
    [
      ['read_file', 'tools/call'],
      ['read_file', 'tools/call'],
    ],
  );
  await gateway.end();
  server.end();
});

test('the server gets the headers that the launch names, and none of the client', async () => {
  const server = await remote();
  const gateway = await listening(['--no-token', '--header', 'Authorization=MY-KEY'], server.url, { 'MY-KEY': 'Bearer own' });
  const known = await session(gateway.port, { authorization: 'Bearer foreign', cookie: 'a=b', 'x-forwarded-for': '1.2.3.4' });
  await send(gateway.port, call(1, 'read_file'), known);
  for (const { authorization, cookie, 'x-forwarded-for': forwarded } of server.headers)
    assert.equal([authorization, cookie, forwarded], ['Bearer own', undefined, undefined]);
  await gateway.end();
  server.end();
});

/** A client on standard input and output. */
function onStdio(
  url: string,
  isHidden = false,
): {
  readonly ask: (given: Members) => Promise<Members>;
  readonly end: () => Promise<number | null>;
  readonly errors: () => string;
} {
  const place = folder();
  const child = spawn(
    process.execPath,
    [COMMAND, 'mcp', 'gateway', '--server', 'files', ...(isHidden ? ['--url-from', 'A'] : ['--url', url])],
    {
      cwd: join(place, 'work'),
      env: { PATH: process.env.PATH ?? '', HOME: join(place, 'home'), A: url },
    },
  );
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  child.stdin.on('error', () => {});
  const waiting = new Map<unknown, (answer: Members) => void>();
  let held = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${held}${chunk}`.split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) {
      const answer = JSON.parse(line);
      waiting.get(answer.id)?.(answer);
    }
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return {
    errors: () => errors,
    ask: (given) =>
      new Promise((done) => {
        waiting.set(given.id, done);
        child.stdin.write(`${JSON.stringify(given)}\n`);
      }),
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}

const stream = (response: ServerResponse, text: string) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
const event = (body: object, id = '') => `${id === '' ? '' : `id: ${id}\n`}data: ${JSON.stringify(body)}\n\n`;
const ran = (id: unknown) => ({ jsonrpc: '2.0', id, result: resultOf({ method: 'tools/call', params: { name: 'read_file' } }) });

/** Ways in which a server at an address answers a call, with what the client gets. */
const ANSWERS: readonly (readonly [what: string, answer: Answering, expected: RegExp])[] = [
  ['one message', ({ id }, response) => json(response, ran(id)), /read_file ran/],
  ['a stream', ({ id }, response) => stream(response, event(ran(id))), /read_file ran/],
  [
    'a stream with a comment, an event of another kind and a progress',
    ({ id }, response) =>
      stream(
        response,
        `: hello\n\nevent: other\ndata: x\n\n${event({ jsonrpc: '2.0', method: 'notifications/progress', params: {} })}${event(ran(id))}`,
      ),
    /read_file ran/,
  ],
  [
    'a stream that breaks and goes on',
    ({ id, method }, response, headers) => {
      if (method === 'tools/call') stream(response, `retry: 20\nid: e1-${id}\ndata:\n\n`);
      else if (headers['last-event-id'] !== undefined)
        stream(response, event(ran(Number(String(headers['last-event-id']).slice(3)))));
      else response.writeHead(405).end();
    },
    /read_file ran/,
  ],
  ['a stream that ends too early', (_, response) => stream(response, ': nothing\n\n'), /"error".*ended its answer too early/],
  ['the answer to another request', (_, response) => json(response, ran('other')), /"error".*HTTP 200/],
  ['no JSON', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'), /"error".*HTTP 200/],
  [
    'an error of the protocol without an id',
    (_, response) => json(response, { jsonrpc: '2.0', id: null, error: { code: -32020, message: 'no' } }, {}, 400),
    /-32020/,
  ],
  ['a sign-in', (_, response) => response.writeHead(401).end(), /"error".*sign-in/],
  [
    'another address',
    (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:9/mcp' }).end(),
    /"error".*HTTP 307/,
  ],
  ['a failure', (_, response) => response.writeHead(503).end(), /"error".*HTTP 503/],
  ['nothing: it hangs up', (_, response) => response.destroy(), /"error".*cannot be reached/],
];
for (const [what, answer, expected] of ANSWERS)
  test(`a client on standard input, a server at an address that answers with ${what}`, async () => {
    const server = await remote((given, response, headers) =>
      given.method === 'tools/call' || headers['last-event-id'] !== undefined
        ? answer(given, response, headers)
        : plainly(given, response),
    );
    const client = onStdio(server.url);
    await client.ask(HELLO);
    assert.match(JSON.stringify(await client.ask(call(2, 'read_file'))), expected);
    assert.match(JSON.stringify(await client.ask(call(3, 'move_file'))), /policy denied/);
    assert.is(await client.end(), 0);
    assert.is(server.received.at(-1), 'DELETE', 'the session is ended');
    assert.not(server.received.some((one) => JSON.stringify(one).includes('move_file')));
    server.end();
  });

test('a server that has forgotten the session ends the gateway, so that the client begins again', async () => {
  const server = await remote((given, response) =>
    given.method === 'tools/call' ? json(response, {}, {}, 404) : plainly(given, response),
  );
  const client = onStdio(server.url);
  await client.ask(HELLO);
  assert.match(JSON.stringify(await client.ask(call(2, 'read_file'))), /"error".*ended the session/);
  assert.is(await client.end(), 1);
  server.end();
});

test('a server without a session is asked without one', async () => {
  const server = await remote(({ id, method, params }, response) =>
    id === undefined
      ? response.writeHead(202).end()
      : json(response, { jsonrpc: '2.0', id, result: resultOf({ method, params }) }),
  );
  const client = onStdio(server.url, true);
  await client.ask(HELLO);
  assert.match(JSON.stringify(await client.ask(call(2, 'read_file', { _meta: META }))), /read_file ran/);
  assert.is(await client.end(), 0);
  assert.not(server.received.includes('DELETE'));
  assert.is(server.headers.at(-1)?.['mcp-protocol-version'], '2026-07-28');
  server.end();
});

const WRONG: readonly (readonly [words: readonly string[], why: RegExp])[] = [
  [['--listen', '0.0.0.0:80', '--no-token', '--url', 'http://a'], /address of this machine/],
  [['--listen', '127.0.0.1:1', '--url', 'http://a'], /every program on this machine/],
  [['--listen', '127.0.0.1:1', '--token', 'T', '--no-token', '--url', 'http://a'], /every program on this machine/],
  [['--listen', '127.0.0.1:1', '--token', 'NOT_SET', '--url', 'http://a.example'], /NOT_SET has no token/],
  [['--no-token', '--url', 'http://a'], /go with --listen/],
  [['--url', 'file:///etc/passwd'], /not an http or https address/],
  [['--url-from', 'A'], /--server must name the server/],
  [['--server', 'a', '--url-from', 'NOT_SET'], /NOT_SET has no address of http or https/],
  [['--server', 'a', '--url-from', 'HOME'], /HOME has no address of http or https without a password$/m],
  [['--url-from', 'A', '--url', 'http://a'], /not both/],
  [['--url', 'http://u:p@a.example'], /password/],
  [['--url', 'http://a.example', '--header', 'Authorization: Bearer x'], /NAME=VARIABLE/],
  [['--url', 'http://a.example', '--header', 'A=NOT_SET'], /NOT_SET has no value/],
  [['--url', 'http://a.example', '--', 'cat'], /not both/],
  [['--header', 'A=B', '--', 'cat'], /--url/],
];
for (const [words, why] of WRONG)
  test(`refused: ${words.join(' ')}`, async () => {
    const place = folder();
    const child = spawn(process.execPath, [COMMAND, 'mcp', 'gateway', ...words], {
      cwd: join(place, 'work'),
      env: { PATH: process.env.PATH ?? '', HOME: join(place, 'home') },
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      errors += chunk;
    });
    assert.is(await new Promise((done) => child.once('close', done)), 3, errors);
    assert.match(errors, why);
  });

test.after(endGateways);
test.run();
