// What waits between a client over HTTP and its server is bounded, and neither is asked in a busy loop.
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Connection } from '../../src/gateway/http/connection.js';
import { remoteServer } from '../../src/gateway/http/remote-server.js';
import type { Message } from '../../src/gateway/protocol/message.js';
import type { Upstream, UpstreamEvents } from '../../src/gateway/session/upstream.js';
import { plainly, remote } from './over-http.js';

const test = suite('the flow between two sides');
const MEBIBYTE = 1024 * 1024;
const NOTE = (length: number) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x'.repeat(length) } });

/** A client's connection to a server that is played here. */
function connection(reads: () => boolean) {
  let events: UpstreamEvents | null = null;
  const upstream: Upstream = { send: reads, kill: () => {}, end: async () => {} };
  const warned: string[] = [];
  const judge = {
    judge: () => ({ effect: 'deny', text: '', end: () => {} }) as const,
    isDenied: () => false,
    visible: (names: readonly string[]) => new Set(names),
  };
  const connect = (given: UpstreamEvents) => {
    events = given;
    return upstream;
  };
  const warn = (why: string) => warned.push(why);
  const made = new Connection({ judge, server: 's', denyAs: 'result', connect, warn }, 'one', () => {});
  const server = () => events as unknown as UpstreamEvents;
  return { made, warned, server };
}

/** A response that is not read: what was written waits. */
function unreadResponse() {
  const written: string[] = [];
  const response = {
    writableLength: 0,
    isDestroyed: false,
    writeHead: () => response,
    flushHeaders: () => {},
    once: () => response,
    end: () => response,
    write: (text: string) => {
      written.push(text);
      response.writableLength += text.length;
      return false;
    },
    destroy: () => {
      response.isDestroyed = true;
    },
  };
  return { response, written, asResponse: response as unknown as ServerResponse };
}

test('what waits for a client that does not listen is bounded by its length', () => {
  const { made, warned, server } = connection(() => true);
  for (let note = 0; note < 20; note += 1) server().received(NOTE(MEBIBYTE), null, null);
  assert.is(warned.length, 13);
  const { written, asResponse } = unreadResponse();
  assert.ok(made.listen(asResponse));
  assert.is(written.length, 7);
  server().received(NOTE(1), null, null);
  assert.is(written.length, 8, 'a stream that is read goes on');
});

test('a stream that is not read is dropped, and what follows waits for the next one', () => {
  const { made, server } = connection(() => true);
  const first = unreadResponse();
  assert.ok(made.listen(first.asResponse));
  assert.not(made.listen(unreadResponse().asResponse));
  for (let note = 0; note < 12; note += 1) server().received(NOTE(MEBIBYTE), null, null);
  assert.ok(first.response.isDestroyed);
  assert.is(first.written.length, 8);
  const second = unreadResponse();
  assert.ok(made.listen(second.asResponse));
  assert.is(second.written.length, 4);
});

test('nothing more is taken from clients while the server does not read', async () => {
  let reads = false;
  const { made, server } = connection(() => reads);
  await made.ready();
  made.take({ kind: 'notification', method: 'notifications/progress', params: {} });
  let isReady = false;
  const ready = made.ready().then(() => {
    isReady = true;
  });
  await new Promise((done) => setImmediate(done));
  assert.not(isReady);
  reads = true;
  server().drained();
  await ready;
  made.take({ kind: 'notification', method: 'notifications/progress', params: {} });
  await made.ready();
  reads = false;
  made.take({ kind: 'notification', method: 'notifications/progress', params: {} });
  const ending = made.ready();
  await made.close('over');
  await ending;
  await made.ready();
});

const SILENT = { received: () => {}, drained: () => {}, ended: () => {}, schemaOf: () => undefined };
const said = (message: Message, upstream: Upstream) => upstream.send(message, JSON.stringify({ jsonrpc: '2.0', ...message }));

test('a server at an address that does not read holds up its client until it does', async () => {
  const sockets: Socket[] = [];
  let isReading = false;
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    if (isReading) socket.resume();
    else socket.pause();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  let drained = 0;
  const events = {
    ...SILENT,
    drained: () => {
      drained += 1;
    },
  };
  const upstream = remoteServer({ url, headers: {}, warn: () => {} })(events);
  const params = { data: 'x'.repeat(5 * MEBIBYTE) };
  const sends = () => said({ kind: 'notification', method: 'notifications/progress', params }, upstream);
  assert.ok(sends());
  const later = Array.from({ length: 5 }, sends);
  assert.equal(later, [false, false, false, false, false]);
  await new Promise((done) => setTimeout(done, 100));
  assert.is(drained, 0);
  isReading = true;
  for (const socket of sockets) socket.resume();
  for (let times = 0; times < 200 && drained === 0; times += 1) await new Promise((done) => setTimeout(done, 20));
  assert.is(drained, 1);
  upstream.kill();
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('a server that wants to be asked again at once is not asked in a busy loop', async () => {
  const server = await remote((given, response) => {
    if (given.method?.startsWith('GET'))
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 0\nid: 1\ndata: x\n\n');
    else plainly(given, response);
  });
  const upstream = remoteServer({ url: new URL(server.url), headers: {}, warn: () => {} })(SILENT);
  said({ kind: 'request', id: 1, method: 'initialize', params: {} }, upstream);
  said({ kind: 'notification', method: 'notifications/initialized', params: {} }, upstream);
  await new Promise((done) => setTimeout(done, 1_500));
  upstream.kill();
  server.end();
  const asked = server.received.filter((one) => String(one).startsWith('GET')).length;
  assert.ok(asked >= 2 && asked <= 9, `it was asked ${asked} times in 1.5 seconds`);
});

test.run();
