// What a server or another client does over HTTP that no other client may notice.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, endGateways, listening, META, type Members, message, repeated, resultOf, send, session } from './over-http.js';

const test = suite('a hostile side over HTTP');

/** A server whose status lines Node.js would not write: `status` answers each list of tools. */
async function answeringWith(status: string): Promise<{ readonly url: string; readonly end: () => void }> {
  const server = createServer((socket) => {
    let held = '';
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      held += chunk;
      const [head = '', body = ''] = held.split('\r\n\r\n');
      if (!held.includes('\r\n\r\n') || body.length < Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) return;
      held = '';
      const { id, method = '', params } = JSON.parse(body || '{}');
      const text = id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, result: resultOf({ method, params }) });
      const line = method === 'tools/list' ? status : '200 OK';
      socket.write(`HTTP/1.1 ${line}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done).unref());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, end: () => server.close() };
}

for (const status of ['099 Odd', '600 Odd', '999 Odd'])
  test(`the gateway goes on after a status that HTTP does not have: ${status}`, async () => {
    const server = await answeringWith(status);
    const gateway = await listening(['--no-token'], server.url);
    const known = await session(gateway.port);
    const { status: passed, text } = await send(gateway.port, message(1, 'tools/list'), known);
    assert.is(passed, 200);
    assert.match(text, /read_file/);
    assert.match((await send(gateway.port, call(2, 'read_file'), known)).text, /read_file ran/);
    assert.is(await gateway.end(), 0);
    server.end();
  });

/** A client that listens to the messages of its session and reads none of them. */
async function unread(port: number, known: Readonly<Record<string, string>>): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const id = known['mcp-session-id'];
  socket.write(`GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\nMcp-Session-Id: ${id}\r\n\r\n`);
  await new Promise((done) => socket.once('readable', done));
  return socket;
}

test('what a server says after the end of its session disturbs nobody', async () => {
  const gateway = await listening();
  const [ending, other] = [await session(gateway.port), await session(gateway.port)];
  const socket = await unread(gateway.port, ending);
  const notes = { before: 60, after: 5, length: 200_000 };
  await send(gateway.port, call(1, 'read_file', { arguments: { notes } }), ending);
  assert.is((await send(gateway.port, null, ending, 'DELETE')).status, 200);
  assert.match((await send(gateway.port, call(2, 'read_file'), other)).text, /read_file ran/);
  socket.destroy();
  assert.is(await gateway.end(), 0);
});

test('a stream that its client does not read is dropped, and the client can listen again', async () => {
  const gateway = await listening();
  const known = await session(gateway.port);
  const socket = await unread(gateway.port, known);
  const notes = { before: 300, after: 0, length: 200_000 };
  assert.match((await send(gateway.port, call(1, 'read_file', { arguments: { notes } }), known)).text, /read_file ran/);
  const again = await unread(gateway.port, known);
  const ended = new Promise((done) => socket.once('close', done));
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  socket.resume();
  await ended;
  assert.ok(bytes < 40_000_000, `${bytes} of 60,000,000 bytes were kept for it`);
  again.destroy();
  await gateway.end();
});

test("a client without a session cannot cancel another one's call", async () => {
  const gateway = await listening();
  const cancelled = () => gateway.received().filter(({ method }) => method === 'notifications/cancelled');
  const leaving = new AbortController();
  const hanging = fetch(`http://127.0.0.1:${gateway.port}/mcp`, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...repeated('read_file') },
    body: JSON.stringify(call('a', 'read_file', { arguments: { hang: true }, _meta: META })),
    signal: leaving.signal,
  }).catch(() => null);
  await until(() => gateway.received().length === 1);
  const [{ id } = { id: '' }]: readonly Members[] = gateway.received();
  for (const requestId of [id, 'a'])
    await send(gateway.port, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  await send(gateway.port, call('b', 'read_file', { _meta: META }), repeated('read_file'));
  assert.equal(cancelled(), []);
  // The client's own way to cancel.
  leaving.abort();
  await hanging;
  await until(() => cancelled().length > 0);
  assert.equal(
    cancelled().map(({ params }) => params),
    [{ requestId: id }],
  );
  await gateway.end();
});

async function until(holds: () => boolean): Promise<void> {
  for (let times = 0; times < 200 && !holds(); times += 1) await new Promise((done) => setTimeout(done, 20));
  assert.ok(holds(), 'it has come by now');
}

test.after(endGateways);
test.run();
