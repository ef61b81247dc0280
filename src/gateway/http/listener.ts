/** Clients over HTTP on this machine (Streamable HTTP), each MCP session with its own connection to the server. */
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import {
  CODES,
  errorTo,
  type Id,
  isRecord,
  type Message,
  messageText,
  type Request,
  readMessage,
  revisionOf,
} from '../protocol/message.js';
import { LONGEST } from '../session/lines.js';
import { refusalOf, type SessionOptions } from '../session/session.js';
import type { Connect } from '../session/upstream.js';
import { Connection } from './connection.js';
import { contradiction, HEADER_MISMATCH } from './headers.js';
import { Reply } from './reply.js';

export interface ListenOptions extends SessionOptions {
  readonly connect: Connect;
  /** A loopback address; port 0: any that is free. */
  readonly host: string;
  readonly port: number;
  /** The token that each client has to send; null: anybody on this machine may connect. */
  readonly token: string | null;
  readonly warn: (why: string) => void;
}

const PATH = '/mcp';
const FIRST_WITHOUT_SESSIONS = '2026-07-28';
const MOST_SESSIONS = 1_000;
/** Milliseconds after which a session without requests is closed, and between two looks. */
const IDLE = 60 * 60 * 1000;
const LOOK = 60 * 1000;

/** Serves until the process is told to end; resolves to the exit code: 0, or 1 if it could not listen. */
export function serveHttp(options: ListenOptions): Promise<number> {
  // With many sessions, room for new objects would grow by 30 MB that hold nothing but garbage.
  setFlagsFromString('--semi-space-growth-factor=1');
  return new Promise((resolve) => {
    const sessions = new Sessions(options);
    const server = createServer((request, response) => {
      response.on('error', () => {});
      void answer(request, response, sessions, options).catch((error: unknown) => {
        options.warn(`it failed (internal/uncaught: ${error instanceof Error ? error.message : String(error)})`);
        response.destroy();
      });
    });
    const watch = setInterval(() => sessions.closeIdle(Date.now()), LOOK);
    const leave = (code: number) => {
      clearInterval(watch);
      server.close();
      void sessions.closeAll('policy mcp gateway ends').then(() => {
        server.closeAllConnections();
        resolve(code);
      });
    };
    server.once('error', (error) => {
      options.warn(`it cannot listen: ${error.message}`);
      leave(1);
    });
    server.listen(options.port, options.host, () => {
      const { port } = server.address() as AddressInfo;
      options.warn(`listening at http://${hostText(options.host)}:${port}${PATH}`);
    });
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => leave(0));
    // A bug must not leave servers behind that nobody judges.
    process.once('uncaughtException', (error) => {
      options.warn(`it failed (internal/uncaught: ${error.message})`);
      leave(1);
    });
  });
}

/** The MCP sessions of all clients; from 2026-07-28 clients have none, and share one connection. */
class Sessions {
  readonly #options: ListenOptions;
  readonly #byId = new Map<string, Connection>();
  #shared: Connection | null = null;

  constructor(options: ListenOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#byId.size >= MOST_SESSIONS;
  }

  find(id: string): Connection | undefined {
    return this.#byId.get(id);
  }

  begin(): Connection {
    const id = randomUUID();
    const connection = new Connection(this.#options, id, () => this.#byId.delete(id));
    if (!connection.isOver) this.#byId.set(id, connection);
    return connection;
  }

  /** The connection of clients without sessions, if there is one. */
  get current(): Connection | null {
    return this.#shared;
  }

  shared(): Connection {
    if (this.#shared === null || this.#shared.isOver) this.#shared = new Connection(this.#options, null, () => {});
    return this.#shared;
  }

  closeIdle(now: number): void {
    for (const connection of this.#byId.values())
      if (connection.isIdle && now - connection.lastUse > IDLE) void connection.close('the session was idle for an hour');
  }

  async closeAll(why: string): Promise<void> {
    const all = [...this.#byId.values(), ...(this.#shared === null ? [] : [this.#shared])];
    await Promise.all(all.map((connection) => connection.close(why)));
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Sessions,
  options: ListenOptions,
): Promise<void> {
  const refuse = (status: number, why: string, headers = {}) =>
    refuseWith(response, status, errorTo(null, CODES.closed, why), headers);
  const foreign = foreignTo(request);
  if (foreign !== null) return refuse(403, foreign);
  if (!isKnown(request, options.token)) return refuse(401, 'the token is missing or wrong', { 'www-authenticate': 'Bearer' });
  if (new URL(request.url ?? '', 'http://localhost').pathname !== PATH) return refuse(404, `the address is ${PATH}`);
  const id = request.headers['mcp-session-id'];
  const connection = typeof id === 'string' ? sessions.find(id) : undefined;
  if (id !== undefined && connection === undefined) return refuse(404, 'there is no such session');
  switch (request.method) {
    case 'POST':
      return await posted(request, response, connection, sessions);
    case 'GET':
      if (!accepts(request, 'text/event-stream')) return refuse(406, 'the client must accept text/event-stream');
      if (connection === undefined) return refuse(400, 'the header Mcp-Session-Id is missing');
      if (!connection.listen(response)) return refuse(409, 'the session already has such a stream');
      return;
    case 'DELETE':
      if (connection === undefined) return refuse(400, 'the header Mcp-Session-Id is missing');
      await connection.close('the client ended the session');
      response.writeHead(200).end();
      return;
    default:
      return refuse(405, 'no such method', { allow: 'GET, POST, DELETE' });
  }
}

async function posted(
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection | undefined,
  sessions: Sessions,
): Promise<void> {
  const refuse = (status: number, message: Message) => refuseWith(response, status, message);
  const sentence = (status: number, why: string, id: Id | null = null) => refuse(status, errorTo(id, CODES.closed, why));
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? ''))
    return sentence(415, 'the content type must be application/json');
  if (!accepts(request, 'application/json') || !accepts(request, 'text/event-stream'))
    return sentence(406, 'the client must accept application/json and text/event-stream');
  await (connection ?? sessions.current)?.ready();
  const text = await bodyOf(request);
  if (text === null) return sentence(413, 'the message is too long, or not UTF-8');
  const message = readMessage(text, true);
  if (message.kind === 'unread') return refuse(400, refusalOf(message));
  const revision = message.kind === 'request' ? revisionOf(message) : null;
  if (message.kind === 'request' && message.method === 'initialize' && revision === null) {
    if (sessions.isFull) return sentence(503, 'too many sessions');
    return sessions.begin().request(message, new Reply(response, message, revision));
  }
  const isStateless = revision !== null || String(request.headers['mcp-protocol-version'] ?? '') >= FIRST_WITHOUT_SESSIONS;
  const used = connection ?? (isStateless || message.kind === 'notification' ? sessions.shared() : null);
  if (used === null) return sentence(400, 'the header Mcp-Session-Id is missing', message.kind === 'request' ? message.id : null);
  if (message.kind !== 'request') {
    used.take(message);
    response.writeHead(202).end();
    return;
  }
  if (connection === undefined && !hasEnvelope(message))
    return refuse(
      400,
      errorTo(message.id, CODES.params, `policy refused ${message.method}: its _meta lacks information about the client`),
    );
  const wrong = contradictionOf(message, used, request);
  if (wrong !== null) return refuse(400, errorTo(message.id, HEADER_MISMATCH, `policy refused ${message.method}: ${wrong}`));
  used.request(message, new Reply(response, message, revision));
}

/** Whether a request without a session says what a session would have said at its begin. */
function hasEnvelope(request: Request): boolean {
  const meta = request.params?._meta;
  return revisionOf(request) !== null && isRecord(meta) && isRecord(meta['io.modelcontextprotocol/clientCapabilities']);
}

function contradictionOf(message: Request, connection: Connection, { headers }: IncomingMessage): string | null {
  const tool = message.method === 'tools/call' ? message.params?.name : undefined;
  return contradiction(message, typeof tool === 'string' ? connection.schemaOf(tool) : undefined, headers);
}

/** Web pages reach this machine, too: under another host name (DNS rebinding), or with their origin. Returns what is foreign. */
function foreignTo({ headers, socket }: IncomingMessage): string | null {
  const { host, origin } = headers;
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${socket.localPort}`);
  if (host === undefined || !own.includes(host.toLowerCase())) return 'the header Host names another machine';
  if (origin === undefined) return null;
  return own.some((name) => origin.toLowerCase() === `http://${name}`) ? null : 'the header Origin names another page';
}

function isKnown({ headers }: IncomingMessage, token: string | null): boolean {
  if (token === null) return true;
  const given = Buffer.from(headers.authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function accepts({ headers }: IncomingMessage, type: string): boolean {
  const types = (headers.accept ?? '').split(',').map((one) => one.split(';')[0]?.trim().toLowerCase());
  return types.some((one) => one === type || one === '*/*');
}

/** The body of a request; null if it is too long, broken or not UTF-8. */
function bodyOf(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve) => {
    // It may have been broken off before anybody read it.
    if (request.destroyed) return resolve(null);
    const parts: Buffer[] = [];
    let length = 0;
    request.on('data', (part: Buffer) => {
      length += part.length;
      if (length <= LONGEST) parts.push(part);
      else resolve(null);
    });
    request.once('error', () => resolve(null));
    request.once('end', () => {
      try {
        resolve(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)));
      } catch {
        resolve(null);
      }
    });
  });
}

function refuseWith(response: ServerResponse, status: number, message: Message, headers = {}): void {
  // What the client still sends is not read.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers }).end(messageText(message));
}

function hostText(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
