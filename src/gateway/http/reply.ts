/**
 * The HTTP response to one request: a stream, or one message as JSON where the server answered so, or where the request names its revision
 * and nothing but the answer belongs to it.
 */
import type { ServerResponse } from 'node:http';
import { type Id, isRecord, type Message, messageText, type Request } from '../protocol/message.js';

/** HTTP statuses that the protocol gives its errors from 2026-07-28. */
const STATUSES = new Map<unknown, number>([
  [-32700, 400],
  [-32600, 400],
  [-32601, 404],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
]);

export class Reply {
  readonly #response: ServerResponse;
  readonly #hasRevision: boolean;
  /** The client's id of the request, and the name under which it wants to hear of the progress. */
  readonly id: Id;
  readonly progressToken: unknown;
  /** The session that the response begins. */
  sessionId: string | null = null;

  constructor(response: ServerResponse, { id, params }: Request, revision: string | null) {
    this.#response = response;
    this.#hasRevision = revision !== null;
    this.id = id;
    this.progressToken = isRecord(params?._meta) ? params._meta.progressToken : undefined;
  }

  /** Calls back if the client leaves before it has the answer. */
  onLeft(left: () => void): void {
    this.#response.once('close', () => {
      if (!this.#response.writableEnded) left();
    });
  }

  /** Sends a message that belongs to the request but is no answer. */
  send(message: Message): void {
    this.#begin(200, 'text/event-stream');
    tell(this.#response, event(message));
  }

  /**
   * Answers the request.
   * @param status the HTTP status with which the server answered; null: it did not use HTTP
   */
  end(message: Message, status: number | null): void {
    if (this.#response.headersSent || (status === null && !this.#hasRevision)) {
      this.#begin(200, 'text/event-stream');
      this.#response.end(event(message));
      return;
    }
    const own = message.kind === 'error' && this.#hasRevision ? STATUSES.get(message.error.code) : undefined;
    // A server may answer with any number.
    const isStatus = status !== null && status >= 200 && status < 600;
    this.#begin((isStatus ? status : own) ?? 200, 'application/json');
    this.#response.end(messageText(message));
  }

  #begin(status: number, type: string): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(status, {
      'content-type': type,
      'cache-control': 'no-cache',
      ...(this.sessionId !== null && { 'mcp-session-id': this.sessionId }),
    });
  }
}

/** Bytes that may wait for a client that does not read. */
export const MOST_UNREAD = 8 * 1024 * 1024;

/** Writes an event to a stream; false if its client reads so slowly that the stream is dropped. It can connect again. */
export function tell(response: ServerResponse, text: string): boolean {
  if (response.writableLength > MOST_UNREAD) {
    response.destroy();
    return false;
  }
  response.write(text);
  return true;
}

/** A message as an event of a stream. */
export function event(message: Message): string {
  return `event: message\ndata: ${messageText(message)}\n\n`;
}
