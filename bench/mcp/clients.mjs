// Minimal MCP clients: one message at a time, on the standard input and output of a program, or to an address.
import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';

const HELLO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } };

/** Starts a server and greets it. `call` resolves to the text that the tool `echo` gave back; `close` when the program is gone. */
export async function overPipes(words, options) {
  const child = spawn(process.execPath, words, { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
  const gone = new Promise((resolve) => child.once('close', resolve));
  let heard = () => {};
  let held = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    held += part;
    for (let end = held.indexOf('\n'); end >= 0; end = held.indexOf('\n')) {
      const line = held.slice(0, end);
      held = held.slice(end + 1);
      heard(line);
    }
  });
  let calls = 0;
  const ask = (method, params) =>
    new Promise((resolve) => {
      heard = (line) => resolve(JSON.parse(line));
      calls += 1;
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: calls, method, params })}\n`);
    });
  await ask('initialize', HELLO);
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    pid: child.pid,
    list: () => ask('tools/list', {}),
    call: async (message) => textOf(await ask('tools/call', { name: 'echo', arguments: { message } })),
    close: () => {
      child.stdin.end();
      return gone;
    },
  };
}

/** Begins a session at an address, over one connection that is kept. */
export async function overHttp(address) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  let calls = 0;
  const post = (message) =>
    new Promise((resolve, reject) => {
      const sent = request(address, { method: 'POST', agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        response.once('end', () => {
          const id = response.headers['mcp-session-id'];
          if (id !== undefined) headers['mcp-session-id'] = id;
          const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
          resolve(data === '' ? null : JSON.parse(data));
        });
      });
      sent.once('error', reject);
      sent.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
    });
  const ask = (method, params) => {
    calls += 1;
    return post({ id: calls, method, params });
  };
  await ask('initialize', HELLO);
  await post({ method: 'notifications/initialized' });
  return {
    list: () => ask('tools/list', {}),
    call: async (message) => textOf(await ask('tools/call', { name: 'echo', arguments: { message } })),
    close: () => agent.destroy(),
  };
}

function textOf({ result, error }) {
  if (error !== undefined || result.isError) throw new Error(JSON.stringify(error ?? result));
  return result.content[0].text;
}
