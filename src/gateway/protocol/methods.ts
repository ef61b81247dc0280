/**
 * The methods that pass the gateway, of the protocol's revisions 2025-03-26 to 2026-07-28, in both directions. A method that is not
 * listed does not pass: a later revision may give it any meaning. Pure.
 */
import { posix } from 'node:path';
import { isRecord, type Members } from './message.js';

/**
 * What becomes of a message: `passes` on; `list`: passes, and its result is filtered; `call`: judged as a tool call; `task`: passes
 * if a call of this session made the task.
 */
export interface MethodRule {
  readonly how: 'passes' | 'list' | 'call' | 'task';
  /** The members that its params may have besides `_meta`; null: any. */
  readonly members: readonly string[] | null;
  /** For `call`: what is judged; null: nothing, the message passes. */
  readonly judged?: (params: Members) => Judged | null;
  /** A person has asked for it, or is asked by it: an ask is answered. */
  readonly isAnswered?: true;
}

export interface Judged {
  /** The tool's name, without the server. */
  readonly tool: string;
  readonly input: Members;
  /** How the tool's definition differs from the one that a person pinned; absent: it does not. */
  readonly redefined?: string;
}

/** Members of every request that repeats itself with the answers to the server's questions (2026-07-28). */
export const REPEATED: readonly string[] = ['inputResponses', 'requestState'];

const passes = (...members: readonly string[]): MethodRule => ({ how: 'passes', members });
const lists: MethodRule = { how: 'list', members: ['cursor'] };
/** The SDK repeats what the call said about its task. */
const task: MethodRule = { how: 'task', members: ['taskId', 'task'] };

/** A method that is judged as a tool of its server: `resources/read` as `resources:read`. No tool of a server passes under such a name. */
function judged(method: string, members: readonly string[], input: readonly string[] = members): MethodRule & { how: 'call' } {
  const tool = method.replace('/', ':');
  return { how: 'call', members, judged: (params) => ({ tool, input: only(params, input) }) };
}

function only(params: Members, names: readonly string[]): Members {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(params, name) ? [[name, params[name]]] : [])));
}

export const CLIENT_REQUESTS = new Map<string, MethodRule>([
  // Clients say more about themselves than the protocol asks.
  ['initialize', { how: 'passes', members: null }],
  ['server/discover', passes()],
  ['ping', passes()],
  ['logging/setLevel', passes('level')],
  ['tools/list', lists],
  [
    'tools/call',
    {
      how: 'call',
      members: ['name', 'arguments', 'task', ...REPEATED],
      judged: ({ name, arguments: input }) => ({ tool: String(name), input: isRecord(input) ? input : {} }),
    },
  ],
  ['resources/list', lists],
  ['resources/templates/list', lists],
  ['resources/read', ofResource('resources/read', ['uri', ...REPEATED])],
  ['resources/subscribe', ofResource('resources/subscribe', ['uri', ...REPEATED])],
  ['resources/unsubscribe', passes('uri')],
  ['subscriptions/listen', { ...judged('resources/subscribe', ['notifications', ...REPEATED]), judged: subscribed }],
  ['prompts/list', lists],
  // A person chooses a prompt, and types what is completed.
  ['prompts/get', { ...judged('prompts/get', ['name', 'arguments', ...REPEATED], ['name', 'arguments']), isAnswered: true }],
  ['completion/complete', { ...judged('completion/complete', ['ref', 'argument', 'context']), isAnswered: true }],
  ['tasks/get', task],
  ['tasks/result', task],
  ['tasks/cancel', task],
  ['tasks/list', lists],
]);

export const CLIENT_NOTIFICATIONS: ReadonlySet<string> = new Set([
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
]);

export const SERVER_REQUESTS = new Map<string, MethodRule>([
  ['ping', passes()],
  ['roots/list', { ...judged('roots/list', []), isAnswered: true }],
  [
    'sampling/createMessage',
    judged(
      'sampling/createMessage',
      [
        ...['messages', 'modelPreferences', 'systemPrompt', 'includeContext', 'temperature', 'maxTokens', 'stopSequences'],
        ...['metadata', 'tools', 'toolChoice', 'task'],
      ],
      ['includeContext', 'maxTokens'],
    ),
  ],
  [
    'elicitation/create',
    {
      ...judged('elicitation/create', ['message', 'requestedSchema', 'mode', 'url', 'elicitationId', 'task'], ['url']),
      isAnswered: true,
    },
  ],
]);

export const SERVER_NOTIFICATIONS: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/progress',
  'notifications/message',
  'notifications/resources/updated',
  'notifications/resources/list_changed',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/elicitation/complete',
  'notifications/tasks/status',
  'notifications/subscriptions/acknowledged',
]);

function ofResource(method: string, members: readonly string[]): MethodRule {
  const tool = method.replace('/', ':');
  return {
    how: 'call',
    members,
    judged: ({ uri }) => ({ tool, input: { uri: typeof uri === 'string' ? plainOr(spellings(uri)) : uri } }),
  };
}

function plainOr(texts: readonly unknown[]): unknown {
  return texts.length === 1 ? texts[0] : texts;
}

/** How often an address may be decoded by those that it passes through. */
const MOST_DECODINGS = 3;

/** Returns the addresses that a server may read in this one: decoded, without doubled slashes and dots. A rule has to cover each of them. */
function spellings(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given.flatMap(spellings);
  if (typeof given !== 'string') return [given];
  const found = new Set([given]);
  let text = given;
  for (let times = 0; times < MOST_DECODINGS; times += 1) {
    text = text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
    found.add(text);
    const [, scheme = '', rest = ''] = /^([a-z][\w+.-]*:\/*)?(.*)$/is.exec(text) ?? [];
    const path = posix.normalize(`/${rest.replaceAll('\\', '/')}`).slice(1);
    // `file:////secret` and `file:/secret` are `file:///secret`.
    found.add(/^file:/i.test(scheme) ? `file:///${path}` : `${scheme.replace(/:\/{3,}$/, '://')}${path}`);
  }
  return [...found];
}

/** Notifications that name no resource. */
const LISTS: ReadonlySet<string> = new Set(['toolsListChanged', 'promptsListChanged', 'resourcesListChanged']);

/** Returns whatever else a client subscribes to, such as resources (2026-07-28); null: nothing. */
function subscribed({ notifications }: Members): Judged | null {
  const more = Object.entries(isRecord(notifications) ? notifications : {}).filter(([name]) => !LISTS.has(name));
  return more.length === 0
    ? null
    : { tool: 'resources:subscribe', input: { uri: more.flatMap(([, value]) => spellings(value)) } };
}

/** Returns why the params of a request must not pass; null if they may. A member in another spelling could mean the same to the server. */
export function wrongMembers(params: Members | undefined, { members }: MethodRule): string | null {
  for (const name of members === null ? [] : Object.keys(params ?? {}))
    if (name !== '_meta' && members?.includes(name) !== true)
      return `its params have a member ${JSON.stringify(name.slice(0, 40))}`;
  return params !== undefined && '_meta' in params && !isRecord(params._meta) ? 'its _meta is not an object' : null;
}
