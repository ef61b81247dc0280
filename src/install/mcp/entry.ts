/** The entry of an MCP server in a client's settings, and the same entry with the gateway before the server. Pure. */
import { gatewayLine, RULE_NAME, UNSENDABLE, VARIABLE } from '../../call/gateway-line.js';
import { isList, isMap, type JsonValue } from '../../disk/json-text.js';
import { isLocal } from '../../lint/settings/address.js';
import { secretSpans } from '../../secret/find.js';
import type { KnownClient } from './clients.js';

export type Entry = ReadonlyMap<string, JsonValue>;

/** The words that start the gateway, without its options; and the options that hold for every server. */
export interface GatewayProgram {
  readonly words: readonly [string, ...string[]];
  readonly options: readonly string[];
}

export type Wrapping =
  | { readonly kind: 'wrapped'; readonly entry: Entry }
  | { readonly kind: 'already' }
  /** `why` completes the sentence "left as it is: …". */
  | { readonly kind: 'left'; readonly why: string };

/** How the variables begin that have the values of headers: an argument would be visible to everyone on the machine. */
const HEADER_VARIABLE = 'POLICY_MCP_HEADER_';
/** The variable with an address that may be as secret. */
const ADDRESS_VARIABLE = 'POLICY_MCP_ADDRESS';
/** An address without a query, a reference to a variable or a long word, any of which may be a credential. */
const OPEN_ADDRESS = /^https?:\/\/[\w.:[\]-]+(?:\/[\w.~-]{0,15})*$/i;

/** Variables that would steer the gateway itself, and not only the server. */
const STEERING = /^(?:NODE_(?!ENV$|EXTRA_CA_CERTS$).*|LD_.*|DYLD_.*|HOME|XDG_(?:CONFIG|STATE|DATA)_HOME|OPENSSL_CONF|POLICY_.*)$/;
/** Names that belong to the address of a server in a query, and never to its contents. */
const TELLING = /[?&][^=&#]*(?:key|token|secret|auth|sig|pass|code|credential|session)[^=&#]*=/i;

/**
 * Returns the entry behind the gateway, or why it stays as it is.
 * @param whyUngoverned see own-gateway.ts
 */
export function wrapping(
  name: string,
  value: JsonValue,
  client: KnownClient,
  program: GatewayProgram,
  whyUngoverned: (entry: JsonValue, client: KnownClient) => string | null,
): Wrapping {
  if (!isMap(value)) return left('it is not a map of settings');
  const words = wordsOf(value);
  if (words !== null && gatewayLine(words) !== null) {
    const why = whyUngoverned(value, client);
    return why === null ? { kind: 'already' } : left(`it ${why}; remove it first (policy mcp uninstall ${client.id})`);
  }
  const rules = name.replace(/[^A-Za-z0-9_-]/g, '_');
  if (!RULE_NAME.test(rules)) return left('rules cannot name this server; give it a shorter name without __');
  const steering = namesOf(value.get(variablesKey(client)))?.find((one) => isSteering(one, program));
  if (steering !== undefined)
    return left(`${steering} among its variables would also affect the gateway; set it in a script that starts the server`);
  const before = [
    ...program.words.slice(1),
    ...['--server', rules],
    ...(client.runner === null ? [] : ['--runner', client.runner]),
    ...program.options,
  ];
  const hasAddress = ['url', 'httpUrl', 'serverUrl'].some((key) => value.has(key));
  if (value.has('command') && hasAddress) return left('it names both a program and an address');
  const made = value.has('command') ? ofProgram(value, words, client, before) : ofAddress(value, client, before);
  return 'why' in made ? { kind: 'left', ...made } : { kind: 'wrapped', entry: withWords(value, made, client, program) };
}

/** What changes in an entry, beside the words of the gateway. */
interface Made {
  readonly words: readonly string[];
  readonly without?: readonly string[];
  /** More variables with their values, and more names of variables that the client hands on. */
  readonly variables?: Entry;
  readonly passedOn?: readonly string[];
}
interface Why {
  readonly why: string;
}

function left(why: string): Wrapping {
  return { kind: 'left', why };
}

function ofProgram(entry: Entry, words: readonly string[] | null, client: KnownClient, before: readonly string[]): Made | Why {
  const type = entry.get('type');
  const { types = ['stdio'] } = client;
  if (type === undefined ? client.needsType : !types.some((one) => one === type)) return { why: unknownType(type) };
  const isFormed = isList(entry.get('command') ?? null) === (client.command === 'list') && !(client.command && entry.has('args'));
  if (words === null || !isFormed || words[0] === '') return { why: 'its command has a form that this client does not read' };
  if (words.length === 1 && /\s/.test(words[0] ?? '') && !/[\\/].*\s/.test(words[0] ?? ''))
    return { why: 'its command is a whole line; write the program as `command`, and the rest as `args`' };
  const key = variablesKey(client);
  const variables = entry.has(key) ? namesOf(entry.get(key)) : [];
  const passedOn = passedOnOf(entry, client);
  if (variables === null || passedOn === null) return { why: `its ${key} has a form that this client does not read` };
  if (entry.has('envFile')) return { why: 'it takes variables from a file (`envFile`), whose names the gateway cannot know' };
  const named = [...new Set([...variables, ...passedOn])].flatMap((one) => ['--env', one]);
  return { words: [...before, ...named, '--', ...words] };
}

function ofAddress(entry: Entry, client: KnownClient, before: readonly string[]): Made | Why {
  const type = entry.get('type') ?? null;
  const known = client.addresses.filter(({ key }) => typeof entry.get(key) === 'string');
  const found = known.find(({ types }) => types.some((one) => one === type));
  const [first] = known;
  if (first === undefined) return { why: 'it names neither a program nor an address that this client reads' };
  if (found === undefined)
    return { why: type === null || type === 'sse' ? 'it uses the older transport (SSE)' : unknownType(type) };
  const address = String(entry.get(found.key));
  if (/\/sse\/?(?:[?#]|$)/.test(address)) return { why: 'its address looks like one of the older transport (SSE)' };
  if (!/^https?:\/\/[^\s]+$|^\$\{?\w/i.test(address)) return { why: 'its address is not a URL' };
  if (/^https?:\/\/[^/?#]*@/i.test(address))
    return { why: 'its address holds a password, which clients do not send; move it into a header' };
  const variablesOf = namesOf(entry.get(variablesKey(client)) ?? new Map());
  if (variablesOf === null || variablesOf.length > 0)
    return { why: `it has ${variablesKey(client)} beside an address, which would apply to the gateway` };
  const signs = client.signsIn.find((key) => entry.has(key) && !(key === client.signsInUnless && entry.get(key) === false));
  if (signs !== undefined)
    return { why: `the client signs in to it (${signs}), which it cannot do through a program; give it a token in a header` };
  const { values = 'headers', named = null } = client.headers ?? {};
  const headers = headersOf(entry.get(values));
  const byName = named === null ? new Map<string, string>() : headersOf(entry.get(named));
  if (headers === null || byName === null) return { why: 'its headers have a form that this client does not read' };
  if ([...headers.values()].some((text) => UNSENDABLE.test(text)) || [...byName.values()].some((text) => !VARIABLE.test(text)))
    return { why: 'a header value has characters that HTTP cannot send, or its variable has no valid name' };
  const hasCredential = TELLING.test(address) || secretSpans(address).length > 0;
  const isOpen =
    hasCredential || isLocal(address) || (client.signsInUnless !== undefined && entry.get(client.signsInUnless) === false);
  if (headers.size + byName.size === 0 && !isOpen)
    return { why: 'it may want the client to sign in (it has no headers); give it a token in a header' };
  const variables = new Map<string, string>();
  const flags: string[] = [];
  for (const [header, text] of headers) {
    const variable = variableFor(header, variables);
    variables.set(variable, text);
    flags.push(`${header}=${variable}`);
  }
  for (const [header, variable] of byName) flags.push(`${header}=${variable}`);
  const isPublic = OPEN_ADDRESS.test(address);
  if (!isPublic) variables.set(ADDRESS_VARIABLE, address);
  const addressWords = isPublic ? ['--url', address] : ['--url-from', ADDRESS_VARIABLE];
  return {
    words: [...before, ...addressWords, ...flags.flatMap((flag) => ['--header', flag])],
    without: [found.key, values, ...(named === null ? [] : [named])],
    variables,
    passedOn: [...byName.values()],
  };
}

/** Returns a name that still tells what the value is: lint finds credentials by it. */
function variableFor(header: string, taken: ReadonlyMap<string, string>): string {
  const name = HEADER_VARIABLE + header.toUpperCase().replace(/[^A-Z0-9]/g, '_');
  return taken.has(name) ? `${name}_${taken.size}` : name;
}

/** Puts the members in the place of the first one that goes, so that the entry reads as before. */
function withWords(entry: Entry, made: Made, client: KnownClient, { words: [start] }: GatewayProgram): Entry {
  const { words, without = [], variables = new Map(), passedOn = [] } = made;
  const key = variablesKey(client);
  const own = entry.get(key);
  const wanted = new Map<string, JsonValue>([
    ...(without.length > 0 && (entry.has('type') || client.needsType)
      ? [['type', (client.types ?? ['stdio'])[0] ?? 'stdio'] as const]
      : []),
    ...(client.command === 'list'
      ? [['command', [start, ...words]] as const]
      : ([
          ['command', start],
          ['args', words],
        ] as const)),
    ...(variables.size > 0 ? [[key, new Map([...(isMap(own) ? own : []), ...variables])] as const] : []),
    ...(passedOn.length > 0 && client.passedOn !== undefined
      ? [[client.passedOn, [...(listOf(entry.get(client.passedOn)) ?? []), ...passedOn]] as const]
      : []),
  ]);
  const kept = [...entry].flatMap(([name, value]): [string, JsonValue][] =>
    without.includes(name) ? [] : [[name, wanted.get(name) ?? value]],
  );
  return new Map([...kept, ...[...wanted].filter(([name]) => !entry.has(name))]);
}

/** Returns the program with its arguments; null if they are not strings. */
export function wordsOf(entry: Entry): readonly string[] | null {
  const [command, args] = [entry.get('command'), entry.get('args') ?? []];
  const words = [...(isList(command) ? command : [command ?? null]), ...(isList(args) ? args : [null])];
  return words.every((word) => typeof word === 'string') ? words : null;
}

export function variablesKey({ variables = 'env' }: KnownClient): string {
  return variables;
}

/** Whether a variable of an entry would steer the gateway; PATH does where the gateway is found by it. */
export function isSteering(variable: string, { words: [start] }: GatewayProgram): boolean {
  const isOurs = variable.startsWith(HEADER_VARIABLE) || variable === ADDRESS_VARIABLE;
  return (STEERING.test(variable) && !isOurs) || (variable === 'PATH' && !/[\\/]/.test(start));
}

/** Returns the names of a map of texts; null for anything else. */
function namesOf(value: JsonValue | undefined): readonly string[] | null {
  const isPlain = isMap(value) && [...value].every(([name, one]) => typeof one === 'string' && /^[^\s=]+$/.test(name));
  return isPlain ? [...value.keys()] : null;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] | null {
  return isList(value) ? value : null;
}

/** Names, or maps with a `name`. */
function passedOnOf(entry: Entry, { passedOn }: KnownClient): readonly string[] | null {
  if (passedOn === undefined || !entry.has(passedOn)) return [];
  const names = listOf(entry.get(passedOn))?.map((one) => (isMap(one) ? (one.get('name') ?? null) : one));
  return names?.every((name) => typeof name === 'string') ? names : null;
}

/** Returns header names with their texts; none if there is no such map, null for anything that is no map of texts. */
function headersOf(value: JsonValue | undefined): ReadonlyMap<string, string> | null {
  if (value === undefined) return new Map();
  if (!isMap(value)) return null;
  const pairs = [...value].filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(pair[0]),
  );
  return pairs.length === value.size ? new Map(pairs) : null;
}

function unknownType(type: JsonValue | undefined): string {
  return type == null ? 'it has no `type`' : `its type ${JSON.stringify(type)} is not known here`;
}
