/** An MCP server at an address (Streamable HTTP): each message is a POST, and the answer is one message or a stream of them. */
import * as http from 'node:http';
import * as https from 'node:https';
import { createParser } from 'eventsource-parser';
import { CODES, errorTo, type Id, type Message, messageText, readMessage, revisionOf } from '../protocol/message.js';
import { LONGEST } from '../session/lines.js';
import type { Connect, Upstream, UpstreamEvents } from '../session/upstream.js';
import { headersOf } from './headers.js';

export interface RemoteOptions {
  readonly url: URL;
  /** Headers of every request, with secrets among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly warn: (why: string) => void;
}

/** Milliseconds until a stream that broke is opened again, unless the server says how many; and how often in a row. */
const PAUSE = 1_000;
const LEAST_PAUSE = 200;
const LONGEST_PAUSE = 60_000;
const MOST_ATTEMPTS = 5;
/** Milliseconds for the server to take the end of a session. */
const PATIENCE = 2_000;
/** Characters on their way to the server, above which its client has to wait. */
const MOST_UNSENT = 8 * 1024 * 1024;
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;
const REVISION = /^[\w.-]{1,40}$/;

export function remoteServer(options: RemoteOptions): Connect {
  return (events) => new RemoteServer(options, events);
}

/** An answer that is being read: of the client's request `about`; null: the stream for messages that belong to none. */
interface Stream {
  readonly about: Id | null;
  lastEvent: string | null;
  pause: number;
  attempts: number;
  isAnswered: boolean;
}

function newStream(about: Id | null): Stream {
  return { about, lastEvent: null, pause: PAUSE, attempts: 0, isAnswered: false };
}

class RemoteServer implements Upstream {
  readonly #options: RemoteOptions;
  readonly #events: UpstreamEvents;
  readonly #agent: http.Agent;
  /** Requests under way, by the client's id; each key that is an object stands for a message without one. */
  readonly #open = new Map<Id | object, http.ClientRequest>();
  /** Requests that name their revision: they are cancelled by the end of their connection. */
  readonly #named = new Set<Id>();
  readonly #cancelled = new WeakSet<http.ClientRequest>();
  #sessionId: string | null = null;
  #revision: string | null = null;
  #isOver = false;
  #unsent = 0;

  constructor(options: RemoteOptions, events: UpstreamEvents) {
    this.#options = options;
    this.#events = events;
    this.#agent = new (this.#transport().Agent)({ keepAlive: true });
  }

  send(message: Message, text: string): boolean {
    const about = message.kind === 'request' ? message.id : null;
    if (message.kind === 'notification' && message.method === 'notifications/cancelled') {
      const id = message.params?.requestId as Id;
      if (this.#named.has(id)) {
        this.#named.delete(id);
        const request = this.#open.get(id);
        if (request !== undefined) this.#cancelled.add(request);
        request?.destroy();
        return true;
      }
    }
    const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    if (message.kind === 'request') {
      const schema = message.method === 'tools/call' ? this.#events.schemaOf(String(message.params?.name)) : undefined;
      for (const [name, value] of headersOf(message, schema)) headers[name] = value;
      if (revisionOf(message) !== null) this.#named.add(message.id);
    }
    const request = this.#request('POST', headers, about ?? {}, (response) => this.#answered(message, request, response, about));
    request.once('error', (error) => {
      if (!this.#cancelled.has(request)) this.#failed(about, `the server cannot be reached: ${error.message}`);
    });
    let length = text.length;
    this.#unsent += length;
    const sent = () => {
      const isBehind = this.#unsent > MOST_UNSENT;
      this.#unsent -= length;
      length = 0;
      if (isBehind && this.#unsent <= MOST_UNSENT) this.#events.drained();
    };
    request.once('finish', sent).once('close', sent).end(text);
    return this.#unsent <= MOST_UNSENT;
  }

  kill(): void {
    this.#isOver = true;
    for (const request of this.#open.values()) request.destroy();
    this.#agent.destroy();
  }

  async end(): Promise<void> {
    if (this.#isOver) return;
    if (this.#sessionId !== null)
      await new Promise<void>((resolve) => {
        const request = this.#request('DELETE', {}, {}, (response) => {
          response.resume();
          resolve();
        });
        request.once('error', () => resolve()).setTimeout(PATIENCE, () => request.destroy(new Error('it took too long')));
        request.end();
      });
    this.#finish('the client left', true);
  }

  #transport(): typeof http | typeof https {
    return this.#options.url.protocol === 'https:' ? https : http;
  }

  #request(
    method: 'POST' | 'GET' | 'DELETE',
    headers: Readonly<Record<string, string>>,
    key: Id | object,
    answered: (response: http.IncomingMessage) => void,
  ): http.ClientRequest {
    const request = this.#transport().request(this.#options.url, {
      method,
      agent: this.#agent,
      headers: {
        ...this.#options.headers,
        ...(this.#sessionId !== null && { 'mcp-session-id': this.#sessionId }),
        ...(this.#revision !== null && { 'mcp-protocol-version': this.#revision }),
        ...headers,
      },
    });
    this.#open.set(key, request);
    request.once('response', answered);
    request.once('close', () => {
      if (this.#open.get(key) === request) this.#open.delete(key);
    });
    return request;
  }

  #answered(message: Message, request: http.ClientRequest, response: http.IncomingMessage, about: Id | null): void {
    const status = response.statusCode ?? 0;
    const isInitialize = message.kind === 'request' && message.method === 'initialize';
    const id = response.headers['mcp-session-id'];
    if (isInitialize && typeof id === 'string' && SESSION_ID.test(id)) this.#sessionId = id;
    if (status === 404 && this.#sessionId !== null && !isInitialize) {
      response.resume();
      this.#finish('the server has ended the session', true);
      return;
    }
    const isStream = /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '');
    if (status === 200 && isStream) {
      const stream = newStream(about);
      this.#read(request, response, stream, isInitialize);
      return;
    }
    void textOf(response).then((text) => {
      if (this.#cancelled.has(request)) return;
      if (about === null) {
        if (status >= 400) this.#options.warn(`the server refused a message (HTTP ${status})`);
        else if (message.kind === 'notification' && message.method === 'notifications/initialized') this.#listen();
      } else this.#take(text === null ? null : answerIn(text, about, status), about, status, isInitialize);
    });
  }

  /** Passes on the answer to a request; null: there is none. */
  #take(text: string | null, about: Id, status: number | null, isInitialize: boolean): void {
    if (text === null) {
      this.#failed(about, refusal(status ?? 0));
      return;
    }
    if (isInitialize) this.#revision = revisionIn(text);
    this.#named.delete(about);
    this.#events.received(text, about, status);
  }

  #failed(about: Id | null, why: string): void {
    if (this.#isOver) return;
    if (about === null) {
      this.#options.warn(why);
      return;
    }
    this.#named.delete(about);
    this.#events.received(messageText(errorTo(about, CODES.closed, why)), about, null);
  }

  /** Opens the stream of messages that belong to no request. A server need not have one. */
  #listen(stream = newStream(null)): void {
    if (this.#isOver) return;
    const headers = { accept: 'text/event-stream', ...(stream.lastEvent !== null && { 'last-event-id': stream.lastEvent }) };
    const request = this.#request('GET', headers, stream.about ?? {}, (response) => {
      const isStream = /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '');
      if (response.statusCode === 200 && isStream) return this.#read(request, response, stream, false);
      response.resume();
      this.#broke(stream, false);
    });
    request.once('error', () => this.#broke(stream, true));
    request.end();
  }

  #read(request: http.ClientRequest, response: http.IncomingMessage, stream: Stream, isInitialize: boolean): void {
    let held = 0;
    const parser = createParser({
      onRetry: (milliseconds) => {
        stream.pause = Math.min(Math.max(milliseconds, LEAST_PAUSE), LONGEST_PAUSE);
      },
      onEvent: ({ id, event, data }) => {
        held = 0;
        stream.attempts = 0;
        if (id !== undefined && SESSION_ID.test(id)) stream.lastEvent = id;
        if (data === '' || (event !== undefined && event !== 'message')) return;
        const message = readMessage(data, false);
        const answers = (message.kind === 'result' || message.kind === 'error' || message.kind === 'unread') && message.id;
        // An answer in another stream than its request's could be the answer to somebody else.
        if (stream.about !== null && answers === stream.about) {
          stream.isAnswered = true;
          this.#take(data, stream.about, null, isInitialize);
        } else this.#events.received(data, stream.about, null);
      },
    });
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      held += chunk.length;
      if (held > LONGEST) response.destroy();
      else parser.feed(chunk);
    });
    response.once('error', () => {});
    response.once('close', () => {
      if (!this.#cancelled.has(request)) this.#broke(stream, true);
    });
  }

  /** A stream has ended. Opens it again where its server says at which event to go on, or where it belongs to no request. */
  #broke(stream: Stream, isOpenedAgain: boolean): void {
    if (this.#isOver || stream.isAnswered) return;
    stream.attempts += 1;
    const canGoOn = isOpenedAgain && stream.attempts <= MOST_ATTEMPTS && (stream.about === null || stream.lastEvent !== null);
    if (canGoOn) setTimeout(() => this.#listen(stream), stream.pause).unref();
    else if (stream.about !== null) this.#failed(stream.about, 'the server ended its answer too early');
  }

  #finish(why: string, started: boolean): void {
    if (this.#isOver) return;
    this.kill();
    this.#events.ended(why, started);
  }
}

function refusal(status: number): string {
  if (status === 401)
    return 'the server requires a sign-in (HTTP 401): give it a header with --header, or let the client sign in without policy';
  return `the server answered with HTTP ${status}`;
}

/** Returns the answer to a request in the text of an HTTP response; null if there is none. An error of the protocol may name no request. */
function answerIn(text: string, about: Id, status: number): string | null {
  const message = readMessage(text, false);
  if (message.kind === 'error' && message.id === null) return messageText({ ...message, id: about });
  // What cannot be read is told apart by whoever reads it next.
  const isAnswer = message.kind === 'result' || message.kind === 'error' || (message.kind === 'unread' && status === 200);
  return isAnswer && message.id === about ? text : null;
}

function revisionIn(text: string): string | null {
  const message = readMessage(text, false);
  const revision = message.kind === 'result' ? message.result.protocolVersion : undefined;
  return typeof revision === 'string' && REVISION.test(revision) ? revision : null;
}

/** The body of a response; null if it is too long, not UTF-8 or broken. */
function textOf(response: http.IncomingMessage): Promise<string | null> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    response.on('data', (part: Buffer) => {
      length += part.length;
      if (length > LONGEST) response.destroy();
      else parts.push(part);
    });
    response.once('error', () => resolve(null));
    response.once('close', () => {
      if (!response.complete || length > LONGEST) return resolve(null);
      try {
        resolve(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)));
      } catch {
        resolve(null);
      }
    });
  });
}
