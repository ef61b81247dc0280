/** The requests of HTTP clients on one connection to the server: finds the response that each message belongs to. */
import type { ServerResponse } from 'node:http';
import { CODES, errorTo, type Id, isRecord, type Message, type Request } from '../protocol/message.js';
import { Session, type SessionOptions, type Step } from '../session/session.js';
import type { Connect, Upstream } from '../session/upstream.js';
import { event, MOST_UNREAD, type Reply, tell } from './reply.js';

export interface ConnectionOptions extends SessionOptions {
  readonly connect: Connect;
  readonly warn: (why: string) => void;
}

/** Most messages that wait for a stream. */
const MOST_QUEUED = 100;
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #session: Session;
  readonly #upstream: Upstream;
  readonly #closed: () => void;
  /** The requests that are not answered, by the ids that the session knows. */
  readonly #replies = new Map<Id, Reply>();
  /** The name of the session; null: clients without sessions share the connection, so that their ids could be the same. */
  readonly #id: string | null;
  #stream: ServerResponse | null = null;
  /** Events for a client that does not listen yet. */
  readonly #queued: string[] = [];
  #queuedLength = 0;
  /** Those who wait until the server has read what it was sent; null: it has. */
  #behind: (() => void)[] | null = null;
  #requests = 0;
  isOver = false;
  lastUse = Date.now();

  /** @param closed called when the session can no longer be used */
  constructor(options: ConnectionOptions, id: string | null, closed: () => void) {
    this.#options = options;
    this.#id = id;
    this.#closed = closed;
    this.#session = new Session(options);
    this.#upstream = options.connect({
      received: (text, about, status) => this.#pass(this.#session.fromServer(text, about), status),
      drained: () => this.#caughtUp(),
      ended: (why, started) => {
        if (!started) options.warn(why);
        this.#finish(why);
      },
      schemaOf: (tool) => this.#session.schemaOf(tool),
    });
  }

  get isIdle(): boolean {
    return this.#replies.size === 0 && this.#stream === null;
  }

  schemaOf(tool: string): object | undefined {
    return this.#session.schemaOf(tool);
  }

  /** Resolves when the server reads again: until then no more is taken from its clients. */
  async ready(): Promise<void> {
    if (this.#behind !== null) await new Promise<void>((resolve) => this.#behind?.push(resolve));
  }

  #caughtUp(): void {
    const waiting = this.#behind ?? [];
    this.#behind = null;
    for (const go of waiting) go();
  }

  /** Takes a request, whose answer goes to `reply`. */
  request(given: Request, reply: Reply): void {
    this.lastUse = Date.now();
    if (this.isOver) {
      reply.end(errorTo(given.id, CODES.closed, 'the server has ended'), null);
      return;
    }
    if (this.#id !== null && this.#replies.has(given.id)) {
      reply.end(errorTo(given.id, CODES.request, 'policy refused it: its id belongs to another request'), 400);
      return;
    }
    const request = this.#id === null ? this.#renamed(given) : given;
    if (request.method === 'initialize') reply.sessionId = this.#id;
    this.#replies.set(request.id, reply);
    reply.onLeft(() => {
      // In a session, who leaves may have lost the connection only. Without one, it is how a request is cancelled.
      if (this.#id === null && this.#replies.delete(request.id))
        this.#take({ kind: 'notification', method: 'notifications/cancelled', params: { requestId: request.id } });
    });
    this.#pass(this.#session.fromClient(request), null);
  }

  /** Takes a message that is no request. */
  take(message: Message): void {
    // Without sessions all clients share this connection: one must not cancel the request of another.
    if (this.#id === null && message.kind === 'notification' && message.method === 'notifications/cancelled') return;
    this.#take(message);
  }

  #take(message: Message): void {
    this.lastUse = Date.now();
    if (!this.isOver) this.#pass(this.#session.fromClient(message), null);
  }

  /** Makes a response the stream of the messages that belong to no request; false if there is one. */
  listen(response: ServerResponse): boolean {
    if (this.#stream !== null) return false;
    this.#stream = response;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }).flushHeaders();
    for (const text of this.#queued.splice(0)) response.write(text);
    this.#queuedLength = 0;
    response.once('close', () => {
      if (this.#stream === response) this.#stream = null;
      this.lastUse = Date.now();
    });
    return true;
  }

  async close(why: string): Promise<void> {
    this.#finish(why);
    await this.#upstream.end();
  }

  #finish(why: string): void {
    if (this.isOver) return;
    for (const step of this.#session.close(why)) this.#pass(step, null);
    this.isOver = true;
    this.#stream?.end();
    this.#stream = null;
    this.#caughtUp();
    this.#closed();
  }

  #pass(step: Step, status: number | null): void {
    if (step.to === 'nobody') {
      this.#options.warn(`not passed on: ${step.why}`);
      return;
    }
    if (step.to === 'server') {
      if (!this.#upstream.send(step.message, step.text) && !this.isOver) this.#behind ??= [];
      return;
    }
    const about = step.about ?? this.#requestOf(step.message);
    const reply = about === null ? undefined : this.#replies.get(about);
    if (about === null || reply === undefined) {
      this.#tell(step.message);
      return;
    }
    const message = this.#id === null ? original(step.message, about, reply) : step.message;
    if (message.kind !== 'result' && message.kind !== 'error') {
      reply.send(message);
      return;
    }
    this.#replies.delete(about);
    const isBegin = reply.sessionId !== null;
    if (message.kind === 'error') reply.sessionId = null;
    reply.end(message, status);
    if (isBegin && message.kind === 'error') void this.close('the session did not begin');
  }

  /** Sends a message that belongs to no request. An answer that nobody waits for any more is none. */
  #tell(message: Message): void {
    if (this.isOver || message.kind === 'result' || message.kind === 'error' || this.#id === null) return;
    const text = event(message);
    if (this.#stream !== null && tell(this.#stream, text)) return;
    this.#stream = null;
    if (this.#queued.length < MOST_QUEUED && this.#queuedLength + text.length <= MOST_UNREAD) {
      this.#queuedLength += text.length;
      this.#queued.push(text);
    } else this.#options.warn('not passed on: the client does not listen');
  }

  /** The request that a message of a server without HTTP belongs to: the one that it names, or else the only or last one of the session. */
  #requestOf(message: Message): Id | null {
    if (message.kind !== 'notification' && message.kind !== 'request') return message.id;
    const { params } = message;
    const named = isRecord(params?._meta) ? params._meta[SUBSCRIPTION] : undefined;
    const token = message.method === 'notifications/progress' ? params?.progressToken : undefined;
    for (const [id, reply] of this.#replies)
      if (this.#id === null ? id === named || id === token : token !== undefined && reply.progressToken === token) return id;
    if (message.kind === 'notification' && this.#stream !== null) return null;
    const all = [...this.#replies.keys()];
    return (this.#id === null && all.length > 1 ? null : all.at(-1)) ?? null;
  }

  /** Gives a request an id that no other client's request has. */
  #renamed(request: Request): Request {
    this.#requests += 1;
    const id = `r${this.#requests}`;
    const meta = request.params?._meta;
    if (!isRecord(meta) || meta.progressToken === undefined) return { ...request, id };
    return { ...request, id, params: { ...request.params, _meta: { ...meta, progressToken: id } } };
  }
}

/** Gives a message the ids back that its client knows. */
function original(message: Message, id: Id, reply: Reply): Message {
  if (message.kind === 'result' || message.kind === 'error') return { ...message, id: reply.id };
  const { params } = message;
  const meta = params?._meta;
  return {
    ...message,
    params: {
      ...params,
      ...(params?.progressToken === id && { progressToken: reply.progressToken }),
      ...(isRecord(meta) && meta[SUBSCRIPTION] === id && { _meta: { ...meta, [SUBSCRIPTION]: reply.id } }),
    },
  };
}
