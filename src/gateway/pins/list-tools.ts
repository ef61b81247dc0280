/** A client that asks an MCP server for its tools and nothing else, of every revision of the protocol. */
import { pathToFileURL } from 'node:url';
import { VERSION } from '../../generated/build.js';
import { CODES, errorTo, isRecord, type Members, type Message, messageText, readMessage } from '../protocol/message.js';
import type { Connect, Upstream } from '../session/upstream.js';

export interface ListedTools {
  readonly tools: readonly Members[];
  /** What the server tells models about itself; null: nothing. */
  readonly instructions: string | null;
  /** The server's own name and version; null: it tells none. */
  readonly title: string | null;
}

/** Why the tools cannot be listed: a sentence without its period. */
export class ListError extends Error {
  override readonly name = 'ListError';
}

export const LIST_LIMITS = { pages: 1_000, tools: 10_000, bytes: 32 * 1024 * 1024, milliseconds: 30_000 } as const;

/** Servers list some tools only for clients that can do these things; whoever pins wants to see all. */
const CAPABILITIES = { roots: {}, sampling: {}, elicitation: {} };
const CLIENT = { name: 'agent-policy', version: VERSION };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
};

/**
 * Starts or connects to a server, lists its tools, and ends it. Throws ListError.
 * @param folder the only root that the server is told
 */
export async function listTools(
  connect: Connect,
  folder: string,
  limits: typeof LIST_LIMITS = LIST_LIMITS,
): Promise<ListedTools> {
  const asking = new Asking(connect, folder, limits);
  try {
    return await listed(asking, limits);
  } finally {
    await asking.end();
  }
}

async function listed(asking: Asking, limits: typeof LIST_LIMITS): Promise<ListedTools> {
  const old = { protocolVersion: '2025-11-25', capabilities: CAPABILITIES, clientInfo: CLIENT };
  const begun = await asking.ask('initialize', old);
  const meta = begun.kind === 'result' ? {} : { _meta: META };
  const greeting = begun.kind === 'result' ? begun : await asking.ask('server/discover', meta);
  // Whoever knows neither says why with the first answer.
  if (greeting.kind === 'error') throw refused('initialize', begun);
  if (greeting === begun) asking.send({ kind: 'notification', method: 'notifications/initialized', params: undefined });
  const tools: Members[] = [];
  let cursor: unknown;
  for (let page = 1; ; page += 1) {
    const result = await asking.result('tools/list', { ...meta, ...(cursor !== undefined && { cursor }) });
    if (!Array.isArray(result.tools)) throw new ListError("the server's answer has no list of tools");
    tools.push(...result.tools.filter(isRecord));
    cursor = result.nextCursor;
    if (typeof cursor !== 'string') break;
    if (page >= limits.pages || tools.length > limits.tools)
      throw new ListError(`the server lists more than ${limits.pages} pages or ${limits.tools} tools`);
  }
  const { instructions, serverInfo } = greeting.result;
  const title = isRecord(serverInfo)
    ? [serverInfo.name, serverInfo.version].filter((one) => typeof one === 'string').join(' ')
    : '';
  return { tools, instructions: typeof instructions === 'string' ? instructions : null, title: title === '' ? null : title };
}

type Answer = Message & { readonly kind: 'result' | 'error' };

function refused(method: string, answer: Answer): ListError {
  const why = answer.kind === 'error' ? String(answer.error.message) : 'a result';
  return new ListError(`the server answered ${method} with an error: ${why}`);
}

/** Requests to a server, each with its answer, until one of the limits is reached. */
class Asking {
  readonly #server: Upstream;
  readonly #folder: string;
  readonly #timer: NodeJS.Timeout;
  readonly #waiting = new Map<unknown, { resolve(answer: Answer): void; reject(error: ListError): void }>();
  #failure: ListError | null = null;
  #isOver = false;
  #requests = 0;
  #bytes = 0;

  constructor(connect: Connect, folder: string, { bytes, milliseconds }: typeof LIST_LIMITS) {
    this.#folder = folder;
    this.#timer = setTimeout(() => this.#fail(`the server took longer than ${milliseconds / 1000} seconds`), milliseconds);
    this.#server = connect({
      received: (text) => {
        this.#bytes += text.length;
        if (this.#bytes > bytes) this.#fail(`the server sent more than ${bytes / 1024 / 1024} MiB`);
        else this.#take(readMessage(text, false));
      },
      drained: () => {},
      ended: (why) => {
        this.#isOver = true;
        this.#fail(why);
      },
      schemaOf: () => undefined,
    });
  }

  ask(method: string, params: Members): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) return reject(this.#failure);
      this.#requests += 1;
      this.#waiting.set(this.#requests, { resolve, reject });
      this.send({ kind: 'request', id: this.#requests, method, params });
    });
  }

  async result(method: string, params: Members): Promise<Members> {
    const answer = await this.ask(method, params);
    if (answer.kind === 'result') return answer.result;
    throw refused(method, answer);
  }

  send(message: Message): void {
    if (!this.#isOver) this.#server.send(message, messageText(message));
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#failure !== null) this.#server.kill();
    await this.#server.end();
  }

  #take(message: ReturnType<typeof readMessage>): void {
    if (message.kind === 'request') {
      const { id } = message;
      const roots = [{ uri: pathToFileURL(this.#folder).href }];
      const results: Readonly<Record<string, Members>> = { ping: {}, 'roots/list': { roots } };
      const result = results[message.method];
      this.send(
        result === undefined ? errorTo(id, CODES.method, 'this client only lists tools') : { kind: 'result', id, result },
      );
    } else if (message.kind === 'result' || message.kind === 'error') {
      this.#waiting.get(message.id)?.resolve(message);
      this.#waiting.delete(message.id);
    } else if (message.kind === 'unread' && message.id !== null && this.#waiting.has(message.id))
      this.#fail(`the server sent an unreadable answer: ${message.why}`);
  }

  #fail(why: string): void {
    this.#failure ??= new ListError(why);
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}
