/**
 * The HTTP headers that repeat parts of a message (revision 2026-07-28), so that others need not read it. What they say is always
 * computed from the message: a header that says something else is refused. Pure.
 */
import { isRecord, type Request, revisionOf } from '../protocol/message.js';

/** The code of an error about a header that contradicts the message. */
export const HEADER_MISMATCH = -32020;

/** Which of its params the header `Mcp-Name` repeats, by method. */
const NAMED = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);
const DEEPEST_PROPERTY = 10;
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const ENCODED = /^=\?base64\?(.*)\?=$/;

/**
 * Returns the headers of a request that names its revision, in lower case; none for others.
 * @param schema the input schema of the tool that it calls, where it is known
 */
export function headersOf(request: Request, schema: object | undefined): ReadonlyMap<string, string> {
  const revision = revisionOf(request);
  if (revision === null) return new Map();
  const { method, params } = request;
  const headers = new Map([
    ['mcp-protocol-version', revision],
    ['mcp-method', method],
  ]);
  const name = params?.[NAMED.get(method) ?? ''];
  if (typeof name === 'string') headers.set('mcp-name', encoded(name));
  if (method === 'tools/call' && schema !== undefined)
    for (const [header, value] of repeatedArguments(schema, params?.arguments))
      headers.set(`mcp-param-${header}`, encoded(value));
  return headers;
}

/**
 * Returns what contradicts the message among the headers of a request, as a phrase; null if nothing does.
 * @param given the headers of the HTTP request, with names in lower case
 */
export function contradiction(
  request: Request,
  schema: object | undefined,
  given: Readonly<Record<string, string | string[] | undefined>>,
): string | null {
  for (const [name, expected] of headersOf(request, schema)) {
    const value = given[name];
    if (value === undefined) return `the header ${name} is missing`;
    if (typeof value !== 'string' || decoded(value.trim()) !== decoded(expected))
      return `the header ${name} contradicts the message`;
  }
  return null;
}

/** Arguments that a schema wants repeated (`x-mcp-header`), by the name of the header. */
function* repeatedArguments(schema: unknown, input: unknown, depth = 0): Generator<[header: string, value: string]> {
  if (!isRecord(schema) || !isRecord(schema.properties) || !isRecord(input) || depth > DEEPEST_PROPERTY) return;
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!isRecord(property) || !Object.hasOwn(input, name)) continue;
    const header = property['x-mcp-header'];
    const value: unknown = input[name];
    if (typeof header === 'string' && TOKEN.test(header) && ['string', 'number', 'boolean'].includes(typeof value))
      yield [header.toLowerCase(), String(value)];
    yield* repeatedArguments(property, value, depth + 1);
  }
}

/** The text as the value of a header: what a header cannot hold is written in Base64. */
function encoded(text: string): string {
  const isPlain = /^[\t\x20-\x7e]+$/.test(text) && text === text.trim() && !ENCODED.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** Returns the text of a header's value; an encoding that is no Base64 as it is. */
function decoded(value: string): string {
  const base64 = ENCODED.exec(value)?.[1];
  if (base64 === undefined) return value;
  const text = Buffer.from(base64, 'base64').toString();
  return encodedAgain(text) === base64 ? text : value;
}

function encodedAgain(text: string): string {
  return Buffer.from(text).toString('base64');
}
