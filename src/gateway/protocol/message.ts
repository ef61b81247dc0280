/**
 * Messages of the Model Context Protocol (JSON-RPC 2.0), read strictly: a text that is not plainly one message is refused, and only
 * the message that was read is sent on, never the text. A batch, `Method` beside `method` and a member given twice therefore mean the
 * same to this program and to whoever reads next. Pure.
 */
import { structureOf } from './structure.js';

export type Id = string | number;
export type Members = Readonly<Record<string, unknown>>;

export interface Request {
  readonly kind: 'request';
  readonly id: Id;
  readonly method: string;
  readonly params: Members | undefined;
}

export interface Notification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: Members | undefined;
}

/** The answer to a request; `id` is null only for an error about a message that could not be read. */
export type Response =
  | { readonly kind: 'result'; readonly id: Id; readonly result: Members }
  | { readonly kind: 'error'; readonly id: Id | null; readonly error: Members };

export type Message = Request | Notification | Response;

/** A text that is no message, with the JSON-RPC error for its sender. */
export interface Unread {
  readonly kind: 'unread';
  readonly code: number;
  readonly why: string;
  readonly id: Id | null;
}

/** Error codes of JSON-RPC 2.0; `denied` is from the range that it leaves to implementations. */
export const CODES = { parse: -32700, request: -32600, method: -32601, params: -32602, denied: -32001, closed: -32000 } as const;

/** Maximum depth of nesting. A tool's arguments are rarely deeper than ten. */
const MOST_DEPTH = 128;
const LONGEST_ID = 1024;
const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const METHOD = /^[A-Za-z][\w$./-]{0,199}$/;

/**
 * Reads one message.
 * @param exact refuses integers that would be changed on their way
 */
export function readMessage(text: string, exact: boolean): Message | Unread {
  const structure = structureOf(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unread(CODES.parse, 'it is not valid JSON');
  }
  if (structure.depth > MOST_DEPTH)
    return unread(CODES.request, `it is nested more than ${MOST_DEPTH} levels deep`, isRecord(value) ? idOf(value) : null);
  if (Array.isArray(value)) return unread(CODES.request, 'it is a batch, which the protocol does not have');
  if (!isRecord(value)) return unread(CODES.request, 'it is not an object');
  if (exact && !structure.exact)
    return unread(CODES.params, 'it contains a number that would change in transit; send it as a string', idOf(value));
  return messageOf(value);
}

/** Writes a message as one line, without the newline. */
export function messageText(message: Message): string {
  const { kind, ...members } = message;
  return JSON.stringify({ jsonrpc: '2.0', ...members });
}

/** The error response to a request, or to a text that could not be read. */
export function errorTo(id: Id | null, code: number, message: string): Response {
  return { kind: 'error', id, error: { code, message } };
}

export function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of `_meta` in which a request names its revision. */
const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** The revision that a request names itself, as each does from 2026-07-28; null: its session knows. */
export function revisionOf({ params }: Pick<Request, 'params'>): string | null {
  const meta = params?._meta;
  const named = isRecord(meta) ? meta[VERSION] : undefined;
  return typeof named === 'string' ? named : null;
}

function unread(code: number, why: string, id: Id | null = null): Unread {
  return { kind: 'unread', code, why, id };
}

function messageOf(value: Members): Message | Unread {
  const wrong = (why: string) => unread(CODES.request, why, idOf(value));
  const odd = Object.keys(value).find((name) => !MEMBERS.has(name));
  if (odd !== undefined) return wrong(`it has a member ${JSON.stringify(odd.slice(0, 40))}`);
  if (value.jsonrpc !== '2.0') return wrong('it is not JSON-RPC 2.0');
  const { method } = value;
  if (method === undefined) return responseOf(value);
  if ('result' in value || 'error' in value) return wrong('it is both a request and a response');
  if (typeof method !== 'string' || !METHOD.test(method)) return wrong('its method is not a name');
  const { params } = value;
  if (params !== undefined && !isRecord(params)) return wrong('its params are not an object');
  if (!('id' in value)) return { kind: 'notification', method, params };
  const id = idOf(value);
  return id === null ? wrong('its id is neither a string nor an integer') : { kind: 'request', id, method, params };
}

function responseOf(value: Members): Response | Unread {
  const { result, error } = value;
  const id = idOf(value);
  const hasResult = 'result' in value;
  if (hasResult === 'error' in value) return unread(CODES.request, 'it has neither a method nor one result', id);
  if ('params' in value) return unread(CODES.request, 'it is a response with params', id);
  if (hasResult)
    return isRecord(result) && id !== null
      ? { kind: 'result', id, result }
      : unread(CODES.request, 'its result is not an object, or has no id', id);
  const isError = isRecord(error) && Number.isSafeInteger(error.code) && typeof error.message === 'string';
  return isError && (id !== null || (value.id ?? null) === null)
    ? { kind: 'error', id, error }
    : unread(CODES.request, 'its error has no code and message', id);
}

function idOf({ id }: Members): Id | null {
  if (typeof id === 'string') return id.length <= LONGEST_ID ? id : null;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
}
