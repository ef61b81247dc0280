// The gateway with HTTP on either side as a process, its clients, and servers at an address, which keep what they have received.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { CLEAN_REPOSITORY, COMMAND, scratch } from '../cli/spawned.js';

const SERVER = resolve('test/fixtures/mcp/server.mjs');
const POLICY = `version: 1
allow: [mcp__files__read_file, mcp__files__write_file(notes.txt)]
deny: [mcp__files__move_file]
`;
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
export const META = { [VERSION]: '2026-07-28', [CAPABILITIES]: {} };

export type Members = Readonly<Record<string, unknown>>;
export const message = (id: number | string, method: string, params?: Members) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});
export const call = (id: number | string, name: string, more: Members = {}) =>
  message(id, 'tools/call', { name, arguments: { path: 'notes.txt' }, ...more });
export const HELLO = message('hello', 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 't', version: '1' },
});

export const folder = (policy = POLICY): string =>
  realpathSync(
    scratch({
      'home/.config/policy/policy.yaml': policy,
      ...Object.fromEntries(Object.entries(CLEAN_REPOSITORY).map(([name, text]) => [`work/${name}`, text])),
    }),
  );

export interface Gateway {
  readonly child: ChildProcess;
  readonly port: number;
  readonly errors: () => string;
  readonly received: () => readonly Members[];
  readonly records: () => readonly Members[];
  /** Ends the gateway; resolves to its exit code. */
  readonly end: () => Promise<number | null>;
}

const started: ChildProcess[] = [];

/** For the end of a suite: a test that failed must not leave a gateway behind, which would keep this process alive. */
export function endGateways(): void {
  for (const child of started) child.kill('SIGKILL');
}

/** Starts a gateway that listens; its server is the sample server, or the one at an address. */
export async function listening(
  options: readonly string[] = ['--no-token'],
  url: string | null = null,
  env = {},
  policy = POLICY,
): Promise<Gateway> {
  const place = folder(policy);
  const record = join(place, 'received');
  const upstream = url === null ? ['--', process.execPath, SERVER, record] : ['--url', url];
  const child = spawn(
    process.execPath,
    [COMMAND, 'mcp', 'gateway', '--server', 'files', '--listen', '127.0.0.1:0', ...options, ...upstream],
    {
      cwd: join(place, 'work'),
      env: { PATH: process.env.PATH ?? '', HOME: join(place, 'home'), ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let errors = '';
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const port = await new Promise<number>((done) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      errors += chunk;
      const found = /listening at http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(errors)?.[1];
      if (found !== undefined) done(Number(found));
    });
    child.once('close', () => done(0));
  });
  started.push(child);
  const log = join(place, 'home/.local/state/policy/log');
  const lines = (file: string) => readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return {
    child,
    port,
    errors: () => errors,
    received: () => (existsSync(record) ? lines(record).map((line) => JSON.parse(line)) : []),
    records: () =>
      (existsSync(log) ? readdirSync(log) : [])
        .filter((name) => name.endsWith('.jsonl'))
        .flatMap((name) => lines(join(log, name)).map((line) => JSON.parse(line))),
    end: () => {
      child.kill();
      return ended;
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The messages of the body. */
  readonly messages: readonly Members[];
}

const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** Sends an HTTP request; `headers` replace the usual ones, and null leaves one out. */
export function send(
  port: number,
  body: string | object | null,
  headers: Readonly<Record<string, string | null>> = {},
  method = 'POST',
): Promise<Answer> {
  const all = Object.entries({ ...ACCEPT, ...headers }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return new Promise((done, failed) => {
    const sent = request({ port, host: '127.0.0.1', path: '/mcp', method, headers: Object.fromEntries(all) }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('end', () => {
        const isStream = response.headers['content-type'] === 'text/event-stream';
        const parts = isStream ? text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : [])) : [text];
        const messages = parts.filter((part) => part.startsWith('{')).map((part) => JSON.parse(part));
        done({ status: response.statusCode ?? 0, headers: response.headers, text, messages });
      });
    });
    sent.once('error', failed);
    sent.end(body === null ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  });
}

export async function session(port: number, headers = {}): Promise<Record<string, string>> {
  const { headers: got, text } = await send(port, HELLO, headers);
  const id = got['mcp-session-id'];
  assert.type(id, 'string', text);
  await send(port, { jsonrpc: '2.0', method: 'notifications/initialized' }, { ...headers, 'mcp-session-id': String(id) });
  return { ...headers, 'mcp-session-id': String(id) };
}

/** The headers that a message of 2026-07-28 repeats. */
export const repeated = (name: string, method = 'tools/call') => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  'mcp-name': name,
});

export type Answering = (
  given: Members & { readonly id?: unknown; readonly method?: string },
  response: ServerResponse,
  headers: IncomingHttpHeaders,
) => void;

export interface Remote {
  readonly url: string;
  /** Each message that came, and each method of HTTP but POST. */
  readonly received: (Members | string)[];
  readonly headers: IncomingHttpHeaders[];
  readonly end: () => void;
}

/** An MCP server over HTTP in this process. */
export async function remote(answering: Answering = plainly): Promise<Remote> {
  const received: (Members | string)[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((incoming: IncomingMessage, response) => {
    let body = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    incoming.once('end', () => {
      const given =
        incoming.method === 'POST' ? JSON.parse(body) : `${incoming.method} ${incoming.headers['last-event-id'] ?? ''}`.trim();
      received.push(given);
      headers.push(incoming.headers);
      answering(typeof given === 'string' ? { method: given } : given, response, incoming.headers);
    });
  });
  // A test that fails must not keep the process alive.
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done).unref());
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, received, headers, end };
}

export function json(response: ServerResponse, body: object, headers = {}, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function resultOf({ method, params }: Members): Members {
  if (method === 'initialize')
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'remote', version: '1' } };
  if (method === 'tools/list')
    return { tools: ['read_file', 'move_file'].map((name) => ({ name, inputSchema: { type: 'object' } })) };
  return { content: [{ type: 'text', text: `${(params as Members)?.name} ran` }] };
}

export function plainly({ id, method, params }: Members, response: ServerResponse): void {
  if (id === undefined) response.writeHead(method === 'GET' ? 405 : 202).end();
  else
    json(
      response,
      { jsonrpc: '2.0', id, result: resultOf({ method, params }) },
      method === 'initialize' ? { 'mcp-session-id': 's1' } : {},
    );
}
